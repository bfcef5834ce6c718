"""The baseline file reads back as it was written, byte for byte, and says what is wrong with one that is not ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import ConfigError, NotMeasured
from gate.outcome import Digests, Slice
from gate.policy import Baseline, BaselineEntry, Plan
from gate.verdict import baseline as baselines
from gate.verdict.tally import Tally

MakeTally = Callable[..., Tally]
MakePlan = Callable[..., Plan]

DIGESTS = Digests(suite="s", card="c", grader="g", harness="h", prompt="p", agent="a")
TEXTS = st.text(min_size=1, max_size=8)
ENTRIES = st.builds(BaselineEntry, st.sampled_from(Slice), st.booleans(), TEXTS)


def section(harness: str, seeds: int, canaries: dict[str, BaselineEntry]) -> Baseline:
    """A section with this harness digest."""
    measuring = {"suite": "s", "card": "c", "grader": "g", "harness": harness}
    return Baseline(measuring, {"prompt": "p", "agent": "a"}, seeds, canaries)


SECTIONS = st.dictionaries(TEXTS, st.tuples(st.integers(1, 9), st.dictionaries(TEXTS, ENTRIES, max_size=4)), max_size=3)


@given(SECTIONS)
@settings(max_examples=100, deadline=None)
def test_a_baseline_reads_back_as_written(content: dict[str, tuple[int, dict[str, BaselineEntry]]]) -> None:
    """Any sections survive the round trip, and the same facts in another order are the same bytes."""
    sections = {name: section(name, seeds, canaries) for name, (seeds, canaries) in content.items()}
    data = baselines.to_bytes(sections)
    assert baselines.from_bytes(data, "x") == sections
    assert baselines.to_bytes(dict(reversed(sections.items()))) == data
    assert data.isascii()
    assert data.endswith(b"}\n")


def test_a_run_makes_a_section_of_every_canary(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Majority verdicts over the planned seeds, keyed by id with the digest of the canary; another run replaces it."""
    tally = tally_of({"p-1": "PPF", "h-1": "FFP", "c-1": "FFF"}, seeds=3)
    made = baselines.section(tally, plan_of("p-1", "h-1", "c-1", seeds=3), DIGESTS)
    assert made.measuring == DIGESTS.measuring()
    assert made.seeds == 3
    assert {name: entry.passed for name, entry in made.canaries.items()} == {"c-1": False, "h-1": False, "p-1": True}
    assert made.canaries["p-1"] == BaselineEntry(Slice.PUBLIC, True, "sha-p-1")
    other, older = section("other", 1, {}), section("h", 1, {})
    assert baselines.with_section({"other": other, "h": older}, made) == {"other": other, "h": made}


def test_a_run_that_is_not_whole_makes_no_baseline(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """A partial run, a missing canary and one without a result would all hide a later loss."""
    with pytest.raises(NotMeasured, match="only canary p-1"):
        baselines.section(tally_of({"p-1": "P"}, seeds=1), plan_of("p-1", partial="only canary p-1"), DIGESTS)
    with pytest.raises(NotMeasured, match="h-1"):
        baselines.section(tally_of({"p-1": "P"}, seeds=1), plan_of("p-1", "h-1"), DIGESTS)
    with pytest.raises(NotMeasured, match="h-1"):
        baselines.section(tally_of({"p-1": "P", "h-1": "E"}, seeds=1), plan_of("p-1", "h-1"), DIGESTS)


def test_the_section_is_picked_by_the_harness_of_the_rows(tally_of: MakeTally) -> None:
    """Rows of another harness, of several, or of none have no section."""
    sections = {"h": section("h", 1, {}), "k": section("k", 1, {})}
    tally = tally_of({"p-1": "P"})
    assert baselines.pick(sections, tally) is sections["h"]
    assert baselines.pick({"k": sections["k"]}, tally) is None
    assert baselines.pick(sections, Tally()) is None


def broken(change: Callable[[dict[str, Any]], object]) -> bytes:
    """A good file with one change."""
    data = baselines.to_bytes({"h": section("h", 1, {"p-1": BaselineEntry(Slice.PUBLIC, True, "d")})})
    value = json.loads(data)
    change(value)
    return json.dumps(value).encode()


def part(value: dict[str, Any]) -> dict[str, Any]:
    """The section of a file."""
    found: dict[str, Any] = value["sections"]["h"]
    return found


BAD = [
    (b"", "not a baseline file"),
    (b"[]", "must be an object, not list"),
    (b"\xff", "not a baseline file"),
    (b"[" * 100_000, "not a baseline file"),
    (b'{"schema": 1, "schema": 1}', "key `schema` stands twice"),
    (b"{}", "schema: is missing"),
    (broken(lambda v: v.update(schema=2)), "reads schema 1, not 2"),
    (broken(lambda v: v.update(schema=True)), "schema: must be int, not bool"),
    (broken(lambda v: v.update(extra=1)), "extra: is not a key of a baseline file"),
    (broken(lambda v: part(v).pop("measuring")), "sections.h.measuring: is missing"),
    (broken(lambda v: part(v)["measuring"].pop("grader")), "sections.h.measuring.grader: is missing"),
    (broken(lambda v: part(v)["measuring"].update(harness="k")), "differs from the key of its section"),
    (broken(lambda v: part(v).update(seeds=0)), "sections.h.seeds: must be at least 1"),
    (broken(lambda v: part(v)["canaries"]["p-1"].update(passed=1)), "canaries.p-1.passed: must be bool, not int"),
    (broken(lambda v: part(v)["canaries"]["p-1"].update(slice="x")), "`x` is not one of public, hidden, canary"),
    (broken(lambda v: part(v)["canaries"].update({"p-2": None})), "canaries.p-2: must be an object, not NoneType"),
]


@pytest.mark.parametrize(("data", "reason"), BAD, ids=range(len(BAD)))
def test_a_file_that_is_no_baseline_says_why(data: bytes, reason: str) -> None:
    """Each fault is named with the key that it is at, and the exit code is 64."""
    with pytest.raises(ConfigError) as caught:
        baselines.from_bytes(data, "goldens/baseline.json")
    assert reason in caught.value.message
    assert caught.value.message.startswith("goldens/baseline.json: ")
    assert caught.value.exit_code == 64


def test_all_faults_are_shown_at_once() -> None:
    """Two faults in two places are two problems."""

    def change(value: dict[str, Any]) -> None:
        part(value).update(seeds="3")
        part(value)["extra"] = 1

    with pytest.raises(ConfigError) as caught:
        baselines.from_bytes(broken(change), "x")
    assert len(caught.value.problems) == 2


def test_a_missing_baseline_says_how_to_write_one(tmp_path: Path) -> None:
    """The remedy is in the message."""
    with pytest.raises(ConfigError, match="--write-baseline"):
        baselines.read(tmp_path / "baseline.json")
