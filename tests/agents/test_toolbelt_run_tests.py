"""`run_tests` starts what an agent wrote: whatever that does, the trial goes on or ends with a reason."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gate.agents.meter import Ended
from gate.agents.tools import MAX_TEST_OUTPUT, NOT_YOURS
from gate.outcome import AnswerStatus
from gate.sandbox.fence import Fence
from gate.sandbox.toolchain import python
from tests.agents.bench import Hand, Repo, node_argv, pytest_argv


def _argv(script: str = "job.py") -> tuple[tuple[str, ...], ...]:
    return ((str(python().executable), script),)


def test_without_visible_tests_it_is_refused_with_the_reason(scratch: Path, fence: Fence) -> None:
    """Where the tests shipped with the fix, asking for them is a counted refusal that says so."""
    with Hand(Repo.laid(scratch, fence, {"a.py": ""}), test_argv=None) as hand:
        result = hand("run_tests")
        assert (result.ok, result.text) == (False, NOT_YOURS)
        assert len(hand.belt.calls) == 1


def test_python_and_node_tests_run_in_the_copy(scratch: Path, fence: Fence) -> None:
    """Exit code and output of both runners come back, without scratch paths and without times."""
    files = {
        "calc.py": "def add(a, b):\n    return a + b\n",
        "tests/test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 4\n",
        "conftest.py": "",
        "calc.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\n"
        "test('adds', () => assert.equal(1 + 1, 2));\n",
    }
    repo = Repo.laid(scratch, fence, files)
    with Hand(repo, test_argv=pytest_argv("tests") + node_argv("calc.test.js")) as hand:
        result = hand("run_tests")
    assert result.ok
    assert result.text.startswith("$ python -m pytest")
    assert "exit code 1\n" in result.text
    assert "assert 3 == 4" in result.text
    assert "$ node --test" in result.text
    assert "exit code 0\n" in result.text
    assert "duration_ms 0\n" in result.text
    assert str(scratch) not in result.text


def test_a_flood_is_drained_and_its_end_is_shown(scratch: Path, fence: Fence) -> None:
    """Fifty megabytes of output neither block the tests nor reach the model; the last words do."""
    job = "import sys\nfor _ in range(500):\n    sys.stdout.write('x' * 100_000 + '\\n')\nprint('the end')\n"
    with Hand(Repo.laid(scratch, fence, {"job.py": job}), test_argv=_argv()) as hand:
        result = hand("run_tests")
    assert "exit code 0\n" in result.text
    assert result.text.endswith("the end\n")
    assert "[cut: " in result.text
    assert len(result.text) < MAX_TEST_OUTPUT + 500


FORGERIES = (
    'print(\'{"id": 1, "ok": true, "runs": []}\', flush=True)\nraise SystemExit(1)\n',
    """
import os
for fd in range(3, 64):
    try:
        os.write(fd, b'{"id": 1, "ok": true, "runs": []}\\n')
    except OSError:
        pass
raise SystemExit(1)
""",
    """
import os
for fd in range(64):
    try:
        with open(f"/proc/{os.getppid()}/fd/{fd}", "wb", buffering=0) as stream:
            stream.write(b'{"id": 1, "ok": true, "runs": []}\\n')
    except OSError:
        pass
raise SystemExit(1)
""",
    """
import os
open(f"/proc/{os.getppid()}/mem", "r+b", buffering=0)  # whoever can write this can say anything
raise SystemExit(0)
""",
)


@pytest.mark.parametrize("job", FORGERIES)
def test_test_code_cannot_speak_for_the_tool_process(scratch: Path, fence: Fence, job: str) -> None:
    """JSON on its output, on inherited descriptors or through /proc is no answer, and its memory is closed."""
    with Hand(Repo.laid(scratch, fence, {"job.py": job}), test_argv=_argv()) as hand:
        result = hand("run_tests")
        assert "exit code 1\n" in result.text
        assert hand("read_file", path="job.py").ok


def test_a_killed_tool_process_ends_the_trial_as_an_error(scratch: Path, fence: Fence) -> None:
    """Test code that kills the tool process leaves a trial that measured nothing, with the reason."""
    job = "import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(5)\n"
    with Hand(Repo.laid(scratch, fence, {"job.py": job}), test_argv=_argv()) as hand, pytest.raises(Ended) as ended:
        hand("run_tests")
    assert ended.value.status is AnswerStatus.ERROR
    assert "tool process" in ended.value.reason


def test_endless_tests_are_ended_and_the_tools_go_on(scratch: Path, fence: Fence) -> None:
    """Tests that never end are killed after the time that was asked for, and nothing of them keeps running."""
    job = """
import os, subprocess, sys, time
child = "import time\\nwhile True:\\n    open('beat', 'a').write('x')\\n    time.sleep(0.05)\\n"
subprocess.Popen([sys.executable, "-c", child], start_new_session=True)
print("started", flush=True)
time.sleep(60)
"""
    repo = Repo.laid(scratch, fence, {"job.py": job})
    with Hand(repo, test_argv=_argv()) as hand:
        result = hand("run_tests", timeout_s=1)
        assert "did not end within 1 s\nstarted\n" in result.text
        size = (repo.root / "beat").stat().st_size
        time.sleep(0.4)
        assert (repo.root / "beat").stat().st_size == size


def test_a_process_left_behind_does_not_hold_the_tests_open(scratch: Path, fence: Fence) -> None:
    """A background process that keeps the output open does not delay the answer."""
    job = "import subprocess\nsubprocess.Popen(['/bin/sleep', '30'], start_new_session=True)\nprint('done')\n"
    started = time.monotonic()
    with Hand(Repo.laid(scratch, fence, {"job.py": job}), test_argv=_argv()) as hand:
        assert "exit code 0\ndone\n" in hand("run_tests").text
    assert time.monotonic() - started < 10


def test_a_command_that_is_not_there_is_a_result(scratch: Path, fence: Fence) -> None:
    """A test command that cannot be started says so; the trial goes on."""
    with Hand(Repo.laid(scratch, fence, {"a.py": ""}), test_argv=(("/nowhere/runner",),)) as hand:
        result = hand("run_tests")
    assert "cannot start" in result.text
    assert "exit code 0" not in result.text


def test_the_wall_clock_ends_a_trial_in_the_middle_of_its_tests(scratch: Path, fence: Fence) -> None:
    """When the time of the trial runs out inside run_tests, the trial is a timeout and not an error."""
    repo = Repo.laid(scratch, fence, {"job.py": "import time\ntime.sleep(60)\n"})
    with Hand(repo, test_argv=_argv(), budget={"timeout_s": 2.0}) as hand, pytest.raises(Ended) as ended:
        hand("run_tests")
    assert ended.value.status is AnswerStatus.TIMEOUT
    assert ended.value.reason == "the 2 s of this trial were used up"
