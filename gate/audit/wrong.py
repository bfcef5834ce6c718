"""Answers that must not pass: parts of the right one, the right one backwards, nothing, and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gate.audit.shapes import BEFORE
from gate.proof.mutants import mutants
from gate.workspace.patch import diff
from gate.workspace.tree import Tree

HUNK_DROPPED, LINE_MUTATED, REVERSED, EMPTY, PROSE = "hunk dropped", "line mutated", "reversed", "empty", "prose"

CLAIM = """\
I found the cause and fixed it. The condition at the boundary was wrong, so I corrected the comparison, ran the tests
again, and all of them pass now: 12 passed in 0.08s. No other file had to be changed, and the behaviour of the callers
stays as it was. Let me know if you would like me to add another test for this.
"""


@dataclass(frozen=True, slots=True)
class Message:
    """A final message that holds no right answer, in the shape that it is known by."""

    answer: str
    shape: str
    text: str


def candidates(base: Tree, golden: Tree) -> Iterator[tuple[str, Tree]]:
    """Wrong versions of a right answer, by kind: several of each, since one of them may happen to be right as well.

    The names of the versions of one kind follow each other; the caller takes the first of a kind that is rejected.
    """
    whole = diff(base, golden)
    for version in mutants(base, golden).versions:
        if not diff(base, version.tree) or version.tree == golden:
            continue
        kind = HUNK_DROPPED if version.dropped else LINE_MUTATED
        if diff(base, version.tree) != whole:
            yield kind, version.tree


def messages(paths: tuple[str, ...]) -> tuple[Message, ...]:
    """What says nothing, and what only talks. `paths` are the files that a right answer changes."""
    named = "\n".join(f"`{path}`\n\n```\n{CLAIM}```\n" for path in paths)
    return (
        Message(EMPTY, "no message", ""),
        Message(EMPTY, "empty fence", "```\n```\n"),
        Message(EMPTY, "empty diff", "```diff\n```\n"),
        Message(PROSE, "message", CLAIM),
        Message(PROSE, "fenced", f"{BEFORE}\n\n```\n{CLAIM}```\n"),
        Message(PROSE, "in place of the files", named),
    )
