"""What the parent holds of a JavaScript assertion. A reason shows what was seen, never what was right."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gate.grading.expectation import MAX_MESSAGE, Held, Operand, Seen
from gate.grading.jsvalues import Wire, as_number, canonical, loosely_same, opaque_in, same, shown
from gate.grading.reason import clean
from gate.grading.values import WireError

MAX_FLAGS = 2
"""An error is of the expected class, and that class may itself derive from one of the decoys; never from more."""

LEAVES = frozenset(
    f"builtin.{name}"
    for name in ("TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError")
)


@dataclass(frozen=True, slots=True)
class JsComparison:
    """Two operands under one rule: strictEqual, deepStrictEqual, equal, deepEqual, match, <, <=, >, >=."""

    kind: str
    operands: tuple[Operand, Operand]
    negated: bool = False

    def judge(self, payload: Sequence[Any]) -> str | None:
        """`payload` is [encoded operands] or [encoded operands, truth in the process]."""
        seen = payload[0]
        if len(seen) != sum(isinstance(operand, Seen) for operand in self.operands):
            raise WireError("another number of operands than were asked for")
        hidden = next((name for value in seen if (name := opaque_in(value)) is not None), None)
        objects = self.kind in ("strictEqual", "===") and all(value[0] in ("l", "d", "d0", "M", "S") for value in seen)
        # What lies here settles it: the process may speak only of objects that are both its own.
        own = all(isinstance(operand, Seen) for operand in self.operands)
        if own and (hidden is not None or objects) and len(payload) == 2 and type(payload[1]) is bool:
            return None if payload[1] is not self.negated else "the comparison does not hold"
        left, right = (seen[item.index] if isinstance(item, Seen) else item.value for item in self.operands)
        # An opaque object is still not null and not undefined: `notStrictEqual(x, null)` can be told.
        absent = any(isinstance(item, Held) and item.value in (["n"], ["undef"]) for item in self.operands)
        if hidden is not None and not (absent and self.kind in ("strictEqual", "equal")):
            return f"saw an object of class {clean(hidden, limit=80)}, which has no plain value"
        holds = _RULES[self.kind](left, right)
        return (
            None
            if holds is not self.negated
            else clean(f"saw {' and '.join(shown(value) for value in seen)}", limit=150)
        )


@dataclass(frozen=True, slots=True)
class JsNear:
    """A number that is less than `within` away from `wanted`, or no more than that (`closed`)."""

    wanted: Wire
    within: Wire
    closed: bool
    negated: bool = False

    def judge(self, payload: Sequence[Any]) -> str | None:
        """`payload` is [[the encoded value]], which counts as the number that it becomes. nan is near nothing."""
        (seen,) = payload[0]
        apart = abs(as_number(seen) - as_number(self.wanted))
        limit = as_number(self.within)
        holds = apart <= limit if self.closed else apart < limit
        return None if holds is not self.negated else clean(f"saw {shown(seen)}", limit=150)


@dataclass(frozen=True, slots=True)
class JsThrows:
    """An exception as expected, or none (`nothing`). `name` is an intrinsic class, `places` other classes."""

    nothing: bool = False
    name: str | None = None
    places: frozenset[int] = frozenset()
    pattern: str | None = None
    fields: tuple[tuple[str, str | re.Pattern[str]], ...] = ()

    def judge(self, payload: Sequence[Any]) -> str | None:
        """`payload` is [names of its classes, [is it candidate i], what it says], or [[], [], None] for none."""
        lineage, flags, said = payload
        if said is None:
            return None if self.nothing else "nothing was thrown"
        what = f"threw {clean(str(lineage[0]) if lineage else 'something', limit=80)}"
        if self.nothing:
            return what
        if self.name is not None and f"builtin.{self.name}" not in lineage:
            return what
        if self.places and not any(flags[place] is True for place in self.places):
            return what
        if sum(name in LEAVES for name in lineage) > 1 or sum(flag is True for flag in flags) > MAX_FLAGS:
            return f"{what}, which claims to be every error at once"
        text = f"{said['name']}: {said['message']}" if said["message"] else said["name"]
        if self.pattern is not None and not re.search(self.pattern, text[:MAX_MESSAGE]):
            return f"{what} with another message"
        for field, wanted in self.fields:
            value = said.get(field)
            right = isinstance(value, str) and (
                value == wanted if isinstance(wanted, str) else bool(wanted.search(value[:MAX_MESSAGE]))
            )
            if not right:
                return f"{what} with another {field}"
        return None


def _match(text: Wire, pattern: Any) -> bool:
    return text[0] == "s" and isinstance(pattern, str) and re.search(pattern, text[1]) is not None


def _ordered(test: Callable[[Any, Any], bool]) -> Callable[[Wire, Wire], bool]:
    def compare(left: Wire, right: Wire) -> bool:
        if left[0] == right[0] == "s":
            # JavaScript orders text by UTF-16 units.
            return test(left[1].encode("utf-16-be", "surrogatepass"), right[1].encode("utf-16-be", "surrogatepass"))
        return test(as_number(left), as_number(right))

    return compare


def _loose_equal(left: Wire, right: Wire) -> bool:
    """`==` on primitives; two objects are never the same one."""
    if left[0] in ("l", "d", "d0", "M", "S") or right[0] in ("l", "d", "d0", "M", "S"):
        return False
    if ["n"] in (left, right) or ["undef"] in (left, right):
        return left[0] in ("n", "undef") and right[0] in ("n", "undef")
    return loosely_same(left, right)


def _strict_equal(left: Wire, right: Wire) -> bool:
    """`Object.is` on primitives; a literal object is never the one that was returned."""
    if left[0] in ("l", "d", "d0", "M", "S", "o") or right[0] in ("l", "d", "d0", "M", "S", "o"):
        return False
    return canonical(left) == canonical(right)


def _operator_equal(left: Wire, right: Wire) -> bool:
    """`===`: like strictEqual, but 0 is -0 and NaN is nothing."""
    if left[0] == right[0] == "num":
        return as_number(left) == as_number(right)
    return _strict_equal(left, right)


_RULES: dict[str, Callable[[Any, Any], bool]] = {
    "strictEqual": _strict_equal,
    "===": _operator_equal,
    "deepStrictEqual": same,
    "equal": _loose_equal,
    "deepEqual": loosely_same,
    "match": _match,
    "<": _ordered(lambda left, right: left < right),
    "<=": _ordered(lambda left, right: left <= right),
    ">": _ordered(lambda left, right: left > right),
    ">=": _ordered(lambda left, right: left >= right),
}
