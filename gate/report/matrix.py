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

_READ = "right: the right answer passes; empty: an empty or another wrong answer passes; `--all`: every cheat"

_FOOLED = {"structured": Colour.BAD, "vector": Colour.OPEN, "held": Colour.OPEN, "exit-code": Colour.OPEN}
"""How bad it is that a grader was fooled; of naive ones it is expected, and shows that the cheat is alive."""


def matrix_lines(matrix: Matrix, *, colour: bool, width: int, all_rows: bool) -> Iterator[str]:
    """The counts of each grader, with the cheats that fooled one of ours; with `all_rows` every cheat against each."""
    yield f"{len(_rows(matrix))} cheats against {len(matrix.columns)} graders"
    yield from _table(matrix, colour, width) if all_rows else _counts(matrix, colour, width)
    if matrix.dead:
        yield ""
        yield from wrapped(_dead(matrix.dead), " " * _LEGEND, "", width)


def _counts(matrix: Matrix, colour: bool, width: int) -> Iterator[str]:
    """A line for each grader. Which cheats fooled a weak one is long and belongs to the whole table."""
    room = max([len("grader"), *(columns_of(plain(column.grader)) for column in matrix.columns)])
    room = min(room, max(12, width - 40))
    yield ""
    yield f"{pad('grader', room)}  {pad('kind', 10)}  {'fooled':>9}  right  empty"
    for column in matrix.columns:
        fooled = f"{len(column.fooled_by)}/{column.of}"
        hue = _FOOLED.get(column.kind) if column.fooled_by else Colour.GOOD if column.kind != "naive" else None
        right = paint("yes ", Colour.QUIET, colour) if column.gold_passes else paint("NO  ", Colour.BAD, colour)
        empty = paint("no", Colour.QUIET, colour) if column.null_fails else paint("YES", Colour.BAD, colour)
        count = paint(f"{fooled:>9}", hue, on=colour and hue is not None)
        yield f"{pad(cut(plain(column.grader), room), room)}  {pad(column.kind, 10)}  {count}  {right}   {empty}"
        yield from _below(column, colour, width)
    yield ""
    yield from wrapped(_READ, "", "", width)


def _below(column: Column, colour: bool, width: int) -> Iterator[str]:
    """What has to be said of a grader besides its count."""
    said = [_chance(column)] if column.tries or column.floor is not None else []
    if column.kind in ("vector", "held") and column.fooled_by:
        said.append(f"fooled by {', '.join(map(plain, column.fooled_by))}")
    if column.unmeasured:
        said.append(f"not measured: {', '.join(map(plain, column.unmeasured[:_MOST_DEAD]))}")
    for text in said:
        yield from wrapped(text, "    ", "", width)
    if column.flaw:
        yield from (paint(line, Colour.BAD, colour) for line in wrapped(f"BROKEN {column.flaw}", "    ", "", width))


def _chance(column: Column) -> str:
    text = f"adaptive cheats passed {column.hits} of {column.tries} tries" if column.tries else ""
    floor = f"guessing alone passes {float(column.floor):.4f}" if column.floor is not None else ""
    return "; ".join(part for part in (text, floor) if part)


def _table(matrix: Matrix, colour: bool, width: int) -> Iterator[str]:
    rows = _rows(matrix)
    yield "x fooled, . not fooled, ? not measured"
    named = list(zip(_letters(len(matrix.columns)), matrix.columns, strict=True))
    room = max([len("cheat"), *(columns_of(plain(name)) for name in rows)])
    room = max(12, min(room, width - _CELL * min(len(named), 8) - 1))
    at_once = max(1, (width - room) // _CELL)
    for start in range(0, len(named), at_once):
        yield ""
        yield from _block(rows, named[start : start + at_once], room, colour)
    yield ""
    for letter, column in named:
        yield from _legend(letter, column, colour, width)


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
    text += f"; {chance}" if (chance := _chance(column)) else ""
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
