"""`gate audit` from the command line: what it says, what it leaves behind, and what it costs the second time."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
from pathlib import Path

import pytest

from gate.audited import AuditVerdict, CanaryAudit, Matrix
from gate.commands import audit
from gate.suite import lock as locks
from gate.suite import stamp as stamps
from gate.suite.canary import Canary
from tests.commands.gate_process import COMMAND, ROOT, Finished, environment, gate

SUITE = {
    "gate.yml": "schema: 1\nsuite: canaries\nagent: oracle\npolicy: {headline: false, min_kill_rate: null}\n",
    "canaries/card.yaml": (
        "dataset_id: one\ncommit: none\nslices: {public: 1, hidden: 0, canary: 0}\nlanguages: [javascript]\n"
        "difficulty_note: easy\nattempt_cap: 1\ntemperature: 0\nnetwork_on_hidden: false\ngold_patch_in_prompt: false\n"
    ),
    "fixtures/calc/package.json": '{"type": "module"}\n',
    "fixtures/calc/calc.js": "export function add(a, b) {\n  return a - b;\n}\n",
    "fixtures/calc/check.js": 'import { add } from "./calc.js";\n\nif (add(2, 3) !== 5) throw new Error("wrong");\n',
    "goldens/add.diff": (
        "--- a/calc.js\n+++ b/calc.js\n@@ -1,3 +1,3 @@\n export function add(a, b) {\n"
        "-  return a - b;\n+  return a + b;\n }\n"
    ),
}
CANARY = (
    "id: add\nkind: bugfix\nlanguage: javascript\nintroduced: 2026-11-29\nrepo_fixture: fixtures/calc\n"
    "prompt: add subtracts, repair it.\nbudget: {{timeout_s: 20}}\nexpect:\n  reference: goldens/add.diff\n"
    "  tests:\n    - {test}\n"
)
CALLS = 'calls: [{call: "calc.js#add", args: [2, 3], returns: 5}, {call: "calc.js#add", args: [10, -4], returns: 6}]'


def _suite(root: Path, test: str, **more: str) -> Path:
    for name, text in {**SUITE, "canaries/public/add.yaml": CANARY.format(test=test), **more}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str], Finished]:
    """A frozen suite of one canary with declared calls, and its first audit, which keeps what it found in a folder."""
    root = _suite(tmp_path_factory.mktemp("sound"), CALLS)
    cache = {"GATE_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}
    assert gate("freeze", cwd=root).code == 0
    return root, cache, gate("audit", "--canary", "add", "--json", cwd=root, more=cache)


def test_a_sound_canary_passes(sound: tuple[Path, dict[str, str], Finished]) -> None:
    """Right in every shape, every wrong answer and every cheat rejected, exit code 0."""
    _, _, done = sound
    (found,) = done.report["canaries"]
    assert (done.code, done.report["verdict"], found["verdict"]) == (0, "PASS", "PASS"), done.err
    assert set(found["shapes"].values()) == {True}
    assert found["let_through"] == []
    assert found["cheats"] > 40
    assert found["kill_rate"] == 1.0


def test_the_second_audit_remembers_the_first(sound: tuple[Path, dict[str, str], Finished]) -> None:
    """What nothing that it follows from has changed is not graded again, and a part of a suite leaves no stamp."""
    root, cache, done = sound
    again = gate("audit", "--canary", "add", "--json", cwd=root, more=cache)
    (found,), (before,) = again.report["canaries"], done.report["canaries"]
    assert found == {**before, "cached": True}
    assert not (root / "canaries" / stamps.NAME).exists()


def test_a_changed_canary_is_audited_again(sound: tuple[Path, dict[str, str], Finished], tmp_path: Path) -> None:
    """A remembered pass is bound to the canary: weaker tests, or an answer that does not pass, are seen."""
    _, cache, _ = sound
    wrong = CALLS.replace("returns: 5}, ", "returns: 7}, ")
    root = _suite(tmp_path, wrong)
    # Without --evidence: with it nothing that is remembered is read, and this would hold whatever the key is.
    done = gate("audit", "--canary", "add", "--json", cwd=root, more=cache)
    (found,) = done.report["canaries"]
    assert (done.code, found["verdict"], found["cached"]) == (1, "BROKEN", False)
    assert any(flaw.startswith("the reference answer does not pass as tool edits") for flaw in found["flaws"])
    gate("audit", "--canary", "add", "--evidence", tmp_path / "seen", cwd=root, more=cache)
    assert any((tmp_path / "seen").rglob("grade.json"))


def test_a_bare_command_is_weak_and_not_broken(tmp_path: Path) -> None:
    """The cheats that get through are named and counted, and the structured form is proposed."""
    root = _suite(tmp_path, "node check.js")
    done = gate("audit", "--canary", "add", "--json", cwd=root)
    (found,) = done.report["canaries"]
    assert (done.code, found["verdict"], found["graded_by"]) == (0, "PASS", "exit-code")
    assert "javascript/exit-at-import" in found["let_through"]
    assert found["advice"].startswith("- calls:")


def test_a_stamp_that_cannot_be_written_does_not_hide_the_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything that was found is printed, and that there is no stamp, and why."""
    root = _suite(tmp_path / "suite", "'test 1 = 1'", **{"canaries/audit.json/in-the-way": ""})
    monkeypatch.setattr("gate.audit.matrices.known_matrix", lambda *_: Matrix((), ()))
    monkeypatch.setattr("gate.audit.suite.audit_canary", lambda canary, *_, **__: _passed(canary))
    monkeypatch.setattr(locks, "check", lambda *_: ())
    monkeypatch.setattr(locks, "read", lambda _path: {"suite": "0" * 64, "canaries": {}})
    parser = argparse.ArgumentParser()
    audit.configure(parser)
    assert audit.run(parser.parse_args(["--config", str(root / "gate.yml"), "--json", "--fresh", "--quiet"])) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert note.startswith("no stamp was written: ")
    assert "audit.json" in note


def _passed(canary: Canary) -> CanaryAudit:
    return CanaryAudit(canary.id, "public", AuditVerdict.PASS, "exit-code")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--limit", 3], "--bench"),
        (["--bench", "no-such-benchmark"], "human-eval"),
        (["--bench", "mbpp", "--canary", "x"], "--canary"),
        (["--matrix", "--canary", "x"], "--matrix"),
        (["--canary", "no-such-canary"], "no-such-canary"),
        (["--sandbox", "none"], "invalid choice"),
    ],
)
def test_bad_usage_says_what_to_do(arguments: list[object], word: str) -> None:
    """Exit code 64, one message, no traceback."""
    done = gate("audit", *arguments)
    assert done.code == 64
    assert word in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_an_audit_that_is_stopped_leaves_nothing_behind(stop: signal.Signals, tmp_path: Path) -> None:
    """Exit code 130, one line that says so, no scratch folder, no verdict."""
    environ = {**environment(), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [*COMMAND, "audit", "--matrix"], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert "cheats against graders" in process.stderr.readline()
        process.send_signal(stop)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, list(tmp_path.iterdir())) == (130, "", [])
    assert err.startswith("gate: interrupted; nothing was proven")
    assert "Traceback" not in err


def test_a_benchmark_without_data_is_not_a_pass(tmp_path: Path) -> None:
    """It is printed as not staged, with the way to stage it, and nothing verified is not 0."""
    done = gate("audit", "--bench", "mbpp", "--json", cwd=tmp_path, more={"GATE_CACHE_DIR": str(tmp_path)})
    (found,) = done.report["benchmarks"]
    assert (done.code, found["verdict"]) == (3, "NOT-STAGED")
    assert "--data" in found["reason"]


def test_the_stamp_of_the_shipped_suite_is_of_this_suite() -> None:
    """What is committed beside the lock was written by an audit of what is committed."""
    found = stamps.read(ROOT / "canaries" / stamps.NAME)
    assert found is not None
    lock = json.loads((ROOT / "canaries" / "lock.json").read_text())
    assert found.suite == lock["suite"]
