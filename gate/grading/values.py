"""Values as the parent sees them: decoded from the wire, of exact plain types, compared without anybody's code.

Two ways to be equal. `strictly_equal` keeps 1, 1.0 and True apart and is what declared calls use. Observed tests use
Python's own operators on the decoded values, so that `assert f() == 5` means here what it means in a test.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import decimal
import fractions
import math
import pathlib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MAX_BITS = 1 << 20
MAX_RANGE = 1_000_000
MAX_HASHED = 20_000


class WireError(ValueError):
    """What came over the wire is not in our encoding."""


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """An object that has no plain value. Equal to nothing, itself included."""

    name: str

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an enumeration."""

    enumeration: str
    name: str


@dataclass(frozen=True, slots=True)
class Record:
    """An instance of a dataclass: equal when class and compared fields are."""

    name: str
    fields: tuple[tuple[str, Any], ...]

    def __hash__(self) -> int:
        try:
            return hash((self.name, self.fields))
        except TypeError:  # a field that cannot be hashed, in a class that says it can
            return hash(self.name)


@dataclass(frozen=True, slots=True)
class Derived:
    """A plain value inside an instance of a subclass (a namedtuple, a Counter). Not the exact type."""

    name: str
    value: Any

    __hash__ = object.__hash__


def decode(wire: object) -> Any:
    """The value that the child encoded. Raises WireError on anything that is not our encoding."""
    try:
        return _decode(wire)
    except (KeyError, ValueError, TypeError, IndexError, ArithmeticError, RecursionError) as error:
        raise WireError("a value is not in the agreed encoding") from error


def _decode(wire: Any) -> Any:
    tag, *rest = wire
    return _DECODERS[tag](*rest)


def _integer(text: str) -> int:
    if len(text) > MAX_BITS // 4:
        raise WireError("an integer is too large")
    return int(text, 16)


def _of_type(cls: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is not cls:
            raise WireError(f"not a {cls.__name__}")
        return value

    return check


def _sequence(build: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    return lambda items: build([_decode(item) for item in items])


def _hashed(build: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    """Bounded, because whoever chooses the elements can choose them with one hash."""

    def made(items: list[Any]) -> Any:
        if len(items) > MAX_HASHED:
            return Opaque("a value too large to compare")
        return build([_decode(item) for item in items])

    return made


def _mapping(pairs: list[Any]) -> Any:
    if len(pairs) > MAX_HASHED:
        return Opaque("a value too large to compare")
    return {_decode(key): _decode(item) for key, item in pairs}


def _range(parts: list[Any]) -> Any:
    """A range that can be searched in reasonable time, whatever is searched in it."""
    found = range(*map(_integer, parts))
    return found if len(found) <= MAX_RANGE else Opaque("range")


_STANDARD: dict[str, Callable[[Any], Any]] = {
    "decimal.Decimal": lambda text: decimal.Decimal(_of_type(str)(text)[:10_000]),
    "datetime.date": dt.date.fromisoformat,
    "datetime.datetime": dt.datetime.fromisoformat,
    "datetime.time": dt.time.fromisoformat,
    "datetime.timedelta": lambda parts: dt.timedelta(*parts),
    "fractions.Fraction": lambda parts: fractions.Fraction(_integer(parts[0]), _integer(parts[1])),
    "pathlib.Path": pathlib.PurePosixPath,
    "pathlib.PurePath": pathlib.PurePosixPath,
    "uuid.UUID": uuid.UUID,
    "range": _range,
}

_DECODERS: dict[str, Callable[..., Any]] = {
    "n": lambda: None,
    "b": _of_type(bool),
    "i": _integer,
    "f": float.fromhex,
    "s": _of_type(str),
    "y": bytes.fromhex,
    "c": lambda real, imag: complex(float.fromhex(real), float.fromhex(imag)),
    ".": lambda: ...,
    "t": _sequence(tuple),
    "l": _sequence(list),
    "S": _hashed(set),
    "F": _hashed(frozenset),
    "d": _mapping,
    "k": lambda name, items: Derived(_of_type(str)(name), _sequence(list)(items)),
    "x": lambda name, text: _STANDARD[name](text),
    "e": lambda name, member: Member(_of_type(str)(name), _of_type(str)(member)),
    "u": lambda name, base: Derived(_of_type(str)(name), _decode(base)),
    "r": lambda name, fields: Record(_of_type(str)(name), tuple((key, _decode(item)) for key, item in fields)),
    "o": lambda name: Opaque(_of_type(str)(name)),
    "?": lambda: Opaque("a value too large to compare"),
}


def plain(value: Any) -> Any:
    """The same value with subclasses replaced by what they hold, as `==` in a test would see them."""
    if isinstance(value, Derived):
        return _viewed(plain(value.value)) if value.name in ("dict_keys", "dict_items") else plain(value.value)
    if isinstance(value, Record):
        return Record(value.name, tuple((key, plain(item)) for key, item in value.fields))
    if type(value) in (list, tuple):
        return type(value)(plain(item) for item in value)
    if type(value) in (set, frozenset):
        return type(value)(plain(item) for item in value)
    if type(value) is dict:
        return {plain(key): plain(item) for key, item in value.items()}
    return value


def _viewed(items: Any) -> Any:
    """Keys and items of a dict compare as sets do, unless something in them cannot be in a set."""
    try:
        return frozenset(items)
    except TypeError:
        return items


def opaque_in(value: Any) -> str | None:
    """The class of the first object without a plain value in there, or None."""
    if isinstance(value, Opaque):
        return value.name
    parts: list[Any] = []
    if isinstance(value, Derived):
        parts = [value.value]
    elif isinstance(value, Record):
        parts = [item for _, item in value.fields]
    elif type(value) is dict:
        parts = [*value.keys(), *value.values()]
    elif type(value) in (list, tuple, set, frozenset):
        parts = list(value)
    return next((name for part in parts if (name := opaque_in(part)) is not None), None)


def strictly_equal(left: Any, right: Any) -> bool:
    """Equal in value and in exact type, all the way down. nan equals nan, 0.0 equals -0.0, an opaque object nothing."""
    if opaque_in(left) is not None or opaque_in(right) is not None:
        return False
    return bool(_canonical(left) == _canonical(right))


def _canonical(value: Any) -> tuple[Any, ...]:
    """A value as nested tuples with the name of its type in front, so that equality cannot cross types."""
    if isinstance(value, Derived):
        return ("derived", value.name, _canonical(value.value))
    if isinstance(value, Record):
        return ("record", value.name, tuple((key, _canonical(item)) for key, item in value.fields))
    kind = type(value).__name__
    if type(value) is float:
        return (kind, "nan") if math.isnan(value) else (kind, value)
    if type(value) in (list, tuple):
        return (kind, *map(_canonical, value))
    if type(value) in (set, frozenset):
        return (kind, frozenset(map(_canonical, value)))
    if type(value) is dict:
        return (kind, frozenset((_canonical(key), _canonical(item)) for key, item in value.items()))
    return (kind, value)


def declared(value: Any) -> Any:
    """A value as a canary declares it, with its `{$tag: …}` forms. Raises ValueError on an unknown or malformed tag."""
    if isinstance(value, Mapping):
        tag = next(iter(value), None)
        if len(value) == 1 and isinstance(tag, str) and tag.startswith("$"):
            return _tagged(tag, value[tag])
        return {key: declared(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [declared(item) for item in value]
    return value


def _tagged(tag: str, inner: Any) -> Any:
    if tag in ("$tuple", "$set", "$frozenset") and isinstance(inner, (list, tuple)):
        return {"$tuple": tuple, "$set": set, "$frozenset": frozenset}[tag](declared(item) for item in inner)
    if tag == "$bytes" and isinstance(inner, str):
        try:
            return base64.b64decode(inner, validate=True)
        except binascii.Error as error:
            raise ValueError(f"$bytes: {inner!r} is not base64") from error
    if tag == "$float" and isinstance(inner, (str, int, float)):
        return float(inner)
    raise ValueError(f"unknown or malformed tag {tag!r}: use $tuple, $set, $frozenset, $bytes or $float")
