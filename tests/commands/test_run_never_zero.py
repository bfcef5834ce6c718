"""Every way in which `gate run` could end with 0 for the wrong reason, and does not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.sandbox.fence import Fence
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.toolchain import Toolchain
from tests.commands.gate_process import ROOT, Finished, gate


@pytest.fixture(scope="module")
def scaffold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `gate init` makes: one public canary, one hidden one, one trap."""
    folder = tmp_path_factory.mktemp("scaffold")
    done = gate("init", folder)
    assert done.code == 0, done.err
    # How strong its tests are is shown elsewhere; here each freeze would measure it.
    edit(folder / "gate.yml", "headline: false}", "headline: false, min_kill_rate: null}")
    return folder


@pytest.fixture
def suite(scaffold: Path, tmp_path: Path) -> Path:
    """A copy of the scaffold to spoil."""
    return Path(shutil.copytree(scaffold, tmp_path / "suite"))


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that must be there."""
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path.name}"
    path.write_text(text.replace(old, new))


def frozen_run(suite: Path, *arguments: str) -> Finished:
    """Freeze what was spoilt, as its author would, and run it."""
    done = gate("freeze", cwd=suite)
    assert done.code == 0, done.err
    return gate("run", "--json", "--quiet", *arguments, cwd=suite)


def nothing_ran(suite: Path) -> bool:
    """True when not one trial left a row or a folder."""
    return not list(suite.glob("runs/*/trials/*"))


def test_the_scaffold_itself_is_clear(suite: Path) -> None:
    """The control of this file: unspoilt, the same suite ends with 0."""
    assert frozen_run(suite).code == 0


def no_canaries(suite: Path) -> None:
    for path in suite.glob("canaries/*/*.yaml"):
        path.unlink()


def changed_after_freezing(suite: Path) -> None:
    path = suite / "fixtures/basket/tests/test_receipt.py"
    path.write_text(path.read_text() + "# easier now\n")


def changed_golden(suite: Path) -> None:
    path = suite / "goldens/rename-helper-01.diff"
    path.write_text(path.read_text() + "\n")


def no_lock(suite: Path) -> None:
    (suite / "canaries/lock.json").unlink()


def unreachable_bound(suite: Path) -> None:
    edit(suite / "gate.yml", "fail_under: 1.0", "fail_under: 1.0, min_lower: 0.9")


def unknown_agent(suite: Path) -> None:
    edit(suite / "gate.yml", "agent: stand-in", "agent: nobody")


def alias_bomb(suite: Path) -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    (suite / "canaries/public/bomb.yaml").write_text("\n".join(lines) + "\n")


def huge_file(suite: Path) -> None:
    (suite / "canaries/public/huge.yaml").write_text("# " + "x" * 10_000_000 + "\n")


def not_utf8(suite: Path) -> None:
    (suite / "canaries/public/latin.yaml").write_bytes(b"id: caf\xe9\n")


def duplicate_key(suite: Path) -> None:
    path = suite / "canaries/public/rename-helper-01.yaml"
    path.write_text(path.read_text() + "prompt: another one\n")


def unknown_key(suite: Path) -> None:
    path = suite / "canaries/public/rename-helper-01.yaml"
    path.write_text(path.read_text() + "promt: another one\n")


def wrong_type(suite: Path) -> None:
    path = suite / "canaries/public/rename-helper-01.yaml"
    path.write_text(path.read_text().replace("repo_fixture: fixtures/basket", "repo_fixture: 7"))


def missing_golden(suite: Path) -> None:
    (suite / "goldens/rename-helper-01.diff").unlink()


def path_outside(suite: Path) -> None:
    edit(suite / "canaries/public/rename-helper-01.yaml", "fixtures/basket", "../basket")


Spoil = Callable[[Path], None]


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (no_canaries, "canaries"),
        (changed_after_freezing, "canaries/lock.json"),
        (changed_golden, "rename-helper-01"),
        (no_lock, "gate freeze"),
        (unreachable_bound, "min_lower"),
        (unknown_agent, "gate.yml:"),
        (alias_bomb, "bomb.yaml:1:"),
        (huge_file, "huge.yaml"),
        (not_utf8, "latin.yaml"),
        (duplicate_key, "rename-helper-01.yaml:"),
        (unknown_key, "perhaps you meant"),
        (wrong_type, "rename-helper-01.yaml:"),
        (missing_golden, "rename-helper-01.diff"),
        (path_outside, "repo_fixture"),
    ],
)
def test_what_is_wrong_before_the_run_is_64_and_nothing_runs(suite: Path, spoil: Spoil, named: str) -> None:
    """A suite or configuration that is not as it should be gives one message, exit 64, no traceback and no trial."""
    spoil(suite)
    done = gate("run", "--json", cwd=suite)
    assert done.code == 64, done.err
    assert named in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
    assert nothing_ran(suite)


def test_a_trap_whose_exploit_does_not_spring_breaks_the_run(suite: Path) -> None:
    """A detector that does not fire on its own exploit proves nothing: exit 1, whatever the agent did."""
    path = suite / "canaries/canary/missing-module-01.yaml"
    text = path.read_text()
    start, end = text.index("  sprung_if:"), text.index("  exploit:")
    path.write_text(text[:start] + "  sprung_if:\n    - message_contains: [never said]\n" + text[end:])
    done = frozen_run(suite)
    assert done.code == 1, done.out + done.err
    assert done.report["verdict"] == "broken"
    assert "exploit-spring" in {reason["code"] for reason in done.report["reasons"]}


def test_an_exploit_that_fools_the_graders_breaks_the_run(suite: Path) -> None:
    """An exploit that must hold and is graded as sprung means that a grader was fooled: exit 1."""
    edit(suite / "canaries/canary/missing-module-01.yaml", "must: spring", "must: hold")
    done = frozen_run(suite)
    assert done.code == 1, done.out + done.err
    assert "exploit-hold" in {reason["code"] for reason in done.report["reasons"]}


def test_a_trap_that_an_agent_springs_blocks(suite: Path) -> None:
    """An agent that takes the bait is exit 2, with the trap's pass as the blocker and no percent in the statement."""
    public = (suite / "canaries/public/rename-helper-01.yaml").read_text()
    prompt = public[public.index("prompt: |") : public.index("budget:")]
    path = suite / "canaries/canary/missing-module-01.yaml"
    text = path.read_text()
    text = text[: text.index("prompt: |")] + prompt + text[text.index("budget:") :]
    start, end = text.index("  sprung_if:"), text.index("  exploit:")
    path.write_text(text[:start] + "  sprung_if:\n    - diff\n" + text[end:])
    done = frozen_run(suite)
    assert done.code == 2, done.out + done.err
    assert "canary-pass" in done.report["blocker_codes"]
    assert "%" not in done.report["statement"]


def test_an_agent_that_does_nothing_is_blocked_by_fail_under(suite: Path) -> None:
    """The null agent under the scaffold's fail_under of 1.0 is exit 2."""
    done = frozen_run(suite, "--agent", "null")
    assert done.code == 2
    assert done.report["slices"]["public"] == {"passed": 0, "n": 1, "rate": 0.0}


def test_a_lost_canary_is_confirmed_by_rerun_and_then_blocks(suite: Path) -> None:
    """Against a baseline of the oracle, the null agent's losses are rerun with two more seeds, named, and exit 2."""
    edit(suite / "gate.yml", "fail_under: 1.0", "fail_under: null")
    path = suite / "baseline.json"
    first = frozen_run(suite, "--agent", "oracle", "--baseline", str(path), "--write-baseline")
    assert path.is_file(), first.err
    done = gate("run", "--json", "--quiet", "--agent", "null", "--baseline", path, cwd=suite)
    assert done.code == 2, done.err
    assert "score-drop" in done.report["blocker_codes"]
    assert done.report["baseline"]["slices"]["public"]["lost"] == ["rename-helper-01"]
    rows = (Path(done.report["run"]["folder"]) / "outcomes.jsonl").read_text().splitlines()
    seeds = sorted(json.loads(row)["seed"] for row in rows if json.loads(row)["id"] == "rename-helper-01")
    assert seeds == [0, 1, 2]
    again = gate("check", Path(done.report["run"]["folder"]) / "outcomes.jsonl", "--json", "--no-headline", cwd=suite)
    assert again.report["slices"] == done.report["slices"]
    assert again.report["run"]["seeds"] == 1


def test_a_hidden_slice_that_is_absent_blocks_a_headline(suite: Path) -> None:
    """With headline true, a run without its hidden slice is exit 2, however well the rest went."""
    edit(suite / "gate.yml", "{path: canaries/hidden}", "{env: GATE_HIDDEN_DIR}")
    edit(suite / "gate.yml", "headline: false", "headline: true, min_slice: 1")
    shutil.rmtree(suite / "canaries/hidden")
    done = gate("run", "--json", "--quiet", cwd=suite)
    assert done.code == 2, done.err
    assert done.report["headline_blocked"] is True
    assert {"small-slice", "no-current-audit"} <= set(done.report["blocker_codes"])


def test_a_selection_of_nothing_is_inconclusive(suite: Path) -> None:
    """Selecting a slice that holds nothing measured nothing: exit 3."""
    edit(suite / "gate.yml", "{path: canaries/hidden}", "{env: GATE_HIDDEN_DIR}")
    shutil.rmtree(suite / "canaries/hidden")
    done = gate("run", "--slice", "hidden", cwd=suite)
    assert done.code == 3, done.err
    assert nothing_ran(suite)


def test_a_part_of_the_suite_is_never_clear(suite: Path) -> None:
    """A run that was narrowed to one canary is exit 3 and says so."""
    done = gate("run", "--json", "--quiet", "--canary", "rename-helper-01", cwd=suite)
    assert done.code == 3, done.out
    assert done.report["run"]["valid"] is False


def test_without_a_fence_nothing_is_ever_clear(suite: Path) -> None:
    """`--sandbox none` marks the surface and is exit 3, even when everything passed."""
    done = frozen_run(suite, "--sandbox", "none", "--agent", "oracle")
    assert done.code == 3, done.out + done.err
    assert done.report["slices"]["public"]["passed"] == 1
    assert "unsandboxed" in done.report["run"]["tool_surfaces"][0]


def test_where_no_fence_works_no_trial_starts(
    suite: Path, fence: Fence, python_toolchain: Toolchain, scratch: Path
) -> None:
    """Inside a sandbox that forbids another one, gate refuses with 3 and a remedy, and runs nothing."""
    copy = scratch / "copy"
    shutil.copytree(suite, copy)
    if fence.owner is not None:
        for path in (copy, *copy.rglob("*")):
            shutil.chown(path, fence.owner, fence.owner)
    policy = Policy(
        copy,
        readable=(*python_toolchain.readable, ROOT / "gate", ROOT / "schemas"),
        environment=(("PYTHONPATH", str(ROOT)),),
        limits=Limits(wall_s=60),
    )
    done = fence.run(policy, [str(python_toolchain.executable), "-m", "gate", "run", "--json"])
    assert done.started, done.refusal
    assert done.exit_code == 3, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert nothing_ran(copy)


def test_a_run_is_not_resumed_with_another_stack(suite: Path) -> None:
    """Half a run of one suite and half of another is refused with 64."""
    first = frozen_run(suite)
    folder = first.report["run"]["folder"]
    edit(suite / "canaries/public/rename-helper-01.yaml", "max_tokens: 8000", "max_tokens: 9000")
    assert gate("freeze", cwd=suite).code == 0
    done = gate("run", "--resume", folder, cwd=suite)
    assert done.code == 64, done.err
    assert "suite" in done.err
