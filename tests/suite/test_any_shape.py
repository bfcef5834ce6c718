"""Whatever a file holds, loading ends in a value or in problems with a place: never in another exception."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.suite import yaml12
from tests.suite.desk import CARD, FILES, TASK, TRAP, Desk

GATE = """\
schema: 1
suite: canaries
hidden: {path: canaries/public}
agent: x
agents: {x: {kind: loop, model: y, tools: [read_file]}}
seeds: 1
policy: {fail_under: 0.5, headline: false}
stack: ["a/**"]
surface: {access_label: a, access_date: 2026-11-29}
"""
TEXTS = {TASK: FILES[TASK], TRAP: FILES[TRAP], CARD: FILES[CARD], "gate.yml": GATE}
SHAPES = {name: yaml12.load(Path(name), text.encode()).data for name, text in TEXTS.items()}

_WORDS = st.sampled_from(
    (
        *("", " ", "..", "/", "fixtures/lib", "tests", "touched", "leak", "null", "<fill in", "a::b"),
        *("\x1b[2J", "2026-02-30", "$x"),
    )
)
_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 10**40), st.floats(-1e300, 1e300), _WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, key: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The key of every value in a document."""
    yield key
    for name, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(item, (*key, name))


def put(value: Any, key: tuple[str | int, ...], new: Any) -> Any:
    """The document with one value replaced."""
    if not key:
        return new
    value = deepcopy(value)
    inner = value
    for part in key[:-1]:
        inner = inner[part]
    inner[key[-1]] = new
    return value


_PLACES = st.sampled_from([(name, key) for name, shape in sorted(SHAPES.items()) for key in places(shape)])


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """One suite for all examples; each restores the file that it broke."""
    return Desk.laid(tmp_path_factory.mktemp("desk"))


@settings(max_examples=200, deadline=None)
@given(_PLACES, _VALUES)
def test_any_value_in_any_place(laid: Desk, place: tuple[str, tuple[str | int, ...]], value: object) -> None:
    """With any value in any place of a canary, a trap, the card or gate.yml: a suite, or problems fit to be printed."""
    name, key = place
    before = (laid.root / name).read_bytes()
    try:
        laid.write(name, json.dumps(put(SHAPES[name], key, value), ensure_ascii=True))
        assert all(problem.isprintable() for problem in laid.problems())
    finally:
        laid.write(name, before)
