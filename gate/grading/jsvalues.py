"""Values of JavaScript, compared in their encoded form: the parent never needs to have one.

Numbers travel as the sixteen hex digits of their IEEE 754 form, so that 0 and -0 are two values and NaN is one.
"""

from __future__ import annotations

import base64
import binascii
import math
import struct
from collections.abc import Mapping
from typing import Any

from gate.grading.values import WireError

Wire = list[Any]

UNDEFINED: Wire = ["undef"]
_NAN = "7ff8000000000000"


def number(value: float) -> Wire:
    """A number. Raises OverflowError for an integer that no double holds."""
    return ["num", _NAN if math.isnan(value) else struct.pack(">d", float(value)).hex()]


def declared(value: Any) -> Wire:
    """A value of a canary as JavaScript sees it. Raises ValueError on an unknown or malformed tag.

    Besides the tags of Python values there are `{$undefined: true}`, `{$bigint: "12"}` and `{$map: [[k, v]]}`.
    """
    if value is None:
        return ["n"]
    if isinstance(value, bool):
        return ["b", value]
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return ["s", value]
    if isinstance(value, (list, tuple)):
        return ["l", [declared(item) for item in value]]
    if isinstance(value, Mapping):
        tag = next(iter(value), None)
        if len(value) == 1 and isinstance(tag, str) and tag.startswith("$"):
            return _tagged(tag, value[tag])
        return ["d", [[str(key), declared(item)] for key, item in value.items()]]
    raise ValueError(f"{value!r} has no form in JavaScript")


def _tagged(tag: str, inner: Any) -> Wire:
    match tag:
        case "$undefined":
            return UNDEFINED
        case "$bigint":
            return ["big", str(int(inner))]
        case "$float":
            return number(float(inner))
        case "$tuple" if isinstance(inner, (list, tuple)):
            return declared(inner)
        case "$set" if isinstance(inner, (list, tuple)):
            return ["S", [declared(item) for item in inner]]
        case "$map" if isinstance(inner, (list, tuple)):
            return ["M", [[declared(key), declared(item)] for key, item in inner]]
        case "$bytes" if isinstance(inner, str):
            try:
                return ["u8", base64.b64decode(inner, validate=True).hex()]
            except binascii.Error as error:
                raise ValueError(f"$bytes: {inner!r} is not base64") from error
        case _:
            pass
    raise ValueError(f"unknown or malformed tag {tag!r} for JavaScript")


def opaque_in(wire: Wire) -> str | None:
    """The class of the first object without a plain value in there, or None. Raises WireError on what is no value."""
    match wire:
        case ["o", str() as name]:
            return name
        case (
            ["n" | "undef" | "hole"] | ["b", bool()] | ["num" | "big" | "s" | "u8" | "D", str()] | ["re", str(), str()]
        ):
            return None
        case ["l" | "S", list() as items]:
            return _first(items)
        case ["d" | "d0", list() as pairs]:
            return _first([_second(pair) for pair in pairs])
        case ["M", list() as pairs]:
            return _first([item for pair in pairs for item in pair])
        case _:
            pass
    raise WireError("a value is not in the agreed encoding")


def _first(items: list[Any]) -> str | None:
    return next((name for item in items if (name := opaque_in(item)) is not None), None)


def _second(pair: Any) -> Any:
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
        raise WireError("a value is not in the agreed encoding")
    return pair[1]


def same(left: Wire, right: Wire) -> bool:
    """Equal as `assert.deepStrictEqual` has it; an opaque object equals nothing."""
    return opaque_in(left) is None and opaque_in(right) is None and canonical(left) == canonical(right)


def canonical(wire: Wire) -> tuple[Any, ...]:
    """The value with everything that has no order brought into one."""
    match wire:
        case ["l", list() as items]:
            return ("l", *map(canonical, items))
        case ["S", list() as items]:
            return ("S", frozenset(map(canonical, items)))
        case ["d" | "d0" as tag, list() as pairs]:
            return (tag, frozenset((key, canonical(item)) for key, item in pairs))
        case ["M", list() as pairs]:
            return ("M", frozenset((canonical(key), canonical(item)) for key, item in pairs))
        case _:
            return tuple(wire)


def loosely_same(left: Wire, right: Wire) -> bool:
    """Equal as `==` and `assert.deepEqual` have it: 1 and "1", null and undefined, 0 and -0."""
    if opaque_in(left) is not None or opaque_in(right) is not None:
        return False
    return _loose(left, right)


def _loose(left: Wire, right: Wire) -> bool:
    if left[0] in ("n", "undef") or right[0] in ("n", "undef"):
        return left[0] in ("n", "undef") and right[0] in ("n", "undef")
    if left[0] == right[0] == "l":
        return len(left[1]) == len(right[1]) and all(map(_loose, left[1], right[1]))
    if left[0] in ("d", "d0") and right[0] in ("d", "d0"):
        one, other = dict(map(tuple, left[1])), dict(map(tuple, right[1]))
        return one.keys() == other.keys() and all(_loose(one[key], other[key]) for key in one)
    if left[0] == right[0] == "s" or left[0] not in _NUMERIC or right[0] not in _NUMERIC:
        return canonical(left) == canonical(right)
    one_number, other_number = as_number(left), as_number(right)
    both_nan = left[0] == right[0] == "num" and math.isnan(one_number) and math.isnan(other_number)
    return both_nan or one_number == other_number


_NUMERIC = ("num", "s", "b", "big")


def as_number(wire: Wire) -> float:
    """The number that a primitive becomes; nan where it becomes none. Raises WireError on an object."""
    match wire:
        case ["num", str() as digits]:
            try:
                return float(struct.unpack(">d", bytes.fromhex(digits))[0])
            except (ValueError, struct.error) as error:
                raise WireError("a number is not in the agreed encoding") from error
        case ["b", bool() as truth]:
            return float(truth)
        case ["s" | "big", str() as text]:
            try:
                return float(text.strip() or 0) if "_" not in text else math.nan
            except (ValueError, OverflowError):
                return math.nan
        case _:
            pass
    raise WireError("an object is not a number")


def shown(wire: Wire) -> str:
    """A short text for a reason."""
    match wire:
        case ["n"]:
            return "null"
        case ["undef"]:
            return "undefined"
        case ["b", truth]:
            return str(truth).lower()
        case ["num", _]:
            value = as_number(wire)
            if value == 0:
                return "-0" if math.copysign(1, value) < 0 else "0"
            if not math.isfinite(value):
                return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
            return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
        case ["big", text]:
            return f"{text}n"
        case ["s", text]:
            return repr(text)
        case ["o", name]:
            return f"an object of class {name}"
        case ["l", items]:
            return f"[{', '.join(shown(item) for item in items[:20])}]"
        case ["d" | "d0", pairs]:
            return f"{{{', '.join(f'{key}: {shown(item)}' for key, item in pairs[:20])}}}"
        case _:
            return f"a value of kind {wire[0]}"
