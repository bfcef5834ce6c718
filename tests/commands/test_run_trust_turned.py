"""Ways in which a change could have its judge or its stack taken for something else, under `--trust-ref`."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.commands import run as verb
from gate.commands.settings import Settings, settle
from gate.errors import ConfigError
from tests.commands.gate_process import environment, gate

LAZY = "You repair software. Be lazy.\n"


def git(folder: Path, *arguments: str) -> None:
    """Real git, in a repository of the test's own."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, env=environment(), check=True, capture_output=True)


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that must be there."""
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path.name}"
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scaffold with an agent of the team's own, and code of theirs beside it; nothing is committed yet."""
    folder = tmp_path_factory.mktemp("team") / "repo"
    assert gate("init", folder).code == 0
    for name, text in (("prompts/system.md", "You repair software.\n"), ("agent/tool.py", "SPEED = 1\n")):
        (folder / name).parent.mkdir()
        (folder / name).write_text(text)
    edit(folder / "gate.yml", "agent: stand-in", "agent: ours")
    edit(folder / "gate.yml", "headline: false}", "headline: false, min_kill_rate: null}")
    edit(
        folder / "gate.yml",
        "  stand-in: {kind: loop, model: stand-in}",
        "  ours: {kind: loop, model: stand-in, system_prompt: prompts/system.md}",
    )
    edit(folder / "gate.yml", 'stack: ["prompts/**", "agent/**"]\n', "")
    git(folder, "init", "-q", "-b", "main")
    return folder


@pytest.fixture
def repo(template: Path, tmp_path: Path) -> Path:
    """A copy to work in."""
    return Path(shutil.copytree(template, tmp_path / "repo"))


def commit(repo: Path) -> None:
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "reviewed")


def freeze(repo: Path) -> None:
    done = gate("freeze", cwd=repo)
    assert done.code == 0, done.err


def settled(folder: Path, *arguments: str) -> Settings:
    """What a run in this working tree would be judged by; nothing is run."""
    parser = argparse.ArgumentParser()
    verb.configure(parser)
    options = [*arguments, "--config", str(folder / "gate.yml"), "--trust-ref", "main"]
    return settle(parser.parse_args(options), os.environ)


def blocked(folder: Path, *arguments: str) -> str:
    """The text of the blocker, or nothing."""
    return " ".join(blocker.text for blocker in settled(folder, *arguments).blockers)


def easier(repo: Path) -> None:
    """Change a canary and freeze it, as its author would."""
    path = repo / "canaries/public/rename-helper-01.yaml"
    path.write_text(path.read_text() + "# easier\n")
    freeze(repo)


def prompt_called_baseline(repo: Path) -> None:
    edit(repo / "gate.yml", "seeds: 1", "baseline: prompts/system.md\nseeds: 1")
    (repo / "prompts/system.md").write_text(LAZY)
    easier(repo)


def code_called_hidden(repo: Path) -> None:
    shutil.move(repo / "canaries/hidden/discount-off-by-one-01.yaml", repo / "agent")
    edit(repo / "gate.yml", "{path: canaries/hidden}", "{path: agent}")
    (repo / "agent/tool.py").write_text("SPEED = 2\n")
    freeze(repo)


def code_called_golden(repo: Path) -> None:
    (repo / "agent/tool.py").write_bytes((repo / "goldens/rename-helper-01.diff").read_bytes())
    edit(repo / "canaries/public/rename-helper-01.yaml", "goldens/rename-helper-01.diff", "agent/tool.py")
    freeze(repo)


Change = Callable[[Path], None]


@pytest.mark.parametrize(
    ("change", "stack"),
    [
        (prompt_called_baseline, "prompts/system.md"),
        (code_called_hidden, "agent/tool.py"),
        (code_called_golden, "agent/tool.py"),
    ],
)
def test_a_stack_that_calls_itself_the_judge_is_still_the_stack(repo: Path, change: Change, stack: str) -> None:
    """What was there before is the judge's only where the trusted commit says so, whatever the change says it is."""
    commit(repo)
    change(repo)
    assert stack in blocked(repo)


def more_canaries(repo: Path) -> None:
    shutil.copytree(repo / "fixtures/basket", repo / "fixtures/second")
    shutil.copy(repo / "goldens/rename-helper-01.diff", repo / "goldens/second.diff")
    first, second = (repo / f"canaries/public/{name}-01.yaml" for name in ("rename-helper", "rename-second"))
    second.write_text(
        first.read_text()
        .replace("fixtures/basket", "fixtures/second")
        .replace("goldens/rename-helper-01", "goldens/second")
        .replace("id: rename-helper-01", "id: rename-second-01")
    )
    edit(repo / "canaries/card.yaml", "public: 1", "public: 2")
    freeze(repo)


def fewer_canaries(repo: Path) -> None:
    (repo / "canaries/hidden/discount-off-by-one-01.yaml").unlink()
    (repo / "goldens/discount-off-by-one-01.diff").unlink()
    shutil.rmtree(repo / "fixtures/discount")
    edit(repo / "canaries/card.yaml", "hidden: 1", "hidden: 0")
    freeze(repo)


def other_fixture(repo: Path) -> None:
    path = repo / "fixtures/discount/tests/test_discount.py"
    path.write_text(path.read_text() + "# one more remark\n")
    easier(repo)


@pytest.mark.parametrize("change", [easier, more_canaries, fewer_canaries, other_fixture])
def test_a_suite_that_changes_on_its_own_is_not_blocked(repo: Path, change: Change) -> None:
    """Canaries may come, go and change with their fixtures and answers, where the stack stays as it is."""
    commit(repo)
    change(repo)
    assert settled(repo).trusted is not None
    assert not blocked(repo)
    assert any(note.code == "judge-changed-alone" for note in settled(repo).notes)


def test_a_link_that_is_turned_exchanges_the_judge(repo: Path) -> None:
    """A suite behind a symlink is another suite when the link is turned, though no file of it changed."""
    shutil.move(repo / "canaries", repo / "hard")
    (repo / "canaries").symlink_to("hard")
    shutil.copytree(repo / "hard", repo / "easy")
    commit(repo)
    assert not blocked(repo)
    (repo / "canaries").unlink()
    (repo / "canaries").symlink_to("easy")
    (repo / "prompts/system.md").write_text(LAZY)
    assert "the link canaries" in blocked(repo)


def test_a_link_that_is_turned_on_the_way_to_the_policy_is_refused(repo: Path, tmp_path: Path) -> None:
    """Behind a turned link nobody can tell which gate.yml was the trusted one."""
    outer = tmp_path / "outer"
    outer.mkdir()
    shutil.move(repo / ".git", outer / ".git")
    for name in ("hard", "easy"):
        shutil.copytree(repo, outer / name)
    (outer / "current").symlink_to("hard")
    commit(outer)
    assert not blocked(outer / "current")
    (outer / "current").unlink()
    (outer / "current").symlink_to("easy")
    with pytest.raises(ConfigError, match="a link that is not as in main"):
        settled(outer / "current")


def test_what_git_is_configured_to_hide_is_still_seen(repo: Path, tmp_path: Path) -> None:
    """`diff.relative` and a `.gitignore` hide paths from people, not from this comparison."""
    outer = tmp_path / "outer"
    outer.mkdir()
    shutil.move(repo / ".git", outer / ".git")
    shutil.move(repo, outer / "suite")
    (outer / "agent.py").write_text("SPEED = 1\n")
    commit(outer)
    git(outer, "config", "diff.relative", "true")
    (outer / "agent.py").write_text("SPEED = 2\n")
    edit(outer / "suite/gate.yml", "fail_under: 1.0", "fail_under: 0.5")
    assert "../agent.py" in blocked(outer / "suite")


def test_a_system_prompt_that_git_ignores_is_the_stack(repo: Path) -> None:
    """The files that gate.yml names for an agent are compared as they are, not by what git lists."""
    (repo / ".gitignore").write_text("prompts/\n")
    commit(repo)
    edit(repo / "gate.yml", "fail_under: 1.0", "fail_under: 0.5")
    assert "prompts/system.md" in blocked(repo)


def test_the_command_line_is_not_the_change(repo: Path) -> None:
    """An agent or seeds that the caller asks for are nothing that the pull request did."""
    commit(repo)
    edit(repo / "gate.yml", "fail_under: 1.0", "fail_under: 0.5")
    assert not blocked(repo, "--agent", "oracle", "--seeds", "3")


def test_a_baseline_that_the_trusted_commit_lost_is_missed(repo: Path) -> None:
    """Where the trusted policy wants a comparison and has nothing to compare with, the run cannot be clear."""
    edit(repo / "gate.yml", "seeds: 1", "baseline: goldens/baseline.json\nseeds: 1")
    commit(repo)
    assert [reason.code for reason in settled(repo).reasons] == ["no-baseline"]


def test_a_gate_yml_that_no_longer_fits_is_said_to_be_the_commits(repo: Path) -> None:
    """When the trusted gate.yml names what the working tree has not, the message tells whose gate.yml is meant."""
    commit(repo)
    shutil.move(repo / "canaries", repo / "birds")
    edit(repo / "gate.yml", "suite: canaries", "suite: birds")
    edit(repo / "gate.yml", "canaries/hidden", "birds/hidden")
    with pytest.raises(ConfigError, match="as it is in that commit"):
        settled(repo)
