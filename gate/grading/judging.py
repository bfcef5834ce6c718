"""From the records of a session to what may be said of each test. The same for every runner that reports in our way."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gate.grading.expectation import Site
from gate.grading.reason import clean
from gate.outcome import Check


@dataclass(frozen=True, slots=True)
class Version:
    """One drawn function that stands for a test. `reach` is observed when its body ran to the end.

    `path` is the file, `test` is `name` or `Class::name` (`describe > name` for node, `*` where it is computed),
    `suffix` the row (`[1-2]`) if it was taken out of a table, `sites` the ids of the assertions in it. Versions of
    one test share their `group`. The two sentinels have an empty test.
    """

    path: str
    test: str
    suffix: str
    reach: str
    sites: frozenset[str]
    group: str


@dataclass(slots=True)
class Item:
    """One test that ran: what it is called at run time and everything that was reported while it ran."""

    owner: str
    name: str
    suffix: str
    phases: list[tuple[str, str, str]] = field(default_factory=list)
    seen: list[tuple[str, Any]] = field(default_factory=list)
    reached: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Table:
    """What the parent knows of a session: functions by drawn name, assertions by drawn id, and the sentinels' names.

    `label` gives the stable id of a test that ran.
    """

    versions: Mapping[str, Version]
    sites: Mapping[str, Site]
    passing: frozenset[str]
    failing: frozenset[str]
    label: Callable[[Item, Version], str]

    def shared(self) -> frozenset[str]:
        """The assertions that belong to no single test: those of fixtures and helpers."""
        own = {site for version in self.versions.values() for site in version.sites}
        return frozenset(self.sites.keys() - own)


class Tampered(Exception):
    """The session cannot be what it claims: a control did not come out as it must, or a record is not ours."""


def items_of(records: Iterable[Sequence[Any]], table: Table) -> list[Item]:
    """The tests in the order they ran. Raises Tampered on a record that no honest session sends."""
    items: list[Item] = []
    running: list[Item] = []
    for record in records:
        _take(record, items, running, table)
    return items


def _take(record: Sequence[Any], items: list[Item], running: list[Item], table: Table) -> None:
    """Give a record to the test that runs; node's subtests run inside another one."""
    match record:
        case ["start", str() as owner, str() as name, str() as suffix]:
            items.append(Item(owner, name, suffix))
            running.append(items[-1])
        case ["phase", str() as when, str() as outcome, str() as text] if running:
            running[-1].phases.append((when, outcome, text))
            if when == "teardown":
                running.pop()
        case ["see", str() as site, list() as payload] if site in table.sites:
            if running:
                running[-1].seen.append((site, payload))
        case ["reached", str() as site] if running:
            running[-1].reached.append(site)
        case _:
            raise Tampered("an observation is unknown or out of place")


def check_sentinels(items: Sequence[Item], table: Table) -> None:
    """The test that must pass passed and the one that must fail failed. Raises Tampered otherwise."""
    by_name = defaultdict(list)
    for item in items:
        by_name[item.name].append(item)
    for name in table.passing:
        if len(by_name[name]) != 1 or _flaw(by_name[name][0], table.versions[name], table) is not None:
            raise Tampered("a test that must pass did not")
    for name in table.failing:
        ran = by_name[name]
        if len(ran) != 1 or ran[0].reached or ("call", "failed") not in {(when, out) for when, out, _ in ran[0].phases}:
            raise Tampered("a test that must fail did not")


def verdicts(items: Sequence[Item], table: Table, hide: Iterable[str]) -> dict[str, str | None]:
    """For each test that ran, by its stable id: None if it passed, else the reason.

    A test that stands in several versions passes when each of them is as it must be, and none is missing.
    """
    hide = [*hide, *table.versions, *(version.reach for version in table.versions.values())]
    groups: dict[str, set[str]] = defaultdict(set)
    for name, version in table.versions.items():
        groups[version.group].add(name)
    ran: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        known = table.versions.get(item.name)
        if known is not None and known.test:
            ran[table.label(item, known)].append(item)
    out: dict[str, str | None] = {}
    for test, its_items in ran.items():
        if Counter(item.name for item in its_items) != Counter(groups[table.versions[its_items[0].name].group]):
            out[test] = "a version of it is missing, or it ran twice"
        else:
            flaws = [_flaw(item, table.versions[item.name], table) for item in its_items]
            reason = min((flaw for flaw in flaws if flaw is not None), default=None)
            out[test] = None if reason is None else clean(reason, hide=hide)
    names = {item.name for item in items}
    within = table.shared().union(*(version.sites for name, version in table.versions.items() if name in names))
    if within and not any(item.seen for item in items):
        # Assertions in loops and helpers need not run each time; but that none ran at all is an observer gone dumb.
        out = {test: reason or "no assertion was observed" for test, reason in out.items()}
    for drawn, version in table.versions.items():
        if version.test and drawn not in names:
            out.setdefault(f"{version.path}::{version.test}{version.suffix}", "did not run")
    return out


def python_label(item: Item, version: Version) -> str:
    """`path::Class::name[row]`, with the class that it ran in, which may inherit the test."""
    name = version.test.rpartition("::")[2]
    owner = f"{item.owner}::" if item.owner else ""
    # A row that was taken out of its table and one that pytest made itself, from a fixture, are one suffix.
    both = item.suffix and version.suffix
    suffix = f"{item.suffix[:-1]}-{version.suffix[1:]}" if both else item.suffix or version.suffix
    return f"{version.path}::{owner}{name}{suffix}"


def node_label(item: Item, version: Version) -> str:
    """`path::describe > name`. A written-down name must be the one that ran. Raises Tampered otherwise."""
    name = f"{item.owner} > {item.suffix}" if item.owner else item.suffix
    if version.test not in ("*", name):
        raise Tampered("a test ran under another name than its own")
    return f"{version.path}::{name}"


def _flaw(item: Item, version: Version, table: Table) -> str | None:
    """Why a version is not as it must be, or None."""
    for when, outcome, text in item.phases:
        if outcome != "passed":
            return f"{outcome} in {when}: {text}" if text else f"{outcome} in {when}"
    if sorted(when for when, _, _ in item.phases) != ["call", "setup", "teardown"]:
        return "did not run to its end"
    if item.reached != [version.reach]:
        return "did not run to its end"
    counted = Counter(site for site, _ in item.seen)
    if not counted.keys() <= version.sites | table.shared():
        return "an observation belongs to another test"
    for site in version.sites:
        if table.sites[site].once and counted[site] != 1:
            return f"{table.sites[site].where}: observed {counted[site]} times"
    reasons = (table.sites[site].judge(payload) for site, payload in item.seen)
    return next((reason for reason in reasons if reason is not None), None)


def checks_of(found: Mapping[str, str | None], expected: Sequence[str]) -> list[Check]:
    """One check for each expected test, or for each test there is when none is listed; never an empty pass."""
    if not expected:
        if not found:
            return [Check("tests", ok=False, reason="no test ran")]
        return [Check(test, reason is None, reason or "passed") for test, reason in sorted(found.items())]
    out = []
    for wanted in sorted(set(expected)):
        rows = {test: reason for test, reason in found.items() if test == wanted or _is_row(test, wanted)}
        if not rows:
            out.append(Check(wanted, ok=False, reason="missing: no such test ran"))
            continue
        wrong = [f"{test.removeprefix(wanted)} {reason}".strip() for test, reason in sorted(rows.items()) if reason]
        out.append(Check(wanted, ok=not wrong, reason=clean("; ".join(wrong)) if wrong else "passed"))
    return out


def _is_row(test: str, wanted: str) -> bool:
    """An id without brackets stands for all its rows."""
    return not wanted.endswith("]") and test.startswith(f"{wanted}[")
