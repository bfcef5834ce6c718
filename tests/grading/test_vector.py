"""Twins: no place in a family is special, so a guess is right once in four, for each assertion by itself."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.grading.draw import Draw
from gate.grading.vector import FAMILY, NoTwin, family, twins

LITERALS = st.recursive(
    st.integers(-(10**9), 10**9)
    | st.floats(-1e6, 1e6)
    | st.text(min_size=1, max_size=6)
    | st.binary(min_size=1, max_size=6),
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.tuples(inner, inner),
    max_leaves=5,
)


@settings(max_examples=200, deadline=None)
@given(LITERALS, st.binary(max_size=4))
def test_a_family_holds_the_value_once(value: object, seed: bytes) -> None:
    """Four values of one type, all different, the expected one at its place."""
    made = family(value, Draw(seed, "family"))
    assert len(made.values) == FAMILY
    assert made.values[made.true] == value
    assert all(type(one) is type(value) for one in made.values)
    assert all(one != other for at, one in enumerate(made.values) for other in made.values[:at])


@pytest.mark.parametrize("value", [None, True, False, "", b"", [], (), {}, [None], 1e300, float("nan")])
def test_what_has_no_family_is_said(value: object) -> None:
    """Where four values would not look alike, there are no twins."""
    with pytest.raises(NoTwin):
        family(value, Draw(b"", ""))


STRATEGIES: dict[str, Callable[[list[Any]], Any]] = {
    "first": lambda values: values[0],
    "smallest": min,
    "largest": max,
    "lower median": statistics.median_low,
    "nearest to the mean": lambda values: min(values, key=lambda value: abs(value - statistics.fmean(values))),
}


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_guess_is_right_once_in_four(name: str) -> None:
    """Over many draws, the cheats of the facts page that pick a constant by its place do no better than chance."""
    right = 0
    for seed in range(2000):
        made = family(42, Draw(str(seed).encode(), "family"))
        values = Draw(str(seed).encode(), "order").shuffled(made.values)
        right += STRATEGIES[name](values) == 42
    assert 0.21 < right / 2000 < 0.29


def _condition(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


@pytest.mark.parametrize(
    "source",
    [
        "f(1) == 5",
        "all((f(i) == 5 for i in x))",
        "all([f(i) == 'ab' and f(i) == b'ab' for i in x])",
        "f(1) == [1, 2] if c else f(2) == (3,)",
        "f(1) == WANT if c else f(1) == 7",
    ],
)
def test_versions_differ_in_their_constants_only(source: str) -> None:
    """The true version is the original, and every other one has another constant in each place."""
    made = twins(_condition(source), {"WANT": 9}, Draw(b"x", ""))
    assert made is not None
    shapes = {ast.dump(_Blank().visit(ast.parse(ast.unparse(one), mode="eval"))) for one in made.versions}
    assert len(shapes) == 1
    assert ast.unparse(made.versions[made.true]) == ast.unparse(_condition(source.replace("WANT", "9")))
    assert len({ast.unparse(one) for one in made.versions}) == FAMILY


class _Blank(ast.NodeTransformer):
    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return ast.copy_location(ast.Constant(value=0), node)

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.copy_location(ast.Constant(value=0), node)


@pytest.mark.parametrize(
    "source",
    [
        "f(1)",
        "f(1) != 5",
        "f(1) > 5",
        "f(1) is None or f(1) == 5",
        "f(1) == 6 or f(2) == 5",
        "any(f(i) == 5 for i in x)",
        "f(1) == True or f(1) == 5",
        "not f(1) == 5",
        "f(1) == g(1) or f(1) == 5",
        "f(1) == 5 or ready()",
    ],
)
def test_a_condition_that_another_constant_need_not_break_has_no_twins(source: str) -> None:
    """A twin that may hold would condemn the right answer."""
    assert twins(_condition(source), {}, Draw(b"", "")) is None


def test_draws_are_of_their_label() -> None:
    """Streams with other labels or entropy are others; the same one repeats itself."""
    assert Draw(b"a", "x").name() == Draw(b"a", "x").name()
    assert len({Draw(seed, label).name() for seed in (b"a", b"b", b"") for label in ("x", "y", "ax")}) == 9
    assert sorted(Draw(b"a", "x").shuffled(range(9))) == list(range(9))
