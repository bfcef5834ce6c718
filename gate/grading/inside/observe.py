"""What a rewritten assertion calls. It reports what was seen, and never learns what was expected."""

from __future__ import annotations

import operator
from types import TracebackType
from typing import Any, Self

from .wire import Channel, encode, encode_or_opaque, lineage, said

_OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_encode, _encode_or_opaque, _lineage, _said = encode, encode_or_opaque, lineage, said


class Observer:
    """Bound to one channel; its methods become the functions of the module that rewritten tests import."""

    def __init__(self, channel: Channel) -> None:
        self._send = channel.send

    def see(self, site: str, values: tuple[object, ...]) -> None:
        """Report the operands of a comparison."""
        self._send("see", site, [[_encode(value) for value in values]])

    def each(self, site: str, rows: list[tuple[object, ...]]) -> None:
        """Report the operands of a comparison that is made over many rows."""
        self._send("see", site, [[[_encode(value) for value in row] for row in rows]])

    def compare(self, site: str, op: str, values: tuple[Any, Any]) -> None:
        """Report both operands, and how they compare here, which counts only for objects without plain values."""
        left, right = values
        (one, opaque), (other, opaque_too) = _encode_or_opaque(left), _encode_or_opaque(right)
        encoded = [one, other]
        if not (opaque or opaque_too):
            self._send("see", site, [encoded])
            return
        fresh = object()
        # Before the real comparison: an object that takes the first value it meets for its own takes a wrong one.
        early = [_equals(one, twisted) for one, other in (values, values[::-1]) for twisted in _twisted(other)]
        truth = bool(_OPERATORS[op](left, right))
        probes = [*early, _equals(left, fresh), _equals(right, fresh), _equals(fresh, left), _equals(fresh, right)]
        probes += [_equals(other, shell) for other in values if (shell := _shell(other)) is not None]
        self._send("see", site, [encoded, truth, probes])

    def truth(self, site: str, value: object) -> None:
        """Report whether a condition is true."""
        self._send("see", site, [bool(value)])

    def reached(self, site: str) -> None:
        """Report that a test ran to its end."""
        self._send("reached", site)

    def raising(self, site: str, candidates: tuple[object, ...]) -> Raising:
        """A context that reports what was raised in it; which of the candidates was expected is not known here."""
        return Raising(self._send, site, candidates)


class Raising:
    """Stands in for `pytest.raises` and `assertRaises`: swallows the exception and keeps it for later statements."""

    def __init__(self, send: Any, site: str, candidates: tuple[object, ...]) -> None:
        self._send, self._site, self._candidates = send, site, candidates
        self.value: BaseException | None = None

    @property
    def type(self) -> type[BaseException]:
        """The class of what was raised."""
        return type(self.value)  # type: ignore[return-value]

    @property
    def typename(self) -> str:
        """The name of that class."""
        return type(self.value).__name__

    @property
    def tb(self) -> TracebackType | None:
        """Where it was raised."""
        return None if self.value is None else self.value.__traceback__

    def exconly(self) -> str:
        """Class and text on one line, as pytest has it."""
        import traceback

        return "".join(traceback.format_exception_only(self.value)).rstrip()

    @property
    def exception(self) -> BaseException | None:
        """The name that unittest has for it."""
        return self.value

    def match(self, pattern: str) -> bool:
        """As in pytest: the text of the exception has to match."""
        import re

        assert re.search(pattern, str(self.value))  # noqa: S101 - this is an assertion of a test
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: TracebackType | None) -> bool:
        if error is None:
            self._send("see", self._site, [[], [], ""])
            return False
        self.value = error
        names = _lineage(error)
        mro = type(error).__mro__
        flags = [any(candidate is cls for cls in mro) for candidate in self._candidates]
        self._send("see", self._site, [names, flags, _said(error)])
        return True


def _shell(value: object) -> object | None:
    """An object of the same class in which every attribute is another; None for what has no attributes to change."""
    try:
        names = list(object.__getattribute__(value, "__dict__"))
        shell = object.__new__(type(value))
        object.__getattribute__(shell, "__dict__").update({name: object() for name in names})
    except (AttributeError, TypeError):
        return None
    return shell if names else None


def _twisted(value: object) -> list[object]:
    """A plain value that this one is not: whatever equals one of them does not equal the other."""
    if type(value) in (int, float, complex):
        return [value * 2 + 1013]  # type: ignore[operator]
    if type(value) is str:
        return [f"{value}~"]
    if type(value) is list:
        return [[*value, object()]]
    if type(value) is tuple:
        return [(*value, object())]
    return []


def _equals(left: Any, right: Any) -> bool:
    """What `==` says, as a truth; an object that cannot be compared equals nothing."""
    try:
        return bool(left == right)
    except Exception:  # noqa: BLE001 - the code under test wrote this __eq__, for objects of its own making
        return False
