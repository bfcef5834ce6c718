"""Answers that name no file, to a task of one file: a block of code, a whole program, or what continues a stub."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.agents.extract.defined import continues, does_something, is_python, names
from gate.agents.extract.message import Fence
from gate.agents.extract.paths import can_be, tag_of
from gate.agents.extract.placing import Made
from gate.agents.extract.text import Text, rows
from gate.agents.extract.unclear import Unclear
from gate.agents.extract.whole import written
from gate.workspace.tree import File, Tree

_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec"})
_TEST_NAME = re.compile(r"test_.*|.*_test\.\w+|.*[.-](?:test|spec)\.\w+|conftest\.py|tests?\.\w+")


def sole(base: Tree) -> str | None:
    """The path of the only file that is no test, or None."""
    found = [path for path in base if not _is_test(path)]
    return found[0] if len(found) == 1 and isinstance(base[found[0]], File) else None


def _is_test(path: str) -> bool:
    *folders, name = path.split("/")
    return bool(_TEST_FOLDERS & set(folders)) or _TEST_NAME.fullmatch(name) is not None


def from_blocks(fences: Sequence[Fence], base: Tree) -> Made:
    """The one file, made of the one block that can be it. Raises Unclear where none can, or several."""
    path = sole(base)
    if path is None:
        raise Unclear("a block of code does not say which file it is, and there is more than one")
    before = base[path]
    known = names(path, _text(base, path))
    found: dict[File, bool] = {}
    for fence in fences:
        file = _from_block(fence, base, path)
        if file is not None:
            found[file] = found.get(file, False) or known <= names(path, "\n".join(fence.lines))
    if len(found) > 1:
        found.pop(before, None)  # type: ignore[arg-type]  # a quotation of what is there
    if not found:
        raise Unclear(f"no block of code in the message can be {path}")
    best = list(found) if len(found) == 1 else [file for file, whole in found.items() if whole]
    if len(best) != 1:
        raise Unclear(f"{len(found)} different blocks of code can be {path}")
    return {path: best[0]}


def _from_block(fence: Fence, base: Tree, path: str) -> File | None:
    """The file that a block makes, or None for an example, an output, a command."""
    text = "\n".join(fence.lines) + "\n"
    tag = tag_of(fence.info)
    if not text.strip() or not can_be(tag, path):
        return None
    start = _text(base, path)
    if continues(path, start, text):
        return written(path, [*rows(start), *fence.lines], base[path])
    if names(path, start):
        is_it = bool(names(path, text))
    else:
        is_it = does_something(text) if is_python(path) and not tag else True
    return written(path, fence.lines, base[path]) if is_it else None


def from_text(text: str, base: Tree) -> tuple[Made, str]:
    """The one file, made of a message that is nothing but source text, and whether that is all of it or its rest."""
    path = sole(base)
    if path is None:
        raise Unclear("the message holds no diff, no file with its path, and no search/replace block")
    start = _text(base, path)
    wanted = names(path, start)
    if wanted <= names(path, text) and (does_something(text) if is_python(path) else wanted):
        return {path: written(path, rows(text), base[path])}, "program"
    if continues(path, start, text):
        return {path: written(path, [*rows(start), *rows(text)], base[path])}, "completion"
    raise Unclear(f"the message is neither {path} nor what continues it")


def _text(base: Tree, path: str) -> str:
    """The text of the file with a newline at its end."""
    return "".join(line + "\n" for line in Text.of(path, base[path], exactly=False).lines)
