"""The one process that touches a copy on behalf of an agent: started in the fence, spoken to in JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gate.agents.base import Task
from gate.agents.meter import Ended, Meter
from gate.errors import HarnessBroken
from gate.outcome import AnswerStatus
from gate.sandbox.fence import Completed, Session
from gate.sandbox.policy import MIB, Limits, Policy

LINE_BYTES = 8 * MIB
RUN_TESTS_S = 60
CALL_S = 30.0

_GATE = Path(__file__).resolve().parents[1]
_START = "import sys; sys.path.append(sys.argv[1]); from gate.agents.inside.serve import main; main()"


def program() -> tuple[Path, ...]:
    """What of this package the fence must show to the tool process: its own modules and nothing of the graders."""
    return (_GATE / "__init__.py", _GATE / "agents" / "__init__.py", _GATE / "agents" / "inside")


def _policy(task: Task, wall_s: float) -> Policy:
    readable = (*program(), *task.python.readable, *(task.node.readable if task.node else ()))
    limits = Limits(wall_s=max(wall_s, 1.0), cpu_s=max(120, int(wall_s) + 1), output_bytes=64 * MIB)
    return Policy(copy=task.copy, readable=readable, overlay=task.overlay, limits=limits)


def _why(completed: Completed) -> str:
    if not completed.started:
        return f"the tool process did not start: {completed.refusal}"
    lines = completed.stderr.decode("utf-8", "replace").strip().splitlines()
    how = f"exit code {completed.exit_code}" if completed.exit_code is not None else "killed"
    return f"the tool process is gone ({how}){': ' + lines[-1][:200] if lines else ''}"


class ToolProcess:
    """Requests and responses with one tool process. It is started by the first request, and `close` ends it.

    Every failure of the process itself raises Ended: as TIMEOUT when the wall clock of the trial has run out, else as
    ERROR, because then nothing was measured.
    """

    def __init__(self, task: Task, meter: Meter) -> None:
        self._task = task
        self._meter = meter
        self._session: Session | None = None
        self._number = 0

    def ask(self, verb: str, wait_s: float = CALL_S, **arguments: Any) -> dict[str, Any]:
        """Send one request and wait for its response: `{"ok": True, ...}` or `{"ok": False, "error": ...}`."""
        self._meter.check_time()
        if self._session is None:
            self._session = self._started()
        self._number += 1
        request = {"id": self._number, "verb": verb, **arguments}
        self._session.send(json.dumps(request).encode() + b"\n")
        line = self._session.read_line(min(wait_s, self._meter.left_s()), LINE_BYTES)
        if line is None:
            raise self._lost(verb)
        return self._response(line)

    def close(self) -> None:
        """End the process and everything it started."""
        if self._session is not None:
            completed = self._session.stop()
            self._session = None
            if completed.survivors:
                raise HarnessBroken("processes outlived the sandbox of the tools; nothing can be trusted")

    def _started(self) -> Session:
        argv = [str(self._task.python.executable), "-I", "-S", "-c", _START, str(_GATE.parent)]
        return self._task.fence.start(_policy(self._task, self._meter.left_s()), argv)

    def _lost(self, verb: str) -> Ended:
        assert self._session is not None  # noqa: S101  # a request was sent over it
        waited = self._meter.left_s() <= 0
        completed = self._session.stop()
        self._session = None
        if waited or completed.timed_out:
            return Ended(AnswerStatus.TIMEOUT, f"the {self._meter.budget.timeout_s:g} s of this trial were used up")
        if completed.started and completed.exit_code is None and not completed.refusal:
            return Ended(AnswerStatus.ERROR, f"the tool process gave no usable answer to {verb}")
        return Ended(AnswerStatus.ERROR, self._stable(_why(completed)))

    def _stable(self, reason: str) -> str:
        return reason.replace(str(self._task.copy), ".")

    def _response(self, line: bytes) -> dict[str, Any]:
        try:
            response = json.loads(line)
        except (ValueError, RecursionError):
            raise Ended(AnswerStatus.ERROR, "the tool process answered something that is not JSON") from None
        if not isinstance(response, dict) or response.get("id") != self._number or "ok" not in response:
            raise Ended(AnswerStatus.ERROR, "the tool process answered out of turn")
        return response
