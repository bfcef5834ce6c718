"""The matrix, measured once for these graders and these cheats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from gate.audit.digest import house_digest
from gate.audit.kept import Kept
from gate.audited import Column, Matrix
from gate.grading.grade import grader_digest
from gate.trials.stand import Stand


def known_matrix(stand: Stand, kept: Kept | None, measure: Callable[[], Matrix]) -> Matrix:
    """The matrix as it is remembered, or measured now. One with a flaw or a gap is measured again each time."""
    house = house_digest() + grader_digest(stand.python, stand.node) + stand.fence.name
    key = hashlib.sha256(f"matrix {house}".encode()).hexdigest()
    known = kept.get(key) if kept else None
    found = restored(known) if known is not None else None
    if found is None:
        found = measure()
        if kept and not any(column.flaw or column.unmeasured for column in found.columns):
            kept.put(key, remembered(found))
    return found


def remembered(matrix: Matrix) -> dict[str, Any]:
    """A matrix as it is kept between runs."""
    return {
        "cheats": list(matrix.cheats),
        "columns": [
            {**column.to_json(), "grader": column.grader, "floor": None if column.floor is None else str(column.floor)}
            for column in matrix.columns
        ],
        "dead": list(matrix.dead),
    }


def restored(data: Mapping[str, Any]) -> Matrix | None:
    """The same, read back; None where it is not one of ours."""
    try:
        return Matrix(tuple(data["cheats"]), tuple(_column(entry) for entry in data["columns"]), tuple(data["dead"]))
    except (KeyError, TypeError, ValueError):
        return None


def _column(entry: Mapping[str, Any]) -> Column:
    return Column(
        grader=entry["grader"],
        kind=entry["kind"],
        fooled_by=tuple(entry["fooled_by"]),
        of=entry["of"],
        gold_passes=entry["gold_passes"],
        null_fails=entry["null_fails"],
        tries=entry["tries"],
        hits=entry["hits"],
        floor=None if entry["floor"] is None else Fraction(entry["floor"]),
        unmeasured=tuple(entry["unmeasured"]),
    )
