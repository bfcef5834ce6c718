"""The audit of a benchmark: every row's reference answer in every shape, and what must be rejected."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from gate.audit.benchmarks.recipe import Exempt, Recipe, RowProblem, SetAside, Task
from gate.audit.benchmarks.rows import read_rows
from gate.audit.benchmarks.stage import NotStaged, Staged, staged
from gate.audit.benchmarks.table import RECIPES
from gate.audit.benchmarks.task import Found, audit_task
from gate.audited import AuditVerdict, BenchAudit
from gate.errors import ConfigError
from gate.grading.reason import clean
from gate.trials.stand import Stand


def _silent(_text: str) -> None:
    return


@dataclass(frozen=True, slots=True)
class Options:
    """How to audit. `limit` is a number of tasks; what lies beyond is not counted. `cache` keeps what was fetched."""

    data: Path | None = None
    limit: int | None = None
    jobs: int = 1
    fetch: bool = False
    progress: Callable[[str], None] = _silent
    cache: Path | None = None


@dataclass(slots=True)
class _Rows:
    """The rows on their way to being tasks, and what became of those that are none."""

    recipe: Recipe
    source: Staged
    limit: int | None
    problems: list[str] = field(default_factory=list)
    aside: Counter[str] = field(default_factory=Counter)
    count: int = 0

    def tasks(self) -> Iterator[tuple[str, Task]]:
        """(name, task) for each row that is one, in the order of the file."""
        seen: set[str] = set()
        for place, values in read_rows(self.source.path, self.source.data):
            if self.limit is not None and self.count >= self.limit:
                return
            try:
                name, task = self._task(values, place, seen)
            except SetAside as reason:
                self.aside[str(reason)] += 1
                continue
            except RowProblem as problem:
                self.count += 1
                self.problems.append(clean(f"row {place}{_named(values, self.recipe)}: {problem}"))
                continue
            self.count += 1
            seen.add(name)
            yield name, task

    def _task(self, values: object, place: int, seen: set[str]) -> tuple[str, Task]:
        row = self.recipe.row(values, place, self.source.folder)
        name = clean(str(row[self.recipe.task]), limit=100)
        if name in seen:
            raise RowProblem(f"the task {name} stands twice")
        try:
            return name, self.recipe.made(row)
        except RecursionError as error:
            raise RowProblem("is nested too deeply") from error


def _named(values: object, recipe: Recipe) -> str:
    found = values.get(recipe.task) if isinstance(values, dict) else None
    return f" ({found})" if isinstance(found, (str, int)) else ""


def audit_bench(
    name: str, options: Options, stand: Stand, recipes: Mapping[str, Recipe | Exempt] | None = None
) -> BenchAudit:
    """Audit one benchmark, `jobs` tasks at a time. `recipes` stands in for the table, for an audit of the audit.

    Raises ConfigError for an unknown name or unreadable data, and what ends a run.
    """
    started = time.monotonic()
    recipe = (recipes or RECIPES).get(name)
    if recipe is None:
        raise ConfigError(f"no benchmark is called {name!r}; there are {', '.join(RECIPES)}")
    if isinstance(recipe, Exempt):
        return BenchAudit(name, AuditVerdict.EXEMPT, reason=recipe.reason)
    try:
        source = staged(name, options.data, fetch=options.fetch, cache=options.cache)
    except NotStaged as reason:
        return BenchAudit(name, AuditVerdict.NOT_STAGED, reason=str(reason))
    rows = _Rows(recipe, source, options.limit)
    found = _all(name, rows, options, stand)
    return _summed(name, rows, found, round(time.monotonic() - started, 1))


def _all(name: str, rows: _Rows, options: Options, stand: Stand) -> list[Found]:
    """Every task, in the order of the rows. Few are in flight at a time: a row may hold a whole repository."""
    found: dict[int, Found] = {}
    running: dict[Future[Found], int] = {}
    jobs = max(1, options.jobs)

    def collect(most: int) -> None:
        while len(running) > most:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                found[running.pop(future)] = last = future.result()
                _say(options, name, last, len(found))

    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="bench") as pool:
        try:
            for number, (task_name, task) in enumerate(rows.tasks()):
                running[pool.submit(audit_task, name, task_name, task, rows.recipe, stand)] = number
                collect(2 * jobs)
            collect(0)
        except BaseException:
            stand.fence.cancel()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return [found[number] for number in sorted(found)]


def _say(options: Options, name: str, last: Found, count: int) -> None:
    if last.verdict is not AuditVerdict.PASS:
        options.progress(f"{last.verdict:<11} {name} {last.task}: {last.reason}")
    elif count % 20 == 0:
        options.progress(f"{name}: {count} tasks audited")


def _summed(name: str, rows: _Rows, found: list[Found], seconds: float) -> BenchAudit:
    verdicts = [one.verdict for one in found] + [AuditVerdict.BROKEN] * len(rows.problems)
    passed = [one for one in found if one.verdict is AuditVerdict.PASS]
    reasons = [f"{count} {reason}" for reason, count in sorted(rows.aside.items())]
    excluded = {one.task: one.excluded for one in found if one.excluded}
    verdict = AuditVerdict.of(verdicts) if verdicts else AuditVerdict.NOT_STAGED
    if not verdicts:
        reasons.append("no row of the data is a task of this benchmark")
    shapes: Counter[str] = Counter()
    kinds: dict[str, dict[str, int]] = {}
    for one in found:
        shapes.update({shape: int(ok) for shape, ok in one.shapes.items() if ok is not None})
        for kind, rejected in one.rejected.items():
            entry = kinds.setdefault(kind, {"rejected": 0, "of": 0})
            entry["of"] += 1
            entry["rejected"] += rejected
    return BenchAudit(
        name=name,
        verdict=verdict,
        checked=len(passed),
        of=len(found) + len(rows.problems),
        failures=(
            *rows.problems,
            *(f"{one.task}: {one.reason}" for one in found if one.verdict is AuditVerdict.BROKEN),
        ),
        blocked={one.task: one.missing for one in found if one.verdict is AuditVerdict.ENV_MISSING},
        excluded=excluded,
        shapes=dict(shapes),
        rejected=kinds,
        forms=dict(sorted(Counter(one.graded_by for one in passed).items())),
        reason="; ".join(reasons),
        seconds=seconds,
    )
