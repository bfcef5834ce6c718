"""Renaming: find the files that hold the name, change definitions, imports and uses, and run the tests if allowed."""

from __future__ import annotations

import re

from gate.models.standin.clues import TestRun
from gate.models.standin.desk import Desk, OutOfBudget, Script
from gate.models.standin.understand import Wish
from gate.workspace.globs import Globs

PYTHON = (".py", ".pyi")
JAVASCRIPT = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
PROSE = (".md", ".rst", ".txt")
SETTINGS = (".toml", ".cfg", ".json", ".yaml", ".yml")


def word(name: str) -> str:
    """A regular expression for the name as a whole word, `$` included."""
    return rf"(?<![\w$]){re.escape(name)}(?![\w$])"


def _prose(text: str, wish: Wish) -> str:
    return re.sub(word(wish.old), lambda _: wish.new, text)


def _entry_points(text: str, wish: Wish) -> str:
    """`package.module:name`, as packaging files and task runners spell it."""
    return re.sub(rf"(\b[\w.]+:){re.escape(wish.old)}(?![\w$])", lambda found: found[1] + wish.new, text)


def _imported(texts: dict[str, str], names: set[str]) -> list[str]:
    """Package files that the read files import from, which do not hold the name themselves (`import *`)."""
    folders = {path.rpartition("/")[0] for path in texts if path.endswith(PYTHON)}
    parents = {folder.rpartition("/")[0] for folder in folders} | folders
    inits = [f"{folder}/__init__.py".lstrip("/") for folder in sorted(parents)]
    return [init for init in inits if init in names and init not in texts]


def rename(desk: Desk, wish: Wish) -> Script[str]:
    """Carry out a rename. Returns the closing message."""
    if not desk.can_change or "search" not in desk.tools:
        return "I have no tools to find and change files with. I changed nothing."
    found = yield from desk.search(word(wish.old))
    kinds = PYTHON + JAVASCRIPT + SETTINGS + (PROSE if wish.docs else ())
    yield from desk.read([path for path in found if path.endswith(kinds)])
    yield from _read_star_imports(desk)
    after, problem = _plan(desk, wish)
    if problem:
        return f"{problem} I changed nothing."
    frozen = Globs(wish.frozen)
    changes = {path: text for path, text in sorted(after.items()) if text != desk.texts[path]}
    kept = [path for path in changes if frozen.matches(path)]
    calls = [desk.change(path, text) for path, text in changes.items() if path not in kept]
    try:
        results = yield from desk.ask(f"I rename `{wish.old}` to `{wish.new}`.", *calls)
    except OutOfBudget:
        return f"Renaming in {len(calls)} files costs more than is left of the budget. I changed nothing."
    undone = [result.text for result in results if not result.ok]
    run = yield from _checked(desk)
    return _said(wish, len(calls) - len(undone), undone, kept, desk, run)


def _read_star_imports(desk: Desk) -> Script[None]:
    star = re.compile(r"^\s*from\s+[\w.]+\s+import\s+\*", re.MULTILINE)
    if any(path.endswith(PYTHON) and "import" in text for path, text in desk.texts.items()) and desk.calls_left > 20:
        names = yield from desk.names()
        inits = _imported(desk.texts, set(names))
        if inits:
            yield from desk.read(inits, "I look for what is passed on by `import *`.")
            for path in inits:
                if not star.search(desk.texts.get(path, "")):
                    desk.texts.pop(path, None)


def _plan(desk: Desk, wish: Wish) -> tuple[dict[str, str], str]:
    """Every file with its new text, and what stands in the way."""
    from gate.models.standin import jsrename, pyrename

    python = {path: text for path, text in desk.texts.items() if path.endswith(PYTHON)}
    script = {path: text for path, text in desk.texts.items() if path.endswith(JAVASCRIPT)}
    after: dict[str, str] = {}
    problems: list[str] = []
    for texts, renamer in ((python, pyrename.renamed), (script, jsrename.renamed)):
        if texts:
            done, problem = renamer(texts, wish)
            after |= done
            problems += [problem] if problem else []
    if not any(text != desk.texts[path] for path, text in after.items()):
        return {}, problems[0] if problems else f"I found no definition of `{wish.old}`."
    for path, text in desk.texts.items():
        if path.endswith(SETTINGS):
            after[path] = _entry_points(text, wish)
        elif path.endswith(PROSE):
            after[path] = _prose(text, wish)
    return after, next((problem for problem in problems if "already" in problem), "")


def _checked(desk: Desk) -> Script[TestRun | None]:
    if not desk.affords([("run_tests", {})]):
        return None
    return (yield from desk.tests("I run the tests."))


def _said(wish: Wish, done: int, undone: list[str], kept: list[str], desk: Desk, run: TestRun | None) -> str:
    lines = [f"I renamed `{wish.old}` to `{wish.new}` in {done} file{'s' if done != 1 else ''}."]
    lines += [f"Not done: {reason}" for reason in undone]
    if kept:
        lines.append(f"Left as they are, as the task says: {', '.join(kept)}.")
    lines += [f"Not looked at: {reason}" for _, reason in sorted(desk.unreadable.items())]
    if not desk.found_all:
        lines.append("There were more matches than I was shown, so some may be left.")
    if run is None:
        lines.append("I could not run the tests.")
    else:
        lines.append("The tests pass." if run.passed else "The tests do not pass; I did not look into why.")
    return " ".join(lines)
