"""`gate run` and the stamp of the last audit: what it says, what it refuses, and whose stamp it reads."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.audited import AuditState
from gate.cli import run as gate_in_process
from gate.commands import run as verb
from gate.commands.settings import Settings, settle
from gate.commands.stamping import renew, stamp_now
from gate.errors import ConfigError
from gate.sandbox import toolchain
from gate.suite import lock as locks
from gate.suite import stamp as stamps
from gate.suite.config import load_config
from gate.suite.load import load_suite
from gate.suite.template import load_template
from tests.commands.gate_process import gate
from tests.commands.stamped import stamped
from tests.commands.test_run_trust_turned import LAZY, edit, git

ONE = "rename-helper-01"
CANARY = f"canaries/public/{ONE}.yaml"
STAMP = f"canaries/{stamps.NAME}"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scaffold with a headline, however few its canaries, and an agent with a prompt; not audited."""
    folder = tmp_path_factory.mktemp("team") / "repo"
    assert gate_in_process(["init", str(folder)]) == 0
    edit(folder / "gate.yml", "headline: false", "headline: true, min_slice: 1")
    (folder / "prompts").mkdir()
    (folder / "prompts/system.md").write_text("You repair software.\n")
    git(folder, "init", "-q", "-b", "main")
    return folder


@pytest.fixture
def suite(template: Path, tmp_path: Path) -> Path:
    """A copy to work in."""
    return Path(shutil.copytree(template, tmp_path / "repo"))


def settled(folder: Path, *arguments: str) -> Settings:
    """What a run in this working tree would be judged by; nothing is run."""
    parser = argparse.ArgumentParser()
    verb.configure(parser)
    settings = settle(parser.parse_args([*arguments, "--config", str(folder / "gate.yml")]), os.environ)
    return settings.opened("no harness", stamp_now(settings.locked, toolchain.python(), toolchain.node()))


def state(folder: Path, *arguments: str) -> AuditState:
    """What such a run would say of the audit."""
    audit = settled(folder, *arguments).audit
    assert audit is not None
    return audit


def freeze(folder: Path) -> None:
    """Write the lock; `gate freeze` would measure first how strong the tests are, which is not the question here."""
    config = load_config(folder / "gate.yml", os.environ)
    suite = load_suite(config)
    locks.write(suite.root / locks.NAME, locks.compute(suite, load_template(config.prompt_template)))


def change_canary(folder: Path) -> None:
    (folder / CANARY).write_text((folder / CANARY).read_text() + "# easier\n")
    freeze(folder)


def test_a_headline_is_blocked_until_there_was_an_audit(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A perfect run is blocked for that alone, `gate check` says the same of its rows, and with a stamp it is clear."""
    first = gate("run", "--agent", "oracle", "--json", "--quiet", cwd=suite)
    assert (first.code, first.report["blocker_codes"]) == (2, ["no-current-audit"]), first.err
    assert first.report["audit"]["state"] == "never"
    run = Path(first.report["run"]["folder"])
    check = ["check", str(run / "outcomes.jsonl"), "--config", str(suite / "gate.yml"), "--json"]
    assert gate_in_process(check) == 2
    assert json.loads(capsys.readouterr().out)["blocker_codes"] == ["no-current-audit"]
    stamped(suite)
    resumed = gate("run", "--resume", run, "--quiet", cwd=suite)
    assert resumed.code == 0, resumed.out + resumed.err
    assert "graders audited on this suite ............................................ held\n" in resumed.out
    assert gate_in_process(check) == 0
    assert json.loads(capsys.readouterr().out)["audit"] == AuditState(stamped=True).to_json()
    facts = json.loads((run / "run.json").read_text())
    for spoilt in ({"audit": {"state": "current", "changed": ["suite"], "canaries": []}}, {"audit": 1}, {"caps": [1]}):
        (run / "run.json").write_text(json.dumps(facts | spoilt))
        assert gate_in_process(check) == 64
        assert capsys.readouterr().out == ""
    del facts["audit"]
    (run / "run.json").write_text(json.dumps(facts))
    assert gate_in_process(check) == 2
    assert json.loads(capsys.readouterr().out)["blocker_codes"] == ["no-current-audit"]
    facts["audit"] = AuditState(stamped=True).to_json()
    (run / "run.json").write_text(json.dumps(facts | {"caps": {ONE: "no answer exists"}}))
    assert gate_in_process([*check, "--fail-under", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["slices"]["public"]["cap"] == {"most": 0, "of": 1}


def test_a_changed_canary_is_named(suite: Path) -> None:
    """After an edit and `gate freeze` the stamp is out of date, and the run says for which canary."""
    stamped(suite)
    assert state(suite).current
    change_canary(suite)
    assert state(suite) == AuditState(True, ("suite",), (ONE,))


def test_other_graders_and_other_interpreters_are_told_apart(suite: Path) -> None:
    """A stamp of older graders, or of another machine, is not current; the next audit here puts that right."""
    path = stamped(suite)
    text = path.read_text()
    stamp = stamps.read(path)
    assert stamp is not None
    for part, digest in (("graders", stamp.graders), ("interpreters", stamp.interpreters[0])):
        path.write_text(text.replace(digest, "0" * 64))
        assert state(suite).changed == (part,)
        renew(path, stamp)
        assert state(suite).current
    path.write_text("{")
    with pytest.raises(ConfigError, match="`gate audit` writes it anew"):
        settled(suite)
    renew(path, stamp)
    assert state(suite).current


def test_without_the_hidden_slice_the_stamp_of_the_whole_suite_holds(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who cannot see the hidden canaries has changed nothing: what is present is as it was audited."""
    hidden = tmp_path / "hidden"
    shutil.move(suite / "canaries/hidden", hidden)
    edit(suite / "gate.yml", "{path: canaries/hidden}", "{env: GATE_TEST_HIDDEN}")
    monkeypatch.setenv("GATE_TEST_HIDDEN", str(hidden))
    freeze(suite)
    stamped(suite)
    assert state(suite).current
    monkeypatch.delenv("GATE_TEST_HIDDEN")
    assert state(suite).current


def nothing(_folder: Path) -> None:
    """Change nothing."""


def new_prompt(folder: Path) -> None:
    (folder / "prompts/system.md").write_text(LAZY)


def audit_again(folder: Path) -> None:
    change_canary(folder)
    stamped(folder)


def forge(folder: Path) -> None:
    new_prompt(folder)
    audit_again(folder)


def stamp_alone_with_prompt(folder: Path) -> None:
    new_prompt(folder)
    edit(folder / STAMP, "f" * 64, "e" * 64)


def drop_stamp(folder: Path) -> None:
    new_prompt(folder)
    (folder / STAMP).unlink()


Change = Callable[[Path], None]


@pytest.mark.parametrize(
    ("change", "changed", "named"),
    [
        (nothing, (), False),
        (new_prompt, (), False),
        (audit_again, (), False),
        (change_canary, ("suite",), False),
        (forge, ("suite",), True),
        (stamp_alone_with_prompt, (), True),
        (drop_stamp, (), True),
    ],
)
def test_a_change_does_not_bring_its_own_stamp(
    suite: Path, change: Change, changed: tuple[str, ...], named: bool
) -> None:
    """With `--trust-ref` the stamp is that of the commit, and one that differs beside the stack is the judge's change.

    Where only the judge changed, the stamp is under review with it, and the one here counts.
    """
    stamped(suite)
    git(suite, "add", "-A")
    git(suite, "commit", "-q", "-m", "reviewed")
    change(suite)
    settings = settled(suite, "--trust-ref", "main")
    assert settings.audit == AuditState(True, changed, (ONE,) if changed else ())
    blockers = " ".join(blocker.text for blocker in settings.blockers)
    assert ("stamp of the audit" in blockers) is named
    assert bool(settings.blockers) is named


def test_a_stamp_that_the_trusted_commit_does_not_have_is_none(suite: Path) -> None:
    """A stamp that comes with a new stack proves nothing, and one that is none at that commit is said to be none."""
    git(suite, "add", "-A")
    git(suite, "commit", "-q", "-m", "reviewed")
    stamped(suite)
    new_prompt(suite)
    settings = settled(suite, "--trust-ref", "main")
    assert settings.audit == AuditState(stamped=False)
    assert "stamp of the audit" in settings.blockers[0].text
    (suite / STAMP).write_text("[]")
    git(suite, "add", "-A")
    git(suite, "commit", "-q", "-m", "spoilt")
    with pytest.raises(ConfigError, match=r"canaries/audit\.json at main:1: expected a mapping"):
        settled(suite, "--trust-ref", "main")
