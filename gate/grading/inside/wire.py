"""What the code under test did, as bytes on a private descriptor: values, not objects, so that no `__eq__` decides.

Everything here runs in the same process as the code that is judged, and that code may replace any of it. It gains
nothing by that: expected values are not in this process, so a forged record still has to hold the right answer.
Every builtin that is used later is bound now, before the code under test is loaded.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import json
import os
import pathlib
import threading
import types
import uuid
from collections.abc import Iterable
from typing import Any

MAX_DEPTH = 60
MAX_NODES = 100_000

_dumps = json.JSONEncoder(ensure_ascii=True, check_circular=False, separators=(",", ":")).encode
_write = os.write
_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__
_module_of = type.__dict__["__module__"].__get__
_qualname_of = type.__dict__["__qualname__"].__get__
_bases: tuple[type, ...] = (int, float, str, bytes, bytearray, tuple, list, dict, set, frozenset)
_views: dict[Any, str] = {type(getattr({}, name)()): f"dict_{name}" for name in ("keys", "items", "values")}
_dataclass_fields = dataclasses.fields
_object_get = object.__getattribute__
_plain_text: dict[Any, str] = {
    decimal.Decimal: "decimal.Decimal",
    dt.date: "datetime.date",
    dt.datetime: "datetime.datetime",
    dt.time: "datetime.time",
    pathlib.PosixPath: "pathlib.Path",
    pathlib.PurePosixPath: "pathlib.PurePath",
    uuid.UUID: "uuid.UUID",
}


class TooLarge(Exception):
    """A value with more parts, or deeper, than anybody compares."""


class Channel:
    """The way out: a copy of standard output that only we hold; what the code prints goes to standard error."""

    def __init__(self) -> None:
        self._fd = os.dup(1)
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def send(self, *record: object) -> None:
        """One record, one line."""
        data = (_dumps(record) + "\n").encode("ascii")
        with self._lock:
            while data:
                data = data[_write(self._fd, data) :]


def class_name(cls: type) -> str:
    """`module.qualname`. A class that only claims to be a builtin is not called one."""
    module, name = _module_of(cls), _qualname_of(cls)
    if type(module) is not str or type(name) is not str:
        return "?"
    if module == "builtins" and _BUILTIN_CLASSES.get(name) is not cls:
        return f"?.{name}"
    return f"{module}.{name}"[:200]


def encode(value: object) -> list[Any]:
    """A value as tagged lists; what has no plain value becomes `["o", class]`, what is too large `["?"]`."""
    return encode_or_opaque(value)[0]


def encode_or_opaque(value: object) -> tuple[list[Any], bool]:
    """The encoded value, and whether an object without a plain value is in it."""
    count = [0, 0]
    try:
        return _encode(value, 0, count), count[1] > 0
    except TooLarge:
        return ["?"], True


def _encode(value: Any, depth: int, count: list[int]) -> list[Any]:
    count[0] += 1
    if depth > MAX_DEPTH or count[0] > MAX_NODES:
        raise TooLarge
    cls = type(value)
    scalar = _scalar(cls, value)
    if scalar is not None:
        return scalar
    if cls in _CONTAINERS:
        return [_CONTAINERS[cls], [_encode(item, depth + 1, count) for item in list(value)]]
    if cls is dict:
        return ["d", _pairs(dict.items(value), depth, count)]
    if cls in _views:
        return ["k", _views[cls], [_encode(item, depth + 1, count) for item in list(value)]]
    known = _known(cls, value)
    if known is not None:
        return known
    return _instance(cls, value, depth, count)


def _scalar(cls: type, value: Any) -> list[Any] | None:
    """None, numbers and text, by their exact class."""
    if value is None:
        return ["n"]
    if cls is bool:
        return ["b", value]
    if cls is int:
        return ["i", hex(value)]
    if cls is float:
        return ["f", value.hex()]
    if cls is str:
        return ["s", value]
    if cls is bytes:
        return ["y", value.hex()]
    if cls is complex:
        return ["c", value.real.hex(), value.imag.hex()]
    return ["."] if value is ... else None


def _known(cls: type, value: Any) -> list[Any] | None:
    """Plain values of the standard library, by their exact class."""
    if cls in _plain_text:
        return ["x", _plain_text[cls], value.isoformat() if cls.__module__ == "datetime" else str(value)]
    if cls is fractions.Fraction:
        return ["x", "fractions.Fraction", [hex(value.numerator), hex(value.denominator)]]
    if cls is dt.timedelta:
        return ["x", "datetime.timedelta", [value.days, value.seconds, value.microseconds]]
    if cls is range:
        return ["x", "range", [hex(value.start), hex(value.stop), hex(value.step)]]
    return None


def _instance(cls: type, value: Any, depth: int, count: list[int]) -> list[Any]:
    """An object with a plain value after all, or its class's name as `["o", name]`."""
    made = _readable(cls, value, depth, count)
    if made is None:
        count[1] += 1
        return ["o", class_name(cls)]
    return made


def _readable(cls: type, value: Any, depth: int, count: list[int]) -> list[Any] | None:
    """A member of an enumeration, a subclass that keeps its base's equality, or a dataclass."""
    mro = _mro(cls)
    if enum.Enum in mro and not any(base in mro for base in _bases):
        return ["e", class_name(cls), str(_object_get(value, "_name_"))]
    for base in _bases:
        if base in mro:
            if _own(mro, "__eq__", base) or _own(mro, "__ne__", base):
                return None
            return ["u", class_name(cls), _encode(_as_base(base, value), depth + 1, count)]
    if cls in _MAPPINGS:
        return ["u", _MAPPINGS[cls], _encode(dict(value), depth + 1, count)]
    if cls is collections.deque:
        return ["u", "collections.deque", ["l", [_encode(item, depth + 1, count) for item in list(value)]]]
    if "__dataclass_fields__" in _namespace(cls) and _namespace(cls)["__dataclass_params__"].eq:
        fields = [field.name for field in _dataclass_fields(cls) if field.compare]
        return ["r", class_name(cls), [[name, _encode(_object_get(value, name), depth + 1, count)] for name in fields]]
    return None


def _own(mro: Iterable[type], name: str, base: type) -> bool:
    """Whether a class before the base in the order of resolution brings its own `name`."""
    for cls in mro:
        if cls is base or cls in _STANDARD:
            return False
        if name in _namespace(cls):
            return True
    return False


def _as_base(base: Any, value: Any) -> object:
    """The plain value inside an instance of a subclass, read by the base's own methods."""
    if base is int:
        return int.__add__(value, 0)
    if base is float:
        return float.fromhex(float.hex(value))
    if base is dict:
        return dict(dict.items(value))
    if base in (set, frozenset):
        return base(base.__iter__(value))
    if base is bytearray:
        return bytes(bytearray.__getitem__(value, slice(None)))
    return base.__getitem__(value, slice(None))


def _pairs(items: Iterable[tuple[object, object]], depth: int, count: list[int]) -> list[Any]:
    return [[_encode(key, depth + 1, count), _encode(item, depth + 1, count)] for key, item in list(items)]


def decode(wire: list[Any]) -> Any:
    """A value from the parent: plain types only, trusted."""
    tag, *rest = wire
    if tag in ("t", "l", "S", "F"):
        build: Any = {"t": tuple, "l": list, "S": set, "F": frozenset}[tag]
        return build([decode(item) for item in rest[0]])
    if tag == "d":
        return {decode(key): decode(item) for key, item in rest[0]}
    scalars: dict[str, Any] = {
        "n": lambda: None,
        "b": bool,
        "i": lambda text: int(text, 16),
        "f": float.fromhex,
        "s": str,
        "y": bytes.fromhex,
    }
    return scalars[tag](*rest)


def lineage(error: BaseException) -> list[str]:
    """The names of an exception's class and of all its bases."""
    return [class_name(cls) for cls in _mro(type(error))][:50]


def said(error: BaseException) -> str:
    """`str(error)`, or nothing when even that fails. Longer texts are cut."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - the code under test wrote this __str__
        return ""
    return text[:4000] if type(text) is str else ""


_CONTAINERS: dict[Any, str] = {tuple: "t", list: "l", set: "S", frozenset: "F"}
_MAPPINGS: dict[Any, str] = {
    types.MappingProxyType: "types.MappingProxyType",
    collections.UserDict: "collections.UserDict",
    collections.ChainMap: "collections.ChainMap",
}
_STANDARD = frozenset({collections.defaultdict, collections.OrderedDict, collections.Counter, enum.IntEnum, enum.Enum})
_BUILTIN_CLASSES = {name: item for name, item in vars(__import__("builtins")).items() if isinstance(item, type)}
