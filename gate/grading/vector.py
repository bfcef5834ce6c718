"""Twins: the same assertion with other constants; exactly one copy may hold, and nobody in the fence knows which.

A family has four values in which no place is special: for a number `expected + D[i] - D[j]` with the true one at a
drawn j (`D` drawn), for text four letters at one drawn place, for a container one of its leaves treated so. A guess is
right once in four, for each assertion by itself. What it does not stop is code that already knows the answer nearly and
snaps to the closest constant; assertions whose literals can stay with the parent are observed instead.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from typing import Any, cast

from gate.grading.draw import Draw
from gate.grading.literal import NotLiteral, fold

FAMILY = 4
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"


class NoTwin(Exception):
    """No four values of this kind look alike: None, a boolean, something empty."""


@dataclass(frozen=True, slots=True)
class Family:
    """Four values that look alike. `true` is the place of the expected one."""

    values: tuple[Any, ...]
    true: int


def family(value: Any, draw: Draw) -> Family:
    """The exchangeable family of a literal. Raises NoTwin where there is none."""
    if isinstance(value, bool) or value is None:
        raise NoTwin
    if isinstance(value, (int, float)):
        return _numbers(value, draw)
    if isinstance(value, (str, bytes)) and value:
        return _texts(value, draw)
    if isinstance(value, (list, tuple)) and value:
        return _containers(value, draw)
    if isinstance(value, dict) and value:
        keys = list(value)
        inner = _containers([value[key] for key in keys], draw)
        return Family(tuple(dict(zip(keys, items, strict=True)) for items in inner.values), inner.true)
    raise NoTwin


def _numbers(value: float, draw: Draw) -> Family:
    offsets = draw.shuffled(range(3 * FAMILY))[:FAMILY]
    true = draw.below(FAMILY)
    values = tuple(value + (offset - offsets[true]) for offset in offsets)
    if len(set(values)) != FAMILY or math.isnan(value):
        raise NoTwin  # a float so large that the offsets vanish, or nan
    return Family(values, true)


def _texts(value: str | bytes, draw: Draw) -> Family:
    text = value if isinstance(value, str) else value.decode("latin-1")
    place = draw.below(len(text))
    char = text[place]
    alphabet = next((one for one in (_LETTERS, _LETTERS.upper(), _DIGITS) if char in one), _LETTERS + char)
    others = [other for other in draw.shuffled(alphabet) if other != char][: FAMILY - 1]
    chars = draw.shuffled([char, *others])
    texts = [text[:place] + other + text[place + 1 :] for other in chars]
    values = tuple(texts) if isinstance(value, str) else tuple(item.encode("latin-1") for item in texts)
    return Family(values, chars.index(char))


def _containers(items: list[Any] | tuple[Any, ...], draw: Draw) -> Family:
    for place in draw.shuffled(range(len(items))):
        try:
            inner = family(items[place], draw)
        except NoTwin:
            continue
        build = type(items)
        return Family(tuple(build([*items[:place], item, *items[place + 1 :]]) for item in inner.values), inner.true)
    raise NoTwin


@dataclass(frozen=True, slots=True)
class Twins:
    """One assertion in `FAMILY` versions; version i is expected to be true only at i == true."""

    versions: tuple[ast.expr, ...]
    true: int


def twins(condition: ast.expr, names: dict[str, Any], draw: Draw) -> Twins | None:
    """The versions of a condition whose truth hangs on equality with literals, or None where that cannot be told.

    Only shapes in which a shifted constant must make the whole false are taken: `all` over equalities, a choice
    between two. In an `or` or an `any` another part may be true, and then a twin would condemn the right answer.
    """
    leaves = _leaves(condition)
    if not leaves:
        return None
    true = draw.below(FAMILY)
    chosen: dict[int, list[ast.expr]] = {}
    for compare in leaves:
        try:
            literal = _literal_side(compare, names)
            made = family(fold(literal, names), draw)
            constants = [_constant(value) for value in made.values]
        except (NoTwin, NotLiteral):
            return None
        # The drawn place of this family moves to the place that the whole assertion has.
        constants[true], constants[made.true] = constants[made.true], constants[true]
        chosen[id(literal)] = constants
    return Twins(tuple(_substitute(condition, chosen, version) for version in range(FAMILY)), true)


def _leaves(node: ast.expr) -> list[ast.Compare]:
    """The equalities that decide a condition, or nothing if anything else decides too."""
    match node:
        case ast.Compare(ops=[ast.Eq()]):
            return [node]
        case ast.BoolOp(op=ast.And(), values=values):
            return _all_leaves(values)
        case ast.IfExp(body=body, orelse=orelse):
            return _all_leaves([body, orelse])
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() | ast.ListComp() as inner], keywords=[]):
            return _leaves(inner.elt)
        case _:
            return []


def _all_leaves(nodes: list[ast.expr]) -> list[ast.Compare]:
    parts = [_leaves(node) for node in nodes]
    return [leaf for part in parts for leaf in part] if all(parts) else []


def _literal_side(compare: ast.Compare, names: dict[str, Any]) -> ast.expr:
    for side in (compare.comparators[0], compare.left):
        try:
            fold(side, names)
        except NotLiteral:
            continue
        return side
    raise NotLiteral


def _constant(value: Any) -> ast.expr:
    node = ast.parse(repr(value), mode="eval").body
    if fold(node, {}) != value:
        raise NoTwin
    return node


def _substitute(condition: ast.expr, chosen: dict[int, list[ast.expr]], version: int) -> ast.expr:
    """A copy of the condition with one version of each literal; the original stays, since the ids are its nodes'."""

    def rebuilt(part: Any) -> Any:
        if isinstance(part, list):
            return [rebuilt(item) for item in part]
        if not isinstance(part, ast.AST):
            return part
        if id(part) in chosen:
            return chosen[id(part)][version]
        return ast.copy_location(type(part)(**{name: rebuilt(value) for name, value in ast.iter_fields(part)}), part)

    return cast("ast.expr", rebuilt(condition))
