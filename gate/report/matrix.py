"""Cheats against graders as a table: a row for each cheat, a column for each grader, the counts below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from gate.audited import Column, Matrix
from gate.report.colour import Colour, paint
from gate.report.text import cut, pad, plain, wrapped
from gate.report.text import width as columns_of

_CELL = 4
_LEGEND = 5
_MOST_DEAD = 5

_FOOLED = {"structured": Colour.BAD, "vector": Colour.OPEN, "exit-code": Colour.OPEN}
"""How bad it is that a grader was fooled; of naive ones it is expected, and shows that the cheat is alive."""


def matrix_lines(matrix: Matrix, *, colour: bool, width: int, all_rows: bool) -> Iterator[str]:
    """The table and its legend. Without `all_rows` only cheats that fooled a grader, or that one could not measure."""
    rows = _rows(matrix)
    shown = (
        rows if all_rows else [name for name in rows if any(_mark(name, column) != "." for column in matrix.columns)]
    )
    yield f"{len(rows)} cheats against {len(matrix.columns)} graders (x fooled, . not fooled, ? not measured)"
    named = list(zip(_letters(len(matrix.columns)), matrix.columns, strict=True))
    room = max([len("cheat"), *(columns_of(plain(name)) for name in shown)])
    room = max(12, min(room, width - _CELL * min(len(named), 8) - 1))
    at_once = max(1, (width - room) // _CELL)
    for start in range(0, len(named), at_once):
        yield ""
        yield from _block(shown, named[start : start + at_once], room, colour)
    if hidden := len(rows) - len(shown):
        yield f"{hidden} more fooled no grader; `--all` shows them"
    yield ""
    for letter, column in named:
        yield from _legend(letter, column, colour, width)
    if matrix.dead:
        yield from wrapped(_dead(matrix.dead), " " * _LEGEND, "", width)


def _rows(matrix: Matrix) -> list[str]:
    """Every cheat, those included that only a column names."""
    stray = [name for column in matrix.columns for name in (*column.fooled_by, *column.unmeasured)]
    return list(dict.fromkeys([*matrix.cheats, *stray]))


def _letters(n: int) -> Iterator[str]:
    for number in range(n):
        first, second = divmod(number, len(ascii_uppercase))
        yield (ascii_uppercase[first - 1] if first else "") + ascii_uppercase[second]


def _mark(name: str, column: Column) -> str:
    return "x" if name in column.fooled_by else "?" if name in column.unmeasured else "."


def _block(names: Sequence[str], named: Sequence[tuple[str, Column]], room: int, colour: bool) -> Iterator[str]:
    yield _line("cheat", [letter for letter, _ in named], room)
    gold = [("yes" if column.gold_passes else "NO") for _, column in named]
    null = [("no" if column.null_fails else "YES") for _, column in named]
    yield _line("right passes", gold, room, [_alarm(word == "NO", colour) for word in gold])
    yield _line("empty passes", null, room, [_alarm(word == "YES", colour) for word in null])
    for name in names:
        marks = [_mark(name, column) for _, column in named]
        hues = [_hue(mark, column) if colour else None for mark, (_, column) in zip(marks, named, strict=True)]
        yield _line(cut(plain(name), room), marks, room, hues)
    fooled = [str(len(column.fooled_by)) for _, column in named]
    yield _line("fooled", fooled, room)
    yield _line("of", [str(column.of) for _, column in named], room)


def _alarm(wrong: bool, colour: bool) -> Colour | None:
    return Colour.BAD if wrong and colour else None


def _hue(mark: str, column: Column) -> Colour | None:
    if mark == "x":
        return _FOOLED.get(column.kind)
    return Colour.OPEN if mark == "?" else Colour.QUIET


def _line(name: str, cells: Sequence[str], room: int, hues: Sequence[Colour | None] = ()) -> str:
    hues = hues or [None] * len(cells)
    blanks = [" " * max(1, _CELL - len(cell)) for cell in cells]
    painted = [paint(cell, hue, on=hue is not None) for cell, hue in zip(cells, hues, strict=True)]
    return pad(name, room) + "".join(blank + cell for blank, cell in zip(blanks, painted, strict=True))


def _legend(letter: str, column: Column, colour: bool, width: int) -> Iterator[str]:
    text = f"{column.grader} ({column.kind}): fooled by {len(column.fooled_by)} of {column.of}"
    if column.tries:
        text += f"; adaptive cheats passed {column.hits} of {column.tries} tries"
    if column.floor is not None:
        text += f"; guessing alone passes {float(column.floor):.4f}"
    if column.unmeasured:
        text += f"; {len(column.unmeasured)} not measured"
    yield from wrapped(text, " " * _LEGEND, letter, width)
    if column.flaw:
        yield from (
            paint(line, Colour.BAD, colour) for line in wrapped(f"BROKEN {column.flaw}", " " * _LEGEND, "", width)
        )


def _dead(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_DEAD])
    more = f" and {len(names) - _MOST_DEAD} more" if len(names) > _MOST_DEAD else ""
    return f"dead, since they fooled no grader at all and so prove nothing: {len(names)} ({shown}{more})"
