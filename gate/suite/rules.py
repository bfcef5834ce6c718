"""The rules between the keys of one canary file, which no schema can say. The file satisfies its schema here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from gate.errors import Problem
from gate.outcome import Slice
from gate.suite.config import bad_date
from gate.suite.schema import nearest
from gate.suite.sheet import FIXTURE, TWIN, Sheet
from gate.suite.yaml12 import KeyPath

TOOLS = ("list_files", "read_file", "search", "edit_file", "write_file", "run_tests")
TRAP_KINDS = ("missing-path", "inconsistent-oracle", "decoy", "leak", "cheat")
TASK_KINDS = ("bugfix", "rename", "refactor", "tests", "feature")
TWIN_KINDS = ("decoy", "leak")
VALUE_TAGS = ("$tuple", "$set", "$frozenset", "$bytes", "$float", "$undefined", "$bigint", "$map")
MIN_WORDS = 4

# A dotted Python name, or a file of the tree and one of its exports.
_CALLABLE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+|[^#\s]+#[\w$.]+")

Found = Iterator[tuple[KeyPath, str]]


def problems(sheet: Sheet) -> list[Problem]:
    """Every rule that the file breaks, each with the line of its key."""
    return slice_problems(sheet) + [sheet.problem(key, reason) for rule in RULES for key, reason in rule(sheet)]


def slice_problems(sheet: Sheet) -> list[Problem]:
    """A canary without a slice, or in the folder of another one."""
    folder = sheet.source.folder_slice
    if sheet.slice is None:
        return [sheet.problem(("slice",), "is missing: the file lies in no slice's folder, so it must name its slice")]
    if folder is not None and sheet.slice is not folder:
        return [sheet.problem(("slice",), f"is `{sheet.slice}`, but the file lies in the folder of `{folder}`")]
    return []


def _kind(sheet: Sheet) -> Found:
    kind = sheet.at("kind")
    if sheet.slice is Slice.CANARY:
        if kind is None:
            yield ("kind",), f"is missing: a trap is one of {', '.join(TRAP_KINDS)}"
        elif kind not in TRAP_KINDS:
            yield ("kind",), f"`{kind}` is no kind of trap; traps are {', '.join(TRAP_KINDS)}"
    elif kind in TRAP_KINDS:
        yield ("kind",), f"`{kind}` is a kind of trap; traps belong to the slice `canary`"


def _trap(sheet: Sheet) -> Found:
    trap = sheet.at("trap")
    if sheet.slice is not Slice.CANARY:
        if trap is not None:
            yield ("trap",), f"only the slice `canary` holds traps, and this file is `{sheet.slice}`"
        return
    if trap is None:
        yield ("trap",), "is missing: a canary that must not pass has to say what springs it"
        return
    kind = sheet.at("kind")
    if kind in TWIN_KINDS and "twin" not in trap:
        yield TWIN, f"is missing: a {kind} is judged against the same fixture without the bait"
    if "twin" in trap and sheet.at(*TWIN) == sheet.at(*FIXTURE):
        yield TWIN, "is the fixture itself; the twin is the same folder without the bait"
    if not trap["exploit"].keys() & {"patch", "message"}:
        yield ("trap", "exploit"), "needs a `patch`, a `message` or both: what taking the bait looks like"
    yield from _conditions(sheet, trap["sprung_if"])


def _conditions(sheet: Sheet, conditions: list[str | dict[str, list[str]]]) -> Found:
    names = [condition if isinstance(condition, str) else next(iter(condition)) for condition in conditions]
    for index, name in enumerate(names):
        key: KeyPath = ("trap", "sprung_if", index)
        if name in names[:index]:
            yield key, f"`{name}` stands twice; put all its values in one list"
        if name == "tests" and not _graded(sheet):
            yield key, "there are no tests, goldens or calls that could turn green"
        if name == "leak" and not sheet.at(*key, "leak") and not _solved(sheet):
            yield key, "an empty list looks for the lines of the golden or reference, and there is none"
    if sheet.at("kind") == "leak" and "leak" not in names:
        yield ("trap", "sprung_if"), "a trap of kind leak needs the condition `leak`"


def _graded(sheet: Sheet) -> bool:
    return bool(sheet.at("expect", "diff_golden") or sheet.at("expect", "tests"))


def _solved(sheet: Sheet) -> bool:
    return bool(sheet.at("expect", "diff_golden") or sheet.at("expect", "reference"))


def _answer(sheet: Sheet) -> Found:
    if sheet.at("expect", "diff_golden") and sheet.at("expect", "reference"):
        yield ("expect", "reference"), "is for canaries without a `diff_golden`; keep one of them"
    if sheet.at("expect", "golden_match") and not sheet.at("expect", "diff_golden"):
        yield ("expect", "golden_match"), "there is no `diff_golden` to match"
    if sheet.slice is Slice.CANARY:
        return
    if not _graded(sheet):
        yield ("expect",), "has neither `diff_golden` nor `tests`, so nothing could tell right from wrong"
    elif not _solved(sheet) and not sheet.at("known_unpassable"):
        reason = "needs a `diff_golden` or a `reference`: a canary without a known answer is not proven to have one"
        yield ("expect",), reason


def _unpassable(sheet: Sheet) -> Found:
    if sheet.at("known_unpassable") is None:
        return
    if sheet.slice is Slice.CANARY:
        yield ("known_unpassable",), "a trap must not pass anyway"
    for name in ("reason", "evidence"):
        if len(set(sheet.at("known_unpassable", name).split())) < MIN_WORDS:
            yield (
                ("known_unpassable", name),
                f"is too thin to be checked; say it in {MIN_WORDS} words or more",
            )


def _weak(sheet: Sheet) -> Found:
    if sheet.at("weak_tests") is None:
        return
    if sheet.slice is Slice.CANARY:
        yield ("weak_tests",), "a trap has no known answer that its tests could be measured by"
    elif not sheet.at("expect", "tests"):
        yield ("weak_tests",), "there are no `tests` that could be weak"
    if len(set(sheet.at("weak_tests", "reason").split())) < MIN_WORDS:
        yield ("weak_tests", "reason"), f"is too thin to be checked; say it in {MIN_WORDS} words or more"


def _dates(sheet: Sheet) -> Found:
    for name in ("published", "introduced"):
        if (text := sheet.at(name)) is not None and (reason := bad_date(text)):
            yield (name,), reason
    if sheet.slice is Slice.HIDDEN and sheet.at("published") is not None:
        yield ("published",), "a hidden canary has no published answer; it belongs to the slice `public`"


def _tools(sheet: Sheet) -> Found:
    """Names of the toolbelt are known; other agents bring tools of their own, so only near misses are refused."""
    for side in ("allowed", "forbidden"):
        for index, name in enumerate(sheet.at("expect", "tools", side) or ()):
            key: KeyPath = ("expect", "tools", side, index)
            if name not in TOOLS and (hint := nearest(name, TOOLS, cutoff=0.8)):
                yield key, f"no tool `{name}`{hint}"
            if side == "forbidden" and name in (sheet.at("expect", "tools", "allowed") or ()):
                yield key, f"`{name}` is both allowed and forbidden"


def _globs(sheet: Sheet) -> Found:
    places: list[KeyPath] = [("expect", "forbidden_paths"), ("expect", "allowed_paths")]
    conditions = sheet.at("trap", "sprung_if") or ()
    places += [
        ("trap", "sprung_if", index, "touched") for index, one in enumerate(conditions) if not isinstance(one, str)
    ]
    for place in places:
        patterns = sheet.at(*place) or ()
        yield from (((*place, index), why) for index, pattern in enumerate(patterns) if (why := _not_a_glob(pattern)))
        if patterns and all(pattern.startswith("!") for pattern in patterns):
            yield place, "holds only exceptions (`!`), so it matches nothing"


def _not_a_glob(pattern: str) -> str | None:
    if pattern.startswith("#"):
        return f"`{pattern}` is a comment in gitignore syntax and matches nothing; write `\\{pattern}`"
    if pattern != pattern.strip():
        return f"`{pattern}` has spaces around it"
    if pattern.startswith("^") or pattern.endswith("$") or "(?" in pattern or ".*/" in pattern:
        return f"`{pattern}` looks like a regular expression; paths are matched by gitignore globs such as `src/**`"
    if pattern.startswith(("./", "../")) or "/../" in pattern:
        return f"`{pattern}` matches nothing; write the path from the root of the repository"
    return None


def _tests(sheet: Sheet) -> Found:
    for index, test in enumerate(sheet.at("expect", "tests") or ()):
        for runner in ("pytest", "node"):
            if isinstance(test, dict) and runner in test:
                yield from _expected_ids(("expect", "tests", index, runner), test[runner])
        program = sheet.at("expect", "tests", index, "stdin", "program")
        if program is not None and (program.startswith("/") or ".." in program.split("/")):
            place: KeyPath = ("expect", "tests", index, "stdin", "program")
            yield place, f"the path `{program}` must be relative and must not hold `..`"
        for number, call in enumerate(sheet.at("expect", "tests", index, "calls") or ()):
            if not _CALLABLE.fullmatch(call["call"]):
                reason = f"`{call['call']}` names no function; write package.module.function, or path/to/file.js#export"
                yield ("expect", "tests", index, "calls", number, "call"), reason


def _values(sheet: Sheet) -> Found:
    """Tags such as `{$tuple: [1, 2]}` in declared calls: a misspelt one would be an ordinary mapping of no use."""
    for index, test in enumerate(sheet.at("expect", "tests") or ()):
        for number, call in enumerate(test.get("calls", ()) if isinstance(test, dict) else ()):
            for part in ("args", "kwargs", "returns", "after"):
                yield from _tags(call.get(part), ("expect", "tests", index, "calls", number, part))


def _tags(value: Any, key: KeyPath) -> Found:
    if isinstance(value, dict):
        for name, item in value.items():
            if len(value) == 1 and name.startswith("$") and name not in VALUE_TAGS:
                yield key, f"no tag `{name}`{nearest(name, VALUE_TAGS)}; there are {', '.join(VALUE_TAGS)}"
            yield from _tags(item, (*key, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _tags(item, (*key, index))


def _expected_ids(key: KeyPath, given: dict[str, list[str]]) -> Found:
    paths = [path.rstrip("/") for path in given["paths"]]
    for index, path in enumerate(given["paths"]):
        if path.startswith("/") or ".." in path.split("/"):
            yield (*key, "paths", index), f"the path `{path}` must be relative and must not hold `..`"
    for side in ("fail_to_pass", "pass_to_pass"):
        for index, test in enumerate(given.get(side, ())):
            file, separator, name = test.partition("::")
            place = (*key, side, index)
            if not separator or not file or not name:
                yield place, f"`{test}` is not a test id; expected `path::name`"
            elif not any(path == "." or file == path or file.startswith(f"{path}/") for path in paths):
                yield place, f"`{file}` is not among the `paths` of this runner"
            if side == "pass_to_pass" and test in given.get("fail_to_pass", ()):
                yield place, f"`{test}` stands in fail_to_pass too"


def _locate(sheet: Sheet) -> Found:
    for index, place in enumerate(sheet.at("expect", "locate") or ()):
        first, last = place["lines"]
        if first > last:
            yield ("expect", "locate", index, "lines"), f"ends at {last}, before it starts at {first}"


RULES: tuple[Callable[[Sheet], Found], ...] = (
    _kind,
    _trap,
    _answer,
    _unpassable,
    _weak,
    _dates,
    _tools,
    _globs,
    _tests,
    _values,
    _locate,
)
