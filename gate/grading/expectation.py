"""What the parent holds: for each observation the question whether what was seen is right.

A judgement is None when it holds, else a reason that shows what was seen and never what was expected: reasons end up
in rows and reports, and the expected values of a hidden test are worth hiding.
"""

from __future__ import annotations

import builtins
import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from gate.grading.literal import Approx
from gate.grading.reason import shown
from gate.grading.values import Derived, WireError, decode, opaque_in, plain

MAX_SEARCHED = 100_000
MAX_MESSAGE = 4000
MAX_UNRELATED = 2

Form = Literal["observed", "vector", "held"]


@dataclass(frozen=True, slots=True)
class Seen:
    """An operand that the child reports: its place among the reported values."""

    index: int


@dataclass(frozen=True, slots=True)
class Held:
    """An operand that never leaves the parent."""

    value: Any


Operand = Seen | Held


@dataclass(frozen=True, slots=True)
class Comparison:
    """`a op b op c` over seen and held operands; `negated` for `assert not a op b`."""

    operands: tuple[Operand, ...]
    ops: tuple[str, ...]
    negated: bool = False

    def judge(self, payload: Sequence[Any]) -> str | None:
        """`payload` is [encoded operands] or [encoded operands, truth in the process, probes]."""
        holds, reason = self.verdict(payload)
        return None if holds else reason

    def verdict(self, payload: Sequence[Any]) -> tuple[bool | None, str]:
        """Whether it holds, or None where that cannot be said, and what was seen."""
        seen = [decode(item) for item in payload[0]]
        if len(seen) != sum(isinstance(operand, Seen) for operand in self.operands):
            raise WireError("another number of operands than were asked for")
        if self.ops in (("in",), ("not in",)) and isinstance(self.operands[1], Seen):
            seen[self.operands[1].index] = _asked(seen[self.operands[1].index])
        hidden = next((name for value in seen if (name := opaque_in(value)) is not None), None)
        if hidden is not None and not set(self.ops) <= {"is", "is not"}:
            return self._in_process(hidden, payload)
        values = [plain(seen[item.index]) if isinstance(item, Seen) else item.value for item in self.operands]
        try:
            holds = all(_OPS[op](values[place], values[place + 1]) for place, op in enumerate(self.ops))
        except (TypeError, ValueError, ArithmeticError, RecursionError, re.error) as error:
            return None, f"saw {_all_shown(seen)}, which cannot be compared: {type(error).__name__}"
        return holds is not self.negated, f"saw {_all_shown(seen)}"

    def _in_process(self, hidden: str, payload: Sequence[Any]) -> tuple[bool | None, str]:
        """Objects without plain values: an operand that is held settles it, else the child's own comparison stands.

        That comparison ran the code's own `__eq__`. The probes asked it about a fresh object, which equals nothing.
        """
        if len(payload) == 1 or any(isinstance(operand, Held) for operand in self.operands):
            return None, f"saw an object of class {shown(hidden)}, which has no plain value"
        truth, probes = payload[1], payload[2]
        if any(probe is not False for probe in probes):
            return None, f"an object of class {shown(hidden)} says that it equals what it cannot equal"
        return truth is not self.negated and type(truth) is bool, "the comparison does not hold"


@dataclass(frozen=True, slots=True)
class Quantity:
    """`all` or `any` of one comparison over rows of seen operands; `rounds` of them, where that is known."""

    comparison: Comparison
    every: bool
    negated: bool = False
    rounds: int | None = None

    @property
    def empty(self) -> bool:
        """Whether it would hold over no rows at all."""
        return self.every is not self.negated

    def judge(self, payload: Sequence[Any]) -> str | None:
        """`payload` is [[encoded operands] for each row]."""
        if self.rounds is not None and len(payload[0]) != self.rounds:
            return f"observed {len(payload[0])} rounds"
        found = [self.comparison.verdict([row]) for row in payload[0]]
        # Each row must be what the whole needs of it; a row of which nothing can be said is neither true nor false.
        wanted = not self.negated
        enough = all if self.empty else any
        if enough(holds is wanted for holds, _ in found):
            return None
        wrong = [reason for holds, reason in found if holds is not wanted]
        return wrong[0] if wrong and not self.negated else "the condition does not hold"


@dataclass(frozen=True, slots=True)
class Truth:
    """Whether an expression is true. Which of the two is right is known here only."""

    expected: bool

    def judge(self, payload: Sequence[Any]) -> str | None:
        """`payload` is [bool]."""
        if type(payload[0]) is not bool:
            raise WireError("a truth that is neither true nor false")
        return None if payload[0] is self.expected else "the condition does not hold"


@dataclass(frozen=True, slots=True)
class Either:
    """A condition that tells nothing: it was looked at with the known answer, and held where it must not."""

    def judge(self, payload: Sequence[Any]) -> str | None:
        """`payload` is [bool], whichever."""
        if type(payload[0]) is not bool:
            raise WireError("a truth that is neither true nor false")
        return None


@dataclass(frozen=True, slots=True)
class Raises:
    """An exception of one of the expected classes.

    A builtin is expected by the name of its class, any other by its place among candidates drawn with decoys.
    """

    names: frozenset[str]
    places: frozenset[int]
    match: str | None = None

    def judge(self, payload: Sequence[Any]) -> str | None:
        """`payload` is [names of the class and its bases, [is it candidate i], text], or [[], [], ""] for none."""
        lineage, flags, text = payload
        if not lineage:
            return "nothing was raised"
        known = self.names & set(lineage) or any(flags[place] is True for place in self.places)
        if not known:
            return f"raised {shown(lineage[0])}"
        if unrelated(lineage) > MAX_UNRELATED:
            return f"raised {shown(lineage[0])}, which claims to be every exception at once"
        if self.match is not None and not re.search(self.match, text[:MAX_MESSAGE]):
            return f"raised {shown(lineage[0])} with another message"
        return None


def unrelated(lineage: Sequence[Any]) -> int:
    """How many builtin exceptions of a lineage are no base of another in it: one or two in any honest class."""
    names = (name.removeprefix("builtins.") for name in lineage if isinstance(name, str))
    found = [getattr(builtins, name, None) for name in names]
    classes = {item for item in found if isinstance(item, type) and issubclass(item, BaseException)}
    return sum(not any(other is not cls and issubclass(other, cls) for other in classes) for cls in classes)


class Expectation(Protocol):
    """What an observation is judged by, in whichever language."""

    def judge(self, payload: Sequence[Any]) -> str | None:
        """None when it holds. May raise on a payload that no honest observer sends."""
        ...


@dataclass(frozen=True, slots=True)
class Site:
    """One assertion of a test file. `once`: it has to be observed exactly once each time its test runs."""

    where: str
    expectation: Expectation
    once: bool
    form: Form

    @property
    def twin(self) -> bool:
        """True for a version with a wrong constant, which must not hold."""
        return self.form == "vector" and self.expectation == Truth(expected=False)

    def judge(self, payload: Sequence[Any]) -> str | None:
        """None when it holds, else the reason with the line in front. A malformed payload is a reason too."""
        try:
            reason = self.expectation.judge(payload)
        except (WireError, TypeError, ValueError, IndexError, KeyError, AttributeError, RecursionError):
            reason = "the observation is malformed"
        return None if reason is None else f"{self.where}: {reason}"


def _all_shown(seen: Sequence[Any]) -> str:
    return " and ".join(shown(plain(value)) for value in seen)


def _equal(left: Any, right: Any) -> bool:
    if isinstance(left, Approx) or isinstance(right, Approx):
        return _near(*((right, left) if isinstance(left, Approx) else (left, right)))
    if type(left) in (list, tuple) and type(left) is type(right):
        return len(left) == len(right) and all(map(_equal, left, right))
    if type(left) is dict and type(right) is dict:
        return left.keys() == right.keys() and all(_equal(left[key], right[key]) for key in left)
    return bool(left == right)


def _near(value: Any, approx: Approx) -> bool:
    """The rule of `pytest.approx`: max(rel * |expected|, abs), 1e-6 and 1e-12 unless given; nan equals nothing."""
    expected = approx.expected
    if isinstance(expected, dict):
        same = isinstance(value, dict) and value.keys() == expected.keys()
        return same and all(_near(value[key], Approx(expected[key], approx.rel, approx.absolute)) for key in expected)
    if isinstance(expected, (list, tuple)):
        same = isinstance(value, (list, tuple)) and len(value) == len(expected)
        pairs = zip(value, expected, strict=True) if same else ()
        return same and all(_near(one, Approx(other, approx.rel, approx.absolute)) for one, other in pairs)
    if not isinstance(expected, (int, float, complex)) or isinstance(expected, bool):
        return bool(value == expected)
    if not isinstance(value, (int, float, complex)):
        return False
    if value == expected:
        return True
    relative = None if approx.rel is None and approx.absolute is not None else (approx.rel or 0.0)
    tolerance = approx.absolute if approx.absolute is not None else 1e-12
    if relative is not None:
        tolerance = max(tolerance, (1e-6 if approx.rel is None else relative) * abs(expected))
    distance = abs(value - expected)
    return math.isfinite(distance) and distance <= tolerance


def _counted(left: Any, right: Any) -> bool:
    """`assertCountEqual`: the same elements, as often, in any order."""
    rest = list(right)
    for item in left:
        place = next((index for index, other in enumerate(rest) if _equal(item, other)), None)
        if place is None:
            return False
        del rest[place]
    return not rest


_OPS: dict[str, Callable[[Any, Any], bool]] = {
    "==": _equal,
    "!=": lambda left, right: not _equal(left, right),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda left, right: any(_equal(left, item) for item in right) if _listed(right) else left in right,
    "not in": lambda left, right: not _OPS["in"](left, right),
    "is": operator.is_,
    "is not": operator.is_not,
    "count": _counted,
    "sequence": lambda left, right: _equal(list(left), list(right)),
    "near<": lambda value, expected: abs(value - expected[0]) < expected[1],
    "near<=": lambda value, expected: abs(value - expected[0]) <= expected[1],
    "isclose": lambda value, expected: math.isclose(value, expected[0], rel_tol=expected[1], abs_tol=expected[2]),
    "search": lambda text, pattern: re.search(pattern, text[:MAX_SEARCHED]) is not None,
    "startswith": lambda text, prefix: text.startswith(prefix),
    "endswith": lambda text, suffix: text.endswith(suffix),
}


def _asked(container: Any) -> Any:
    """What membership asks of a container: of a mapping only its keys, so that its values may be any object."""
    mapping = plain(container) if isinstance(container, Derived) else container
    return list(mapping) if type(mapping) is dict else container


def _listed(value: Any) -> bool:
    return type(value) in (list, tuple)
