"""The agent of one prompt, on a real copy behind the real fence: what it is shown, and how its one reply is written."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from gate.agents.direct import MAX_FILE, MAX_FILES, SYSTEM_PROMPT, Direct, shown
from gate.agents.extract import Extracted
from gate.agents.table import build
from gate.errors import ConfigError
from gate.models.base import Conversation, ModelTurn, Reply, ToolRequest, ToolSpec, UserTurn
from gate.models.scripted import Scripted
from gate.outcome import AnswerStatus, CostState, Usage
from gate.sandbox.fence import Fence
from gate.suite.config import AgentSpec
from gate.workspace.copy import Copies
from gate.workspace.patch import diff, to_bytes
from gate.workspace.tree import File, Node, Symlink, Tree, write
from tests.agents.bench import Repo, tree_of
from tests.agents.test_extract_take import EDIT, FIXED, PLAIN, ROWS, fenced
from tests.commands.gate_process import gate

FILES: dict[str, str | bytes | Node] = {"src/tiles.py": ROWS, "NOTES.md": "Tiles\n"}
PATCH = diff(tree_of(FILES), tree_of({**FILES, "src/tiles.py": FIXED}))
DIFF = to_bytes(PATCH).decode()


def saying(*texts: str, **more: object) -> Direct:
    """A direct agent on a model that says just this."""
    replies = tuple(Reply(text, usage=Usage(100, output=20), cost_usd=0.25) for text in texts)
    return replace(Direct.on("it", Scripted(replies), None), **more)  # type: ignore[arg-type]  # fields by name


SHAPES = {
    "diff": DIFF,
    "fenced diff in prose": f"I multiply.\n\n{fenced(DIFF, 'diff')}\nDone.\n",
    "diff with wrong counts": fenced(PLAIN.replace("-1,4 +1,4", "-1,9 +1,9"), "diff"),
    "whole file": f"Here:\n\n`src/tiles.py`\n\n{fenced(FIXED, 'python')}",
    "search/replace": f"src/tiles.py\n{fenced(EDIT)}",
}


@pytest.mark.parametrize("message", [pytest.param(text, id=name) for name, text in SHAPES.items()])
def test_every_shape_ends_as_the_same_patch(scratch: Path, fence: Fence, message: str) -> None:
    """One change, said in any shape, is the same patch on the copy; no tool was called for it."""
    repo = Repo.laid(scratch, fence, FILES)
    answer = repo.answered(saying(message))
    assert (answer.status, answer.message, answer.reason) == (AnswerStatus.DONE, message, "")
    assert answer.calls == ()
    assert diff(repo.base, repo.after()) == PATCH


def test_a_reply_without_an_answer_leaves_the_copy_alone(scratch: Path, fence: Fence) -> None:
    """Prose ends the trial as done with an empty patch, and the trajectory says why nothing was taken."""
    repo = Repo.laid(scratch, fence, FILES)
    answer = repo.answered(saying("I would multiply the sides."))
    assert (answer.status, answer.message) == (AnswerStatus.DONE, "I would multiply the sides.")
    assert repo.changed() == {}
    (event,) = [event for event in repo.events if event["type"] == "answer"]
    assert event["shape"] == ""
    assert "holds no diff" in event["reason"]


def test_links_modes_bytes_and_deletions_are_written(scratch: Path, fence: Fence) -> None:
    """Whatever a diff can say lies in the copy afterwards, also where a folder becomes a file."""
    before: dict[str, str | bytes | Node] = {"a/b.txt": "x\n", "link": Symlink("a"), "gone": "x\n", "z": b"\0"}
    after: dict[str, str | bytes | Node] = {"a": "a file\n", "link": Symlink("z"), "z": b"\1\0"}
    after["new/run"] = File(b"#!/bin/sh\n", executable=True)
    repo = Repo.laid(scratch, fence, before)
    repo.answered(saying(to_bytes(diff(repo.base, tree_of(after))).decode()))
    assert repo.after() == tree_of(after)


def test_an_overlay_is_read_and_written(scratch: Path, fence: Fence) -> None:
    """On an overlay, which is mounted in the fence only, the files are shown and the patch is the same."""
    if not fence.can_overlay:
        pytest.skip("this fence cannot mount an overlay")
    write(tree_of(FILES), scratch / "fixture")
    copies = Copies(scratch, owner=fence.owner, overlay=True, overlay_from=1)
    workspace = copies.open(scratch / "fixture")
    repo = Repo(workspace.root, fence, workspace.base)
    saying(DIFF).answer(replace(repo.task("Fix it."), overlay=workspace.overlay))
    assert diff(workspace.base, workspace.after().tree) == PATCH
    assert "return side + side" in repo.events[1]["text"]


@dataclass
class Listening:
    """A model that keeps what it was asked."""

    replied: Reply
    asked: list[tuple[Conversation, tuple[ToolSpec, ...]]] = field(default_factory=list)
    name: str = "listening"
    digest: str = "0" * 64

    def reply(self, conversation: Conversation, tools: tuple[ToolSpec, ...]) -> Reply:
        """The one reply it has."""
        self.asked.append((conversation, tools))
        return self.replied


def test_the_model_is_asked_once_and_shown_the_files(scratch: Path, fence: Fence) -> None:
    """One conversation of one turn: the task, then every file under its path; no tools; the limits without calls."""
    model = Listening(Reply("Done", (ToolRequest("1", "write_file", {"path": "x", "content": ""}),), stop="tools"))
    repo = Repo.laid(scratch, fence, FILES)
    budget = {"max_tool_calls": 3, "max_tokens": 77}
    answer = repo.answered(Direct.on("it", model, None), "Multiply the sides.\n", budget=budget)
    ((talk, tools),) = model.asked
    (turn,) = talk.turns
    assert isinstance(turn, UserTurn)
    assert tools == ()
    assert turn.text.startswith("Multiply the sides.\n\n")
    assert f"src/tiles.py\n```\n{ROWS}```\n" in turn.text
    assert talk.system.startswith(SYSTEM_PROMPT.rstrip())
    assert "at most 77 output tokens" in talk.system
    assert "You may make at most" not in talk.system
    assert (answer.calls, repo.changed()) == ((), {})


def test_what_is_not_shown_is_named() -> None:
    """Binary, locked, large, linked and undecodable files, and what goes over the whole, are named with the reason."""
    tree = tree_of(
        {
            "a.bin": b"\0",
            "b.txt": b"caf\xe9",
            "c.txt": "x" * (MAX_FILE + 1),
            "d": Symlink("c.txt"),
            "deep/uv.lock": "x\n",
            "fence.md": "````\nx\n````",
            **{f"full-{number}.txt": f"{number}" * MAX_FILE for number in range(1, 4)},
            "z.txt": "y" * 9_000,
            "zz.txt": "last\n",
        }
    )
    text = shown(tree)
    assert "- a.bin: a binary file\n- b.txt: not UTF-8 text\n- c.txt: 64001 bytes, more than 64000\n" in text
    assert "- d: a symbolic link to c.txt\n- deep/uv.lock: a lock file\n" in text
    assert text.endswith(f"- z.txt: there is no room for it: at most {MAX_FILES} bytes are shown\n")
    assert "fence.md\n`````\n````\nx\n````\n`````\n" in text
    assert "zz.txt\n```\nlast\n```\n" in text
    assert len(text) < MAX_FILES + 2_000
    assert len(shown(tree_of({f"{number}.bin": b"\0" for number in range(5_000)}))) < 10_000


def test_tokens_and_dollars_are_the_budget_s(scratch: Path, fence: Fence) -> None:
    """Usage is counted, and a reply over the budget ends the trial before anything of it is written."""
    repo = Repo.laid(scratch, fence, FILES)
    over = repo.answered(saying(DIFF), budget={"max_tokens": 19})
    assert (over.status, over.message) == (AnswerStatus.OVER_BUDGET, "")
    assert repo.changed() == {}
    within = repo.answered(saying(DIFF), budget={"max_tokens": 20, "max_usd": 1.0})
    assert (within.usage, within.cost_usd, within.cost_state) == (Usage(100, output=20), 0.25, CostState.PRICED)


def test_a_broken_extractor_can_be_handed_in(scratch: Path, fence: Fence) -> None:
    """`taken` decides alone what is written, so that an audit can prove that it notices a broken one."""

    def raw(message: str, base: Tree) -> Extracted:
        return Extracted({**base, "src/tiles.py": File(message.encode())}, "raw")

    repo = Repo.laid(scratch, fence, FILES)
    repo.answered(saying(f"Here:\n{fenced(FIXED)}", taken=raw))
    assert repo.changed() == {"src/tiles.py": f"Here:\n{fenced(FIXED)}"}


def test_an_answer_that_cannot_be_written_is_an_error(scratch: Path, fence: Fence) -> None:
    """A path that the extractor should never have let through is refused by the tool process, and the trial says so."""
    repo = Repo.laid(scratch, fence, FILES)
    answer = repo.answered(saying("x", taken=lambda _, base: Extracted({**base, ".git/config": File(b"x")}, "x")))
    assert answer.status is AnswerStatus.ERROR
    assert "`.git` is not part of the task" in answer.reason


def test_the_digest_follows_prompt_and_model(tmp_path: Path) -> None:
    """The same stack has the same digest; another prompt or another model has another, another name has not."""
    (tmp_path / "p.md").write_text("Be brief.\n")
    spec = AgentSpec("it", "direct", "stand-in")
    digests = [
        build(one, solutions=lambda _: None, base=tmp_path).digest
        for one in (spec, replace(spec, name="other"), replace(spec, system_prompt=Path("p.md")))
    ]
    assert digests[0] == digests[1]
    assert len({*digests, saying("x").digest, saying("y").digest}) == 4


def test_a_direct_agent_needs_a_model_and_has_no_tools(tmp_path: Path) -> None:
    """What cannot be built is refused with the reason."""
    for spec, reason in (
        (AgentSpec("it", "direct"), "a direct needs a model"),
        (AgentSpec("it", "direct", "stand-in", tools=("read_file",)), "has no tools"),
    ):
        with pytest.raises(ConfigError) as error:
            build(spec, solutions=lambda _: None, base=tmp_path)
        assert reason in error.value.message


def test_a_scripted_model_says_one_reply_after_the_other() -> None:
    """The n-th reply comes after n turns of the model, whatever was asked before, and then empty ones that end it."""
    model = Scripted((Reply("one"), Reply("two")))
    talk = Conversation.opened("", "task")
    later = talk.then(ModelTurn("x", ()))
    assert [model.reply(one, ()).text for one in (later, talk, later.then(ModelTurn("y", ())), talk)] == [
        *("two", "one", "", "one")
    ]
    assert model.reply(later.then(ModelTurn("y", ())), ()).stop == "done"
    assert model.digest == Scripted((Reply("one"), Reply("two"))).digest
    assert len({model.digest, Scripted((Reply("one"),)).digest, Scripted((Reply("one"), Reply("2"))).digest}) == 3


def test_gate_run_runs_a_direct_agent(tmp_path: Path) -> None:
    """A suite runs with an agent of kind `direct`. The stand-in needs tools, so it changes nothing and is blocked."""
    assert gate("init", tmp_path).code == 0
    config = tmp_path / "gate.yml"
    config.write_text(config.read_text().replace("agents:\n", "agents:\n  once: {kind: direct, model: stand-in}\n"))
    done = gate("run", "--config", config, "--agent", "once", "--json", "--out", tmp_path)
    assert (done.code, done.report["verdict"], done.report["unscored"]) == (2, "blocked", 0), done.out + done.err
    rows = (Path(done.report["run"]["folder"]) / "outcomes.jsonl").read_text().splitlines()
    assert len(rows) == 3
    found = {(row["agent"], row["status"], row["tool_calls"]) for row in map(json.loads, rows)}
    assert found == {("once", "failed", 0)}
