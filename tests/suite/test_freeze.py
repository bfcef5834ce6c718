"""`gate freeze`: what it writes, what its check says, and which exit code that is."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from gate.cli import run
from gate.errors import NoSandbox
from gate.sandbox.fence import Fence
from tests.suite.desk import FILES, TASK, Desk


@pytest.fixture
def here(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The suite as the working folder."""
    monkeypatch.chdir(desk.root)
    return desk


@pytest.fixture
def repository(here: Desk) -> Desk:
    """The suite, frozen and committed on main, with a change begun on a branch that main has moved on from."""
    here.write("gate.yml", FILES["gate.yml"] + 'stack: ["prompts/**", "agent.toml"]\n')
    here.write("prompts/system.md", "Be careful.\n")
    assert run(["freeze"]) == 0
    git("init", "-q", "-b", "main")
    commit("suite")
    git("switch", "-q", "-c", "change")
    git("switch", "-q", "main")
    here.write("prompts/system.md", "Be very careful.\n")
    commit("main moves its stack")
    git("switch", "-q", "change")
    return here


def git(*arguments: str) -> None:
    """Run git in the working folder, with a name and without anybody's settings."""
    settings = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    command = ["git", *settings, *arguments]
    subprocess.run(command, check=True, capture_output=True)


def commit(message: str) -> None:
    """Commit everything."""
    git("add", "-A")
    git("commit", "-q", "-m", message)


def test_freeze_then_check(here: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Freezing writes the lock and the check of it is 0; nothing but JSON goes to stdout."""
    assert run(["freeze", "--json"]) == 0
    out, err = capsys.readouterr()
    lock = json.loads((here.root / "canaries/lock.json").read_text())
    assert json.loads(out) == {"lock": "canaries/lock.json", "suite": lock["suite"], "canaries": 2}
    assert err == f"froze 2 canaries as {lock['suite'][:12]} in canaries/lock.json\n"
    assert run(["freeze", "--check"]) == 0
    assert capsys.readouterr() == ("", "gate.yml: 2 canaries match their lock\n")


def test_a_lock_that_does_not_match_is_64(here: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A suite without its lock, or with another one, is a configuration error that names each difference."""
    assert run(["freeze", "--check"]) == 64
    assert "canaries/lock.json: the suite is not frozen" in capsys.readouterr().err
    run(["freeze"])
    here.write("goldens/tests/fix-01/tests/test_hidden.py", "")
    capsys.readouterr()
    assert run(["freeze", "--check", "--json"]) == 64
    out, err = capsys.readouterr()
    reason = "canaries.fix-01.hidden_tests: has changed since the suite was frozen"
    assert json.loads(out)["exit_code"] == 64
    assert [reason in problem for problem in json.loads(out)["problems"]] == [True]
    assert err.startswith(f"canaries/lock.json: {reason}")


def test_a_broken_suite_is_not_frozen(here: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A suite that does not load is 64 with its problems, and no lock is written."""
    here.replace(TASK, "goldens/fix.diff", "goldens/none.diff")
    assert run(["freeze"]) == 64
    assert f"gate: {TASK}:12: expect.diff_golden: no such file: `goldens/none.diff`" in capsys.readouterr().err
    assert not (here.root / "canaries/lock.json").exists()


def test_a_suite_with_its_hidden_slice_absent_is_not_frozen(here: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A lock written without the hidden folder would drop its canaries, so it is refused."""
    here.write("gate.yml", "schema: 1\nhidden: {env: GATE_TEST_NOT_SET}\n")
    assert run(["freeze"]) == 64
    assert "GATE_TEST_NOT_SET is not set" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("goldens/fix.diff", "golden of fix-01: goldens/fix.diff"),
        ("goldens/exploits/trap.diff", "exploit of trap-01: goldens/exploits/trap.diff"),
        (
            "goldens/tests/fix-01/tests/test_hidden.py",
            "hidden test of fix-01: goldens/tests/fix-01/tests/test_hidden.py",
        ),
        ("goldens/tests/fix-01/tests/test_new.py", "hidden test of fix-01: goldens/tests/fix-01/tests/test_new.py"),
    ],
)
@pytest.mark.parametrize("committed", [True, False])
def test_an_answer_that_moves_with_the_stack_is_2(
    repository: Desk, capsys: pytest.CaptureFixture[str], file: str, what: str, committed: bool
) -> None:
    """A change that touches an answer and the agent stack is blocked, even with a fresh lock, committed or not."""
    path = repository.root / file
    repository.write(file, (path.read_text() if path.exists() else "") + "\n")
    repository.write("agent.toml", "model = 'x'\n")
    assert run(["freeze"]) == 0
    if committed:
        commit("both at once")
    capsys.readouterr()
    assert run(["freeze", "--check", "--ref", "main", "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out) == {"exit_code": 2, "problems": [], "changed_with_stack": [what]}
    assert err == f"{what}: changed together with the agent stack (agent.toml)\n"


def test_either_alone_is_0(repository: Desk) -> None:
    """An answer changed on its own passes, and so does the stack; what main did since the branch is not ours."""
    repository.write("goldens/tests/fix-01/tests/test_hidden.py", "def test_other():\n    pass\n")
    assert run(["freeze"]) == 0
    commit("an answer")
    assert run(["freeze", "--check", "--ref", "main"]) == 0
    git("switch", "-q", "-c", "stack", "main")
    repository.write("prompts/more.md", "More.\n")
    commit("the stack")
    assert run(["freeze", "--check", "--ref", "main"]) == 0


def test_a_fixture_is_no_answer(repository: Desk) -> None:
    """Files of the suite that are not answers are the lock's business, not this check's."""
    repository.write("fixtures/lib-redacted/more.py", "")
    repository.write("agent.toml", "model = 'x'\n")
    assert run(["freeze"]) == 0
    assert run(["freeze", "--check", "--ref", "main"]) == 0


def test_a_mismatch_comes_before_the_stack(repository: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A lock that does not match is 64 whatever else is wrong, and both are said."""
    repository.write("goldens/tests/fix-01/tests/test_hidden.py", "")
    repository.write("agent.toml", "")
    capsys.readouterr()
    assert run(["freeze", "--check", "--ref", "main"]) == 64
    err = capsys.readouterr().err
    assert "has changed since the suite was frozen" in err
    assert "changed together with the agent stack" in err


def test_the_callers_git_environment_is_not_used(repository: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables that point git at another repository, as hooks set them, change nothing."""
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository.root / "none"))
    assert run(["freeze", "--check", "--ref", "main"]) == 0


def test_a_suite_below_the_root_of_its_repository(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The stack's globs are relative to gate.yml, wherever that lies in the repository."""
    inner = Desk.laid(tmp_path / "deep/evals")
    inner.write("gate.yml", FILES["gate.yml"] + 'stack: ["prompts/**"]\n')
    monkeypatch.chdir(desk.root)
    git("init", "-q", "-b", "main")
    assert run(["freeze", "--config", "deep/evals/gate.yml"]) == 0
    commit("suite")
    inner.write("prompts/system.md", "x")
    inner.write("goldens/tests/fix-01/tests/test_hidden.py", "")
    assert run(["freeze", "--config", "deep/evals/gate.yml"]) == 0
    assert run(["freeze", "--config", "deep/evals/gate.yml", "--check", "--ref", "HEAD"]) == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--ref", "main"], "--ref goes with --check"),
        (["--check", "--ref", "nowhere"], "git rev-parse in"),
        (["--check", "--ref", "--output=/tmp/x"], "git rev-parse in"),
        (["--check", "--ref", "unrelated"], "git merge-base in"),
        (["--config", "none.yml"], "none.yml: no such file"),
    ],
)
def test_usage(repository: Desk, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    """A ref that is none, or shares no history, is 64 with what git said; so is an option without its other half."""
    git("switch", "-q", "--orphan", "unrelated")
    git("commit", "-q", "--allow-empty", "-m", "unrelated")
    git("switch", "-q", "change")
    assert repository.root.exists()
    option = [f"--ref={arguments[2]}"] if arguments[-1].startswith("--output") else arguments[1:]
    assert run(["freeze", arguments[0], *option]) == 64
    assert reason in capsys.readouterr().err


def test_a_stack_must_be_named_for_ref(here: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Without `stack` in gate.yml there is nothing to compare with, and that is said instead of passed over."""
    run(["freeze"])
    capsys.readouterr()
    assert run(["freeze", "--check", "--ref", "HEAD"]) == 64
    assert "stack: --ref needs the globs of the agent stack" in capsys.readouterr().err
    assert here.root.exists()


BAD_INPUT: dict[str, tuple[str | bytes, str]] = {
    "wrong type": (FILES[TASK].replace("kind: bugfix", "kind: 3"), ":2: kind: expected one of bugfix"),
    "unknown key": (FILES[TASK] + "promt: x\n", ":22: promt: unknown key; perhaps you meant `prompt`"),
    "duplicate key": (FILES[TASK] + "kind: rename\n", ":22: kind: the key stands twice; first on line 2"),
    "missing golden": (FILES[TASK].replace("goldens/fix.diff", "goldens/none.diff"), ":12: expect.diff_golden: no"),
    "path outside": (FILES[TASK].replace("goldens/fix.diff", "../fix.diff"), ":12: expect.diff_golden: the path"),
    "ten megabytes": (b"# " + b"x" * 10 * 1024 * 1024, ": is larger than 1024 KiB and was not parsed"),
    "alias bomb": ("a: &a [x, x]\nb: &b [*a, *a]\nid: [*b, *b]\n", ":1: a: the anchor `&a` is not accepted"),
    "not UTF-8": (FILES[TASK].encode().replace(b"Repair", b"R\xe9pair"), ":9: is not UTF-8: byte 0xe9"),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_one_message_and_64(here: Desk, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Each sort of bad input ends in exit code 64 with file and line, without a traceback and without a lock."""
    text, reason = BAD_INPUT[name]
    here.write(TASK, text)
    assert run(["freeze"]) == 64
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{TASK}{reason}" in err
    assert "Traceback" not in err
    assert not (here.root / "canaries/lock.json").exists()


WEAK = """\
  tests:
    - calls: [{call: calc.add, args: [0, 0], returns: 0}]
"""
LEFT = '["calc.py:2 hunk dropped"]'


@pytest.fixture
def weak(here: Desk, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The suite with a test that the defect passes, and a cache of its own."""
    monkeypatch.setenv("GATE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    text = FILES[TASK]
    tests = text[text.index("  tests:\n") : text.index("  tools:")]
    here.replace(TASK, tests, WEAK)
    here.write("gate.yml", "schema: 1\npolicy: {headline: false, min_kill_rate: 0.9}\n")
    return here


def test_weak_tests_are_refused_unless_they_are_disclosed(weak: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Under the floor there is no lock but a problem with file, line and survivors; a disclosure of them all helps."""
    assert run(["freeze"]) == 64
    err = capsys.readouterr().err
    assert "fix-01: tests reject 1 of 2 wrong versions of its answer\n" in err
    assert f"gate: {TASK}:14: expect.tests: reject only 1 of 2 wrong versions of the known answer (50%, and " in err
    assert err.endswith(f"in `weak_tests`: {LEFT}\n")
    assert not (weak.root / "canaries/lock.json").exists()
    disclosed = "weak_tests: {reason: nothing else is asked of it, survivors: [%s]}\n"
    weak.write(TASK, (weak.root / TASK).read_text() + disclosed % '"calc.py:2 hunk dropped", "gone"')
    assert run(["freeze"]) == 0
    assert "fix-01: weak_tests: gone does not survive any more" in capsys.readouterr().err
    weak.replace(TASK, '"calc.py:2 hunk dropped", ', "")
    assert run(["freeze"]) == 64


def test_a_floor_needs_a_sandbox_once(
    weak: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no fence works freezing is 3 and writes nothing; neither the check nor what is known already needs one."""
    weak.write("gate.yml", "schema: 1\npolicy: {headline: false, min_kill_rate: 0.5}\n")
    with monkeypatch.context() as patched:
        patched.setattr("gate.audit.stand.open_fence", no_fence)
        assert run(["freeze"]) == 3
        assert "no fence" in capsys.readouterr().err
        assert run(["freeze", "--check"]) == 64
    assert run(["freeze"]) == 0
    monkeypatch.setattr("gate.audit.stand.open_fence", no_fence)
    capsys.readouterr()
    assert run(["freeze"]) == 0
    assert "wrong versions" not in capsys.readouterr().err
    assert run(["freeze", "--check"]) == 0


def no_fence(_choice: str) -> Fence:
    """A machine without any."""
    raise NoSandbox("no fence")


def test_an_answer_that_does_not_pass_is_not_measured(weak: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the known answer fails its own tests, freezing is 3: nothing can be said of how strong they are."""
    weak.replace(TASK, "args: [0, 0], returns: 0", "args: [1, 2], returns: 7")
    assert run(["freeze"]) == 3
    assert "fix-01: the wrong versions of its answer could not be graded" in capsys.readouterr().err
    assert not (weak.root / "canaries/lock.json").exists()


def test_the_scaffold_is_above_the_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `gate init` writes freezes under the policy that comes with it."""
    monkeypatch.setenv("GATE_CACHE_DIR", str(tmp_path / "cache"))
    assert run(["init", str(tmp_path / "mine")]) == 0
    capsys.readouterr()
    assert run(["freeze", "--config", str(tmp_path / "mine/gate.yml")]) == 0
    err = capsys.readouterr().err
    assert err.count("wrong versions") == 2
    assert "min_kill_rate: null" not in (tmp_path / "mine/gate.yml").read_text()
