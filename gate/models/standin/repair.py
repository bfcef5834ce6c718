"""Repairing: one small change of syntax after the other, until the visible tests pass or the budget ends.

Nothing that was not proven stays: unless all tests pass in the end, every file gets its first text back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.models.standin import jsmutate, pymutate
from gate.models.standin.clues import TestRun, called_names, is_test, leanings
from gate.models.standin.desk import Ask, Desk, OutOfBudget, Script
from gate.models.standin.mutation import Mutation, Suspicion, ranked
from gate.models.standin.rename import JAVASCRIPT, PYTHON
from gate.models.standin.understand import Wish
from gate.workspace.globs import Globs

MAX_SOURCES = 12
MAX_BYTES = 200_000
# A change may make a loop endless; the trial must be able to afford several of those.
ATTEMPT_S = 10

_IMPORTED = re.compile(
    r"^\s*from\s+([\w.]+)\s+import\s+([\w, ()]+)|^\s*import\s+([\w.]+)"
    r"|\bfrom\s+['\"](\.[^'\"]+)['\"]|\b(?:require|import)\(\s*['\"](\.[^'\"]+)['\"]",
    re.MULTILINE,
)


def _is_code(path: str) -> bool:
    return path.endswith(PYTHON + JAVASCRIPT)


def _imported(text: str, names: list[str]) -> Iterator[str]:
    """Files of the repository that a file imports."""
    for dotted, several, plain, relative, required in _IMPORTED.findall(text):
        wanted = [dotted or plain]
        wanted += [f"{dotted}.{part.strip(' ()')}" for part in several.split(",")] if several else []
        if relative or required:
            wanted = [re.sub(r"^(?:\.{1,2}/)+|\.[cm]?[jt]sx?$", "", relative or required)]
        for name in wanted:
            tail = name.strip(".").replace(".", "/") if dotted or plain else name
            ends = (
                (f"{tail}.py", f"{tail}/__init__.py")
                if dotted or plain
                else tuple(f"{tail}{end}" for suffix in JAVASCRIPT for end in (suffix, f"/index{suffix}"))
            )
            yield from (known for known in names if tail and f"/{known}".endswith(tuple(f"/{end}" for end in ends)))


def _named(wish: Wish, run: TestRun, names: list[str]) -> tuple[list[str], list[str]]:
    """Tests and sources that the failures or the task name, most pointed at first."""
    places = [name for path, _ in run.places() for name in names if f"/{path}".endswith(f"/{name}")]
    said = [name for path in wish.paths for name in names if f"/{name}".endswith(f"/{path}")]
    both = list(dict.fromkeys([*places, *said]))
    return [name for name in both if is_test(name)], [name for name in both if not is_test(name) and _is_code(name)]


def _read_sources(desk: Desk, wish: Wish, run: TestRun, names: list[str]) -> Script[list[str]]:
    """Read the failing tests and what they import, two steps deep; the sources come back most suspicious first."""
    tests, sources = _named(wish, run, names)
    if not tests:
        tests = [name for name in names if is_test(name) and _is_code(name)][:3]
    yield from desk.read([*tests[:3], *sources[:4]], "I read the failing tests.")
    order = list(sources)
    for _ in range(2):
        near = [*tests[:3], *order]
        found = [path for name in near if name in desk.texts for path in _imported(desk.texts[name], names)]
        order += [path for path in dict.fromkeys(found) if path not in order and not is_test(path)]
        yield from desk.read(order[:MAX_SOURCES], "I read what they import.")
    if not order:
        order = [name for name in names if _is_code(name) and not is_test(name)]
        yield from desk.read(order[:MAX_SOURCES], "I read the sources.")
    frozen = Globs(wish.frozen)
    return [path for path in order if len(desk.texts.get(path, "")) in range(1, MAX_BYTES) and not frozen.matches(path)]


def _suspicion(texts: dict[str, str], wish: Wish, run: TestRun, sources: list[str]) -> Suspicion:
    lines: dict[str, list[int]] = {}
    called: list[str] = list(wish.names)
    for path, line in run.places():
        for name, text in texts.items():
            if f"/{path}".endswith(f"/{name}"):
                if is_test(name):
                    called += called_names(text, [line])
                else:
                    lines.setdefault(name, []).append(line)
    functions = {name: rank for rank, name in reversed(list(enumerate(dict.fromkeys(called))))}
    paths = {path: rank for rank, path in enumerate(sources)}
    return Suspicion(
        leanings(run.text, wish.task), {path: tuple(found) for path, found in lines.items()}, functions, paths
    )


def _candidates(texts: dict[str, str], wish: Wish, run: TestRun, sources: list[str]) -> list[Mutation]:
    found: list[Mutation] = []
    for path in sources:
        mutate = pymutate.mutations if path.endswith(PYTHON) else jsmutate.mutations
        found += mutate(path, texts[path])
    return ranked(found, _suspicion(texts, wish, run, sources))


def _result(mutation: Mutation, text: str) -> str | None:
    """The whole text of a file after a change, or None where it would not parse."""
    parses = pymutate.parses if mutation.path.endswith(PYTHON) else jsmutate.parses
    after = mutation.applied(text.encode())
    return after.decode() if parses(after) else None


class _Bench:
    """What stands in the copy now, what stood there first, and the best that was proven on the way."""

    def __init__(self, desk: Desk, run: TestRun) -> None:
        self.desk, self.run = desk, run
        self.first = dict(desk.texts)
        self.base = dict(desk.texts)
        self.tried = 0

    def moves(self, goal: dict[str, str]) -> list[Ask]:
        """The calls that turn what stands there now into `goal`."""
        now = self.desk.texts
        return [self.desk.change(path, goal[path]) for path in sorted(goal) if goal[path] != now[path]]

    def dirty(self, goal: dict[str, str]) -> int:
        """How many calls it would take to go back to the start from `goal`."""
        return sum(goal[path] != self.first[path] for path in goal)

    def attempt(self, path: str, text: str) -> Script[TestRun | None]:
        """Put one change in and run the tests. Raises OutOfBudget when there would be no way back after it."""
        goal = {**self.base, path: text}
        calls = [*self.moves(goal), ("run_tests", {"timeout_s": ATTEMPT_S})]
        if not self.desk.affords(calls, reserve=self.dirty(goal)):
            raise OutOfBudget
        *edits, last = yield from self.desk.ask("", *calls)
        if not all(edit.ok for edit in edits):
            return None
        self.desk.texts.update(goal)
        self.tried += 1
        return TestRun.of(last.text) if last.ok else None

    def restore(self) -> Script[bool]:
        """Put every file back as it was; whether that was possible."""
        calls = self.moves(self.first)
        if not calls:
            return True
        try:
            results = yield from self.desk.ask("I put everything back.", *calls)
        except OutOfBudget:
            return False
        self.desk.texts.update(self.first)
        return all(result.ok for result in results)


def _climb(bench: _Bench, wish: Wish, sources: list[str]) -> Script[str]:
    """Try candidates from the base; a change that leaves fewer failures becomes the next base. Returns the winner."""
    while True:
        for mutation in _candidates(bench.base, wish, bench.run, sources):
            text = _result(mutation, bench.base[mutation.path])
            if text is None:
                continue
            run = yield from bench.attempt(mutation.path, text)
            if run is None:
                return ""
            if run.passed:
                return f"{mutation.path}, line {mutation.line}"
            if run.better_than(bench.run):
                bench.run, bench.base = run, {**bench.base, mutation.path: text}
                break
        else:
            return ""


def repair(desk: Desk, wish: Wish, names: list[str]) -> Script[str]:
    """Carry out a repair. Returns the closing message."""
    run = yield from desk.tests("I run the tests to see what fails.")
    if run is None:
        yield from _only_look(desk, wish, names)
        return "I may not run the tests of this task, so I cannot tell a repair from a guess. I changed nothing."
    if run.passed:
        return "All tests that I may run pass already, so there is nothing for me to go by. I changed nothing."
    if not desk.can_change:
        return "I have no tool to change files with. I changed nothing."
    sources = yield from _read_sources(desk, wish, run, names)
    bench = _Bench(desk, run)
    try:
        where = yield from _climb(bench, wish, sources)
    except OutOfBudget:
        where = ""
    if where:
        return f"I changed {where}; all tests that I may run pass now. I tried {bench.tried} small changes."
    restored = yield from bench.restore()
    state = "Everything is as it was." if restored else "I could not put everything back."
    return f"None of {bench.tried} small changes made the tests pass. {state}"


def _only_look(desk: Desk, wish: Wish, names: list[str]) -> Script[None]:
    said = [name for path in wish.paths for name in names if f"/{name}".endswith(f"/{path}")]
    yield from desk.read(said[:4])
