"""Could the agent simply read the answer? Looks for it in the tree that the agent was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gate.workspace.patch import Patch
from gate.workspace.tree import File, Tree

MIN_CHARACTERS = 12


def leaks(visible: Tree, markers: Iterable[str], solution: Patch | None) -> list[str]:
    """What lies open in the visible tree, one line each; empty when nothing does.

    A marker leaks wherever it stands, in a path too. Of the solution's added lines the distinctive ones count: at least
    12 characters besides whitespace, and not in the files that the solution changes as they were before, where the
    line is simply part of the code. A leak of the solution needs all distinctive lines of one hunk-bearing file, since
    single lines recur by chance.
    """
    texts = {path: node.data for path, node in visible.items() if isinstance(node, File)}
    found = []
    for marker in markers:
        wanted = marker.encode()
        places = sorted(path for path, data in texts.items() if wanted in data or marker in path)
        found += [f"{path} holds a marker" for path in places]
    if solution is not None:
        found += _solution(texts, solution)
    return found


def _solution(texts: dict[str, bytes], solution: Patch) -> list[str]:
    found = []
    for change in solution.changes:
        wanted = distinctive(solution.only(lambda path, this=change.path: path == this), change.before)  # type: ignore[misc]
        if not wanted:
            continue
        for path, data in sorted(texts.items()):
            if path != change.path and wanted <= set(_squeezed(data.decode("utf-8", "replace"))):
                found.append(f"{path} holds the lines that the golden adds to {change.path}")
    return found


def distinctive(patch: Patch, before: object) -> set[str]:
    """The added lines, whitespace squeezed, that say something and were not in the file before."""
    old = Counter(_squeezed(before.data.decode("utf-8", "replace"))) if isinstance(before, File) else Counter()
    return {
        line
        for line in _squeezed(patch.added_text())
        if line not in old and sum(not char.isspace() for char in line) >= MIN_CHARACTERS
    }


def _squeezed(text: str) -> list[str]:
    """Lines without a diff's plus in front, runs of whitespace as one blank."""
    return [" ".join(line.removeprefix("+").split()) for line in text.splitlines()]
