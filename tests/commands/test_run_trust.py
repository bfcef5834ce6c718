"""`gate run --trust-ref`: a pull request may not rewrite its own judge."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.gate_process import ROOT, Finished, environment, gate

ONE = "rename-tidewatch"
FEW = {ONE, "rename-linkcheck", "rename-busline", "rename-glossary", "trap-missing-path", "trap-report-hook"}


def git(folder: Path, *arguments: str) -> None:
    """Real git, in a repository of the test's own."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, env=environment(), check=True, capture_output=True)


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose only commit is what was reviewed: suite, policy, baseline, and a system prompt."""
    folder = tmp_path_factory.mktemp("team") / "repo"
    folder.mkdir()
    for name in ("canaries", "fixtures", "goldens"):
        shutil.copytree(ROOT / name, folder / name)
    for path in (folder / "canaries").glob("*/*.yaml"):
        if path.stem not in FEW:
            path.unlink()
    card = folder / "canaries" / "card.yaml"
    card.write_text(card.read_text().replace("{public: 8, hidden: 8, canary: 6}", "{public: 2, hidden: 2, canary: 2}"))
    text = (ROOT / "gate.yml").read_text()
    agents = "agents:\n  ours: {kind: loop, model: stand-in, system_prompt: prompts/system.md}\n"
    text = text.replace("agent: stand-in\n", "agent: ours\n" + agents)
    text = text.replace("min_kill_rate: 0.75", "min_kill_rate: null")  # measuring it is not what is tested here
    text = text.replace("baseline: null", "baseline: goldens/baseline.json").replace(
        "fail_under: null", "fail_under: 0.1"
    )
    assert "fail_under: 0.1" in text
    (folder / "gate.yml").write_text(text)
    (folder / "prompts").mkdir()
    (folder / "prompts" / "system.md").write_text("You repair software. Work in small steps.\n")
    (folder / ".gitignore").write_text("runs/\n")
    assert gate("freeze", cwd=folder).code == 0
    first = gate("run", "--agent", "ours", "--write-baseline", "--quiet", cwd=folder)
    assert (folder / "goldens" / "baseline.json").is_file(), first.out + first.err
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "what was reviewed")
    return folder


@pytest.fixture
def pull(merged: Path, tmp_path: Path) -> Path:
    """A checkout of the reviewed commit to change."""
    git(tmp_path, "clone", "-q", str(merged), "pull")
    return tmp_path / "pull"


def lower_threshold(folder: Path) -> None:
    """Make the gate easier to pass."""
    path = folder / "gate.yml"
    path.write_text(path.read_text().replace("fail_under: 0.1", "fail_under: 0.01"))


def change_prompt(folder: Path) -> None:
    """What a pull request to an agent stack does."""
    (folder / "prompts" / "system.md").write_text("You repair software. Work in large steps.\n")


def edit_lock(folder: Path) -> None:
    """Weaken a canary and freeze it again."""
    path = folder / "canaries" / "public" / f"{ONE}.yaml"
    path.write_text(path.read_text() + "# easier now\n")
    done = gate("freeze", cwd=folder)
    assert done.code == 0, done.err


def edit_baseline(folder: Path) -> None:
    """Say that it was never better."""
    path = folder / "goldens" / "baseline.json"
    value = json.loads(path.read_text())
    for section in value["sections"].values():
        for entry in section["canaries"].values():
            entry["passed"] = False
    path.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n")


def edit_card(folder: Path) -> None:
    """Say in the card that a gap is expected."""
    path = folder / "canaries" / "card.yaml"
    path.write_text(path.read_text() + "predicted_gap: the hidden tasks are harder\n")
    assert gate("freeze", cwd=folder).code == 0


def run(folder: Path, ref: str = "origin/main") -> Finished:
    """A short run: one canary is enough to come to a verdict on the pull request."""
    return gate("run", "--trust-ref", ref, "--canary", ONE, "--json", "--quiet", cwd=folder)


Edit = Callable[[Path], None]


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (lower_threshold, "gate.yml: policy"),
        (edit_lock, "lock"),
        (edit_baseline, "baseline"),
        (edit_card, "card"),
    ],
)
def test_a_judge_changed_with_its_stack_is_blocked(pull: Path, edit: Edit, named: str) -> None:
    """Lowering a threshold, or editing lock, baseline or card beside the stack, exits 2 and names both."""
    edit(pull)
    change_prompt(pull)
    done = run(pull)
    assert done.code == 2, done.err
    assert "policy-changed-with-stack" in done.report["blocker_codes"]
    (text,) = [blocker for blocker in done.report["blockers"] if "judge" in blocker]
    assert named in text
    assert "prompts/system.md" in text


@pytest.mark.parametrize("edit", [lower_threshold, edit_lock, edit_baseline, edit_card])
def test_a_judge_changed_on_its_own_is_not_blocked_for_it(pull: Path, edit: Edit) -> None:
    """The same edits without the stack can be merged on their own, and are named in a note."""
    edit(pull)
    done = run(pull)
    assert "policy-changed-with-stack" not in done.report["blocker_codes"]
    assert any(note["code"] == "judge-changed-alone" for note in done.report["notes"])


def test_a_changed_stack_alone_is_judged_by_the_trusted_policy(pull: Path) -> None:
    """A pull request that only changes the prompt is what the gate is for."""
    change_prompt(pull)
    done = run(pull)
    assert "policy-changed-with-stack" not in done.report["blocker_codes"]
    assert done.report["policy"]["fail_under"] == "0.1"


def test_a_lowered_threshold_is_not_used(pull: Path) -> None:
    """The policy that decides is that of the trusted commit, whatever the working tree says."""
    lower_threshold(pull)
    assert run(pull).report["policy"]["fail_under"] == "0.1"


def test_a_change_in_agents_is_a_change_of_the_stack(pull: Path) -> None:
    """Another tool list in gate.yml counts as the stack, even though the file is also the judge's."""
    path = pull / "gate.yml"
    text = path.read_text().replace(
        "system_prompt: prompts/system.md", "system_prompt: prompts/system.md, tools: [read_file]"
    )
    path.write_text(text)
    lower_threshold(pull)
    assert "policy-changed-with-stack" in run(pull).report["blocker_codes"]


def test_a_commit_that_is_not_there_is_a_usage_error(pull: Path) -> None:
    """A shallow clone gets told what to fetch, and nothing runs."""
    done = run(pull, "0123456789012345678901234567890123456789")
    assert done.code == 64
    assert "fetch-depth: 0" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("option", [("--fail-under", "0"), ("--baseline", "x.json"), ("--write-baseline",)])
def test_the_command_line_cannot_soften_a_trusted_policy(pull: Path, option: tuple[str, ...]) -> None:
    """Options that set what the trusted commit sets are refused beside it."""
    done = gate("run", "--trust-ref", "origin/main", *option, cwd=pull)
    assert done.code == 64
    assert "--trust-ref" in done.err
