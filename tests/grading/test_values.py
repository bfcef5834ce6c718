"""Values on the wire: nothing is lost between types, and nothing that an object says about itself counts."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import enum
import fractions
import json
import math
import pathlib
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.grading import jsvalues
from gate.grading.inside.wire import class_name, encode, encode_or_opaque
from gate.grading.reason import clean, shown
from gate.grading.values import Derived, Opaque, WireError, declared, decode, opaque_in, plain, strictly_equal

HASHABLE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.binary(max_size=8)
    | st.complex_numbers(allow_nan=False),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=6,
)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.sets(HASHABLE, max_size=4)
        | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


def _over_the_wire(value: object) -> Any:
    return decode(json.loads(json.dumps(encode(value))))


@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_a_plain_value_survives_the_wire(value: object) -> None:
    """What arrives is equal and of the same types, all the way down."""
    arrived = _over_the_wire(value)
    assert strictly_equal(arrived, value)
    assert repr(type(arrived)) == repr(type(value))


@settings(max_examples=150, deadline=None)
@given(VALUES, VALUES)
def test_strict_equality_implies_equality(left: object, right: object) -> None:
    """Strictly equal values are equal; equal ones of other types are not strictly so."""
    if strictly_equal(left, right):
        assert left == right
    assert strictly_equal(left, right) == strictly_equal(right, left)


APART = [
    (1, True),
    (1, 1.0),
    (0, False),
    ("a", b"a"),
    ((1,), [1]),
    ({1}, frozenset({1})),
    ({1: 2}, {True: 2}),
    ([1, [2]], [1, [2.0]]),
    (None, False),
    ("", None),
]


@pytest.mark.parametrize(("left", "right"), APART)
def test_types_are_kept_apart(left: object, right: object) -> None:
    """Equal to Python, or nearly, is not the same value."""
    assert not strictly_equal(_over_the_wire(left), right)


def test_numbers_without_an_equal() -> None:
    """nan is what was asked for when nan was asked for, and a zero has no sign."""
    assert strictly_equal(_over_the_wire(math.nan), math.nan)
    assert strictly_equal(_over_the_wire(-0.0), 0.0)
    assert strictly_equal(_over_the_wire(10**4000), 10**4000)


class AlwaysEqual:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Five(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class Point(collections.namedtuple("Point", "x y")):
    __slots__ = ()


@dataclass
class Spot:
    x: int
    y: list[int]


class Shade(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


@pytest.mark.parametrize("thing", [AlwaysEqual(), Five(3), object(), len, iter([]), type("Five", (), {})()])
def test_an_object_without_a_value_equals_nothing(thing: object) -> None:
    """Not even itself: its own `__eq__` is never asked."""
    arrived = _over_the_wire(thing)
    assert isinstance(arrived, Opaque)
    assert not strictly_equal(arrived, arrived)
    assert arrived != arrived  # noqa: PLR0124 - that is the promise
    assert opaque_in([{"a": (arrived,)}]) is not None
    assert encode_or_opaque([thing])[1]


@pytest.mark.parametrize(
    ("thing", "value"),
    [
        (Point(1, 2), (1, 2)),
        (collections.Counter("aa"), {"a": 2}),
        (collections.OrderedDict(a=1), {"a": 1}),
        (collections.defaultdict(list, a=[1]), {"a": [1]}),
        (Level.LOW, 1),
        ({"a": 1}.keys(), {"a"}),
    ],
)
def test_a_subclass_is_what_it_holds_to_a_test_and_another_type_to_a_call(thing: object, value: object) -> None:
    """`==` in a test sees the content; a declared call asks for the exact type."""
    arrived = _over_the_wire(thing)
    assert isinstance(arrived, Derived)
    assert plain(arrived) == value
    assert not strictly_equal(arrived, value)


@pytest.mark.parametrize(
    "thing",
    [
        decimal.Decimal("1.10"),
        fractions.Fraction(1, 3),
        dt.date(2026, 11, 29),
        dt.datetime(2026, 11, 29, 1, 2, 3, tzinfo=dt.UTC),
        dt.timedelta(seconds=3),
        pathlib.PurePosixPath("a/b"),
        range(1, 9, 2),
        Spot(1, [2]),
        Shade.RED,
    ],
)
def test_plain_values_of_the_standard_library_can_be_compared(thing: object) -> None:
    """Two of them that are equal arrive equal."""
    assert plain(_over_the_wire(thing)) == plain(_over_the_wire(thing))
    assert opaque_in(_over_the_wire(thing)) is None


def test_what_is_too_deep_or_too_large_is_opaque() -> None:
    """A cycle, a tower and a flood end in an opaque value, not in a crash."""
    loop: list[object] = []
    loop.append(loop)
    assert encode(loop) == ["?"]
    assert encode(list(range(200_000))) == ["?"]
    assert isinstance(decode(["?"]), Opaque)


HOSTILE = [
    None,
    5,
    [],
    ["zz"],
    ["i"],
    ["i", 5],
    ["i", "0x" + "f" * 400_000],
    ["b", 1],
    ["s", 5],
    ["f", "x"],
    ["d", [[["l", []], ["n"]]]],
    ["S", [["l", []]]],
    ["x", "decimal.Decimal", "huh"],
    ["x", "fractions.Fraction", ["0x1", "0x0"]],
    ["x", "os.system", "true"],
    ["r", "a", [5]],
]


@pytest.mark.parametrize("wire", HOSTILE)
def test_what_is_not_our_encoding_is_refused(wire: object) -> None:
    """Whatever the child sends, the answer is one kind of error."""
    with pytest.raises(WireError):
        decode(wire)


def test_a_tower_on_the_wire_is_refused() -> None:
    """Nesting that no honest child sends does not exhaust the parent."""
    wire: list[Any] = ["n"]
    for _ in range(5000):
        wire = ["l", [wire]]
    with pytest.raises(WireError):
        decode(wire)


def test_a_class_that_claims_to_be_a_builtin_is_not_called_one() -> None:
    """The name of a builtin belongs to the builtin."""
    assert class_name(ValueError) == "builtins.ValueError"
    assert class_name(type("ValueError", (Exception,), {"__module__": "builtins"})) == "?.ValueError"


DECLARED = [
    ({"$tuple": [1, {"$set": [2]}]}, (1, {2})),
    ({"$frozenset": [1]}, frozenset({1})),
    ({"$bytes": "AAE="}, b"\x00\x01"),
    ({"a": [{"$float": "inf"}]}, {"a": [math.inf]}),
    ({"$tuple": [1], "b": 2}, {"$tuple": [1], "b": 2}),
]


@pytest.mark.parametrize(("given_value", "value"), DECLARED)
def test_tags_of_a_canary(given_value: object, value: object) -> None:
    """A tag stands for the type that YAML does not have."""
    assert strictly_equal(declared(given_value), value)


@pytest.mark.parametrize("given_value", [{"$tupel": [1]}, {"$tuple": 5}, {"$bytes": "%%"}, {"$float": "x"}])
def test_a_wrong_tag_is_an_error(given_value: object) -> None:
    """A typo never becomes a dictionary that nothing equals."""
    with pytest.raises(ValueError, match=r"tag|base64|float"):
        declared(given_value)


JS_APART = [
    (1, {"$bigint": 1}),
    (0.0, {"$float": "-0.0"}),
    (None, {"$undefined": True}),
    ("1", 1),
    ([1], {"$set": [1]}),
    ({"a": 1}, {"$map": [["a", 1]]}),
    (True, 1),
]


@pytest.mark.parametrize(("left", "right"), JS_APART)
def test_types_of_javascript_are_kept_apart(left: object, right: object) -> None:
    """What deepStrictEqual tells apart is two values."""
    assert not jsvalues.same(jsvalues.declared(left), jsvalues.declared(right))
    assert jsvalues.same(jsvalues.declared(left), jsvalues.declared(left))


def test_order_that_is_none() -> None:
    """Keys of objects, members of sets and maps have no order; elements of arrays do."""
    one, other = {"a": 1, "b": [1, 2]}, {"b": [1, 2], "a": 1}
    assert jsvalues.same(jsvalues.declared(one), jsvalues.declared(other))
    assert jsvalues.same(jsvalues.declared({"$set": [1, 2]}), jsvalues.declared({"$set": [2, 1]}))
    assert not jsvalues.same(jsvalues.declared([1, 2]), jsvalues.declared([2, 1]))
    assert jsvalues.same(jsvalues.declared(math.nan), jsvalues.declared(math.nan))


def test_reasons_do_not_change_between_runs() -> None:
    """Addresses, drawn names, folders and timings leave a reason; control characters become visible."""
    text = "<f at 0x7f3a2b1c> in /tmp/x/y after 0.123 s, n0123456789abcdef\x1b[31m\n::error::"
    out = clean(text, hide=["/tmp/x"])
    assert out == "<f at 0x…> in …/y after … s, …\\x1b[31m\\n::error::"
    assert len(clean("x" * 10_000)) == 300
    assert shown({"b", "a", "c"}) == "{'a', 'b', 'c'}"
