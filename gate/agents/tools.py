"""The toolbelt: six tools over a copy, each call counted, recorded, and done inside the fence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gate.agents.base import Task
from gate.agents.meter import Meter
from gate.agents.stable import Stable
from gate.agents.toolprocess import RUN_TESTS_S, ToolProcess
from gate.models.base import ToolRequest, ToolResult, ToolSpec
from gate.outcome import ToolCall
from gate.workspace.globs import Globs
from gate.workspace.patch import Change
from gate.workspace.tree import Symlink

MAX_TEXT = 48_000
MAX_NAMES = 500
MAX_TEST_OUTPUT = 12_000
MAX_ARGUMENT = 1_000_000

NOT_YOURS = "the tests of this task are not yours to run: they shipped with the fix"

_TEXT = {"type": "string"}
_NUMBER = {"type": "integer", "minimum": 1}
_FLAG = {"type": "boolean"}


def _spec(name: str, description: str, required: tuple[str, ...], **properties: Mapping[str, Any]) -> ToolSpec:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return ToolSpec(name, description, schema)


SPECS: Mapping[str, ToolSpec] = {
    spec.name: spec
    for spec in (
        _spec(
            "list_files",
            "List the files of the repository, one path a line. `glob` keeps those that match, in gitignore syntax "
            "(`*.py` anywhere, `src/**` below src; `*` stops at a slash).",
            (),
            glob=_TEXT,
        ),
        _spec(
            "read_file",
            "Read a text file. `first` and `last` are line numbers from 1, inclusive. The answer is one line that "
            "says which lines follow, then exactly those lines.",
            ("path",),
            path=_TEXT,
            first=_NUMBER,
            last=_NUMBER,
        ),
        _spec(
            "search",
            "Find lines. `pattern` is literal text, or a Python regular expression with `regex`; `glob` keeps the "
            "search to matching paths. Answers `path:line: text`.",
            ("pattern",),
            pattern=_TEXT,
            regex=_FLAG,
            ignore_case=_FLAG,
            glob=_TEXT,
        ),
        _spec(
            "edit_file",
            "Replace the exact text `old` by `new` in a file. `old` must occur exactly once: give as many lines "
            "around it as that takes.",
            ("path", "old", "new"),
            path=_TEXT,
            old=_TEXT,
            new=_TEXT,
        ),
        _spec(
            "write_file",
            "Create a file with this content, or replace the whole of an existing one.",
            ("path", "content"),
            path=_TEXT,
            content=_TEXT,
        ),
        _spec(
            "run_tests",
            "Run the tests of this task and show the end of their output. They are ended after `timeout_s` seconds "
            f"(at most {RUN_TESTS_S}, which is the default).",
            (),
            timeout_s=_NUMBER,
        ),
    )
}

TOOL_NAMES = tuple(SPECS)
"""Every tool there is, in the order in which it is offered."""


def _wrong(value: Any, wanted: str) -> str | None:
    """Why a value is not of the type that a schema names, or None."""
    if wanted == "string":
        if not isinstance(value, str):
            return "must be a string"
        return f"is longer than {MAX_ARGUMENT} characters" if len(value) > MAX_ARGUMENT else None
    if wanted == "boolean":
        return None if isinstance(value, bool) else "must be true or false"
    if not isinstance(value, int) or isinstance(value, bool):
        return "must be a whole number"
    return "must be at least 1" if value < 1 else None


def _misfit(spec: ToolSpec, arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with the arguments of a call, or None."""
    properties = spec.parameters["properties"]
    for name, value in arguments.items():
        if name not in properties:
            return f"{spec.name}: unknown argument {name!r}; it takes: {', '.join(properties) or 'none'}"
        wrong = _wrong(value, properties[name]["type"])
        if wrong:
            return f"{spec.name}: {name} {wrong}"
    missing = [name for name in spec.parameters["required"] if name not in arguments]
    return f"{spec.name}: missing argument {', '.join(missing)}" if missing else None


def capped(text: str) -> str:
    """The text, or its first `MAX_TEXT` characters and a last line that says so."""
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:MAX_TEXT]}\n[cut: the first {MAX_TEXT} of {len(text)} characters are shown]"


class Refusal(Exception):
    """A call that was not done; the agent reads why and may go on."""


class Toolbelt:
    """The tools of one trial. `offered` names those that this trial and this agent share. Close it at the end.

    A call never raises for what an agent asks: a refusal is a result. Ended is raised when the trial is over.
    """

    def __init__(self, task: Task, meter: Meter, offered: tuple[str, ...] | None = None) -> None:
        names = task.tools if offered is None else tuple(name for name in task.tools if name in offered)
        self.specs = tuple(SPECS[name] for name in names)
        self.calls: list[ToolCall] = []
        self._task = task
        self._process = ToolProcess(task, meter)
        programs = {str(task.python.executable): "python"} | ({str(task.node.executable): "node"} if task.node else {})
        self._stable = Stable(task.copy, programs)
        self._verbs: Mapping[str, Callable[..., str]] = {
            "list_files": self._list_files,
            "read_file": self._read_file,
            "search": self._search,
            "edit_file": self._edit_file,
            "write_file": self._write_file,
            "run_tests": self._run_tests,
        }

    def call(self, request: ToolRequest) -> ToolResult:
        """Do one call, or refuse it; either way it is counted and recorded."""
        arguments = dict(request.arguments)
        event = {"id": request.id, "name": request.name}
        self._task.record({"type": "tool_call", **event, "arguments": arguments})
        try:
            ok, text = True, self._done(request)
        except Refusal as refusal:
            ok, text = False, str(refusal)
        text = capped(self._stable.paths(text))
        self._task.record({"type": "tool_result", **event, "ok": ok, "text": text})
        self.calls.append(ToolCall(request.name, arguments, ok, text))
        return ToolResult(request.id, request.name, ok, text)

    def put(self, path: str, kind: str, data: bytes = b"", *, executable: bool = False) -> None:
        """Write what the harness knows and no tool can express (a deletion, a link, a mode, bytes). Not a tool call."""
        import base64

        encoded = base64.b64encode(data).decode()
        response = self._process.ask("put", path=path, kind=kind, data=encoded, executable=executable)
        error = response.get("error", "")
        self._task.record({"type": "control", "put": path, "kind": kind, "ok": response["ok"], "error": error})
        if not response["ok"]:
            raise Refusal(error)

    def place(self, change: Change) -> None:
        """Make one change of a known patch. Raises Refusal where the tool process cannot."""
        if change.after is None:
            self.put(change.path, "absent")
        elif isinstance(change.after, Symlink):
            self.put(change.path, "link", change.after.target.encode("utf-8", "surrogateescape"))
        else:
            self.put(change.path, "file", change.after.data, executable=change.after.executable)

    def close(self) -> None:
        """End the tool process."""
        self._process.close()

    def _done(self, request: ToolRequest) -> str:
        offered = [spec for spec in self.specs if spec.name == request.name]
        if not offered:
            known = ", ".join(spec.name for spec in self.specs) or "none"
            raise Refusal(f"there is no tool {request.name!r} here; the tools are: {known}")
        misfit = _misfit(offered[0], request.arguments)
        if misfit:
            raise Refusal(misfit)
        return self._verbs[request.name](**request.arguments)

    def _ask(self, verb: str, **arguments: Any) -> dict[str, Any]:
        response = self._process.ask(verb, **arguments)
        if not response["ok"]:
            raise Refusal(str(response["error"]))
        return response

    def _names(self, glob: str | None) -> tuple[list[str], bool]:
        found = self._ask("list_files")
        if glob is None:
            return found["names"], found["more"]
        try:
            return Globs([glob]).matching(found["names"]), found["more"]
        except ValueError as error:
            raise Refusal(f"not a glob: {error}") from None

    def _list_files(self, glob: str | None = None) -> str:
        names, more = self._names(glob)
        lines = names[:MAX_NAMES]
        if more or len(names) > MAX_NAMES:
            count = f"more than {len(names)}" if more else str(len(names))
            lines.append(f"[cut: {min(len(names), MAX_NAMES)} of {count} names are shown; give a narrower glob]")
        return "\n".join(lines) or "no file matches"

    def _read_file(self, path: str, first: int = 1, last: int | None = None) -> str:
        if last is not None and last < first:
            raise Refusal(f"read_file: last ({last}) is before first ({first})")
        got = self._ask("read_file", path=path, first=first, last=last)
        if not got["lines"]:
            return f"{path}: empty"
        cut = ", cut: ask for the rest" if got["cut"] else ""
        return f"{path}: lines {first}-{got['last']} of {got['lines']}{cut}\n{got['text']}"

    def _search(self, pattern: str, *, regex: bool = False, ignore_case: bool = False, glob: str | None = None) -> str:
        names = None if glob is None else self._names(glob)[0]
        found = self._ask("search", pattern=pattern, regex=regex, ignore_case=ignore_case, names=names)
        lines = [f"{path}:{number}: {text}" for path, number, text in found["matches"]]
        if found["more"]:
            lines.append(f"[cut: the first {len(lines)} matches are shown]")
        return "\n".join(lines) or "no match"

    def _edit_file(self, path: str, old: str, new: str) -> str:
        return f"{path}: edited at line {self._ask('edit_file', path=path, old=old, new=new)['line']}"

    def _write_file(self, path: str, content: str) -> str:
        done = self._ask("write_file", path=path, content=content)
        return f"{path}: {'created' if done['new'] else 'replaced'}, {done['lines']} lines"

    def _run_tests(self, timeout_s: int = RUN_TESTS_S) -> str:
        commands = self._task.test_argv
        if commands is None:
            raise Refusal(NOT_YOURS)
        limit_s = min(timeout_s, RUN_TESTS_S)
        got = self._ask(
            "run_tests",
            wait_s=limit_s + 15,
            commands=[list(command) for command in commands],
            limit_s=limit_s,
            cap=MAX_TEST_OUTPUT,
        )
        runs = zip(commands, got["runs"], strict=True)
        return self._stable.output("\n".join(self._shown(command, run, limit_s) for command, run in runs))

    @staticmethod
    def _shown(command: tuple[str, ...], run: Mapping[str, Any], limit_s: int) -> str:
        ended = f"did not end within {limit_s} s" if run["late"] else f"exit code {run['exit']}"
        cut = f"[cut: {run['dropped']} bytes before this]\n" if run["dropped"] else ""
        return f"$ {' '.join(command)}\n{ended}\n{cut}{run['output']}"
