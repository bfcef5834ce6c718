"""The baseline file: how each canary did, one section per harness surface, the same bytes for the same facts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gate.errors import ConfigError, NotMeasured, Problem
from gate.outcome import Digests, Slice
from gate.policy import Baseline, BaselineEntry, Plan
from gate.verdict.slices import Standing, standings
from gate.verdict.tally import Tally

SCHEMA = 1
MEASURING = ("suite", "card", "grader", "harness")
MEASURED = ("prompt", "agent")

Sections = Mapping[str, Baseline]
"""Baselines by the harness digest that they were measured under."""


def section(tally: Tally, plan: Plan, digests: Digests) -> Baseline:
    """The baseline that a whole run makes. Raises NotMeasured for a partial run or one with open canaries."""
    if plan.partial is not None:
        raise NotMeasured(f"a baseline needs the whole suite, and this run has {plan.partial}")
    by_slice = standings(tally, plan)
    open_ids = [c for part in by_slice.values() for c in part.ids(Standing.UNSCORED, Standing.MISSING)]
    if open_ids:
        raise NotMeasured(f"a baseline needs every canary measured; these were not: {', '.join(open_ids)}")
    return Baseline(
        measuring=digests.measuring(),
        measured={"prompt": digests.prompt, "agent": digests.agent},
        seeds=plan.seeds,
        canaries={
            planned.id: BaselineEntry(
                slice=planned.slice,
                passed=by_slice[planned.slice].of[planned.id] is Standing.PASSED,
                canary_sha256=planned.canary_sha256,
            )
            for planned in sorted(plan.canaries, key=lambda planned: planned.id)
        },
    )


def with_section(sections: Sections, baseline: Baseline) -> dict[str, Baseline]:
    """All sections, with the one of this harness surface new or replaced."""
    return {**sections, baseline.measuring["harness"]: baseline}


def pick(sections: Sections, tally: Tally) -> Baseline | None:
    """The section of the harness surface that the rows were measured under; None where the file has none for it."""
    surfaces = tally.values("harness_sha256")
    return sections.get(next(iter(surfaces)) or "") if len(surfaces) == 1 else None


def to_bytes(sections: Sections) -> bytes:
    """The file: sorted keys, two blanks, ASCII, a final newline. `from_bytes` reads it back."""
    value = {"schema": SCHEMA, "sections": {harness: _section_json(part) for harness, part in sections.items()}}
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True) + "\n").encode("ascii")


def _section_json(baseline: Baseline) -> dict[str, Any]:
    return {
        "measuring": dict(baseline.measuring),
        "measured": dict(baseline.measured),
        "seeds": baseline.seeds,
        "canaries": {
            name: {"slice": str(entry.slice), "passed": entry.passed, "canary_sha256": entry.canary_sha256}
            for name, entry in baseline.canaries.items()
        },
    }


def read(path: Path) -> dict[str, Baseline]:
    """The sections of a baseline file. Raises ConfigError with every reason when it is missing or not one."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path}: the baseline cannot be read ({error.strerror}); write one with `gate run --write-baseline`"
        ) from error
    return from_bytes(data, str(path))


def from_bytes(data: bytes, name: str) -> dict[str, Baseline]:
    """The sections of a baseline file's bytes; `name` is what errors call it. Raises ConfigError with every reason."""
    reader = _Reader(name)
    sections = reader.file(data)
    if reader.problems:
        raise ConfigError(reader.problems)
    return sections


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"key `{twice}` stands twice in one object")
    return value


class _Reader:
    """Reads one file and collects what is wrong with it, each with the key that it is wrong at."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[Problem] = []

    def wrong(self, key: str, reason: str) -> None:
        self.problems.append(Problem(self.name, 0, key, reason))

    def file(self, data: bytes) -> dict[str, Baseline]:
        try:
            value = json.loads(data.decode("utf-8"), object_pairs_hook=_unique)
        except (ValueError, RecursionError) as error:
            self.wrong("", f"not a baseline file: {error}")
            return {}
        found = self.keys(value, "", {"schema": int, "sections": dict})
        if found is None:
            return {}
        if found["schema"] != SCHEMA:
            self.wrong("schema", f"this version of gate reads schema {SCHEMA}, not {found['schema']}")
            return {}
        sections = {}
        for harness, part in found["sections"].items():
            baseline = self.section(part, f"sections.{harness}", harness)
            if baseline is not None:
                sections[harness] = baseline
        return sections

    def section(self, value: object, where: str, harness: str) -> Baseline | None:
        found = self.keys(value, where, {"measuring": dict, "measured": dict, "seeds": int, "canaries": dict})
        if found is None:
            return None
        measuring = self.keys(found["measuring"], f"{where}.measuring", dict.fromkeys(MEASURING, str))
        measured = self.keys(found["measured"], f"{where}.measured", dict.fromkeys(MEASURED, str))
        if measuring is not None and measuring["harness"] != harness:
            self.wrong(f"{where}.measuring.harness", "differs from the key of its section")
        if found["seeds"] < 1:
            self.wrong(f"{where}.seeds", "must be at least 1")
        entries = {name: self.entry(part, f"{where}.canaries.{name}") for name, part in found["canaries"].items()}
        canaries = {name: entry for name, entry in entries.items() if entry is not None}
        if measuring is None or measured is None:
            return None
        return Baseline(measuring, measured, found["seeds"], canaries)

    def entry(self, value: object, where: str) -> BaselineEntry | None:
        found = self.keys(value, where, {"slice": str, "passed": bool, "canary_sha256": str})
        if found is None:
            return None
        if found["slice"] not in set(Slice):
            self.wrong(f"{where}.slice", f"`{found['slice']}` is not one of {', '.join(Slice)}")
            return None
        return BaselineEntry(Slice(found["slice"]), found["passed"], found["canary_sha256"])

    def keys(self, value: object, where: str, kinds: Mapping[str, type]) -> dict[str, Any] | None:
        """The object if it has exactly these keys with these types; None, and what is wrong, if not."""
        before = len(self.problems)
        if not isinstance(value, dict):
            self.wrong(where, f"must be an object, not {type(value).__name__}")
            return None
        for key in sorted(value.keys() - kinds.keys()):
            self.wrong(f"{where}.{key}".lstrip("."), "is not a key of a baseline file")
        for key, kind in kinds.items():
            at = f"{where}.{key}".lstrip(".")
            if key not in value:
                self.wrong(at, "is missing")
            elif type(value[key]) is not kind:
                self.wrong(at, f"must be {kind.__name__}, not {type(value[key]).__name__}")
        return value if len(self.problems) == before else None
