"""`gate check` says what seed 002's script says, on more than a thousand random files, with the gap decided exactly."""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gate.commands import check

FILES = 1200
SIZES = (0, 1, 3, 12, 16, 19, 20, 20, 21, 24, 24, 28, 40)


def independent_report(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The published rule, read once more from its description and not from this project.

    Differs from the script in one thing: whether the gap is above a quarter is decided in whole numbers.
    """
    members: dict[str, list[bool]] = {"public": [], "hidden": [], "canary": []}
    for row in rows:
        members[row["slice"]].append(row["passed"])
    counts = {name: (passes.count(True), len(passes)) for name, passes in members.items()}
    shown = {name: round(k / n, 4) if n else 0.0 for name, (k, n) in counts.items()}

    (k_public, n_public), (k_hidden, n_hidden) = counts["public"], counts["hidden"]
    difference = shown["public"] - shown["hidden"]
    blockers = []
    if len({row.get("tool_surface") for row in rows}) != 1:
        blockers.append("mixed tool_surface; split the report")
    if len({row.get("prompt_sha256") for row in rows}) != 1:
        blockers.append("mixed prompt hash; freeze the template")
    if min(n_public, n_hidden) < 20:
        blockers.append("slice smaller than 20; no headline")
    elif 4 * (k_public * n_hidden - k_hidden * n_public) > n_public * n_hidden:
        blockers.append(f"public-hidden gap {difference:.2f} exceeds 0.25")
    k_traps, n_traps = counts["canary"]
    if n_traps == 0:
        blockers.append("no canaries")
    elif k_traps:
        blockers.append(f"{k_traps} canary passes")

    lower = 0.0
    if n_hidden:
        share, weight = k_hidden / n_hidden, 1.96 * 1.96 / n_hidden
        spread = 1.96 * math.sqrt(share * (1 - share) / n_hidden + weight / (4 * n_hidden))
        lower = max(0.0, (share + weight / 2 - spread) / (1 + weight))
    return {
        "slices": {name: {"passed": k, "n": n, "rate": shown[name]} for name, (k, n) in counts.items()},
        "public_hidden_gap": round(difference, 4),
        "hidden_wilson_lower_95": round(lower, 4),
        "headline_blocked": bool(blockers),
        "blockers": blockers,
    }


def random_rows(chance: random.Random) -> list[dict[str, Any]]:
    """Rows with unique ids; sizes around 20, gaps around a quarter, digests that agree, differ or are not there."""
    n_public, n_hidden = chance.choice(SIZES), chance.choice(SIZES)
    if chance.random() < 0.5:
        n_hidden = n_public
    k_hidden = chance.randint(0, n_hidden)
    near = k_hidden / n_hidden * n_public + n_public / 4 if n_hidden else n_public / 2
    k_public = min(n_public, max(0, round(near) + chance.choice((-2, -1, 0, 0, 0, 1, 2))))
    n_traps = chance.choice((0, 1, 8, 8, 8))
    k_traps = min(n_traps, chance.choice((0, 0, 0, 0, 1, 2)))
    sizes = (("public", k_public, n_public), ("hidden", k_hidden, n_hidden), ("canary", k_traps, n_traps))
    rows: list[dict[str, Any]] = [
        {"id": f"{name}-{number}", "slice": name, "passed": number < passed}
        for name, passed, n in sizes
        for number in range(n)
    ]
    chance.shuffle(rows)
    for key in ("tool_surface", "prompt_sha256"):
        manner = chance.choice(("same", "same", "same", "same", "absent", "null", "some absent", "two"))
        for row in rows:
            if manner == "same" or (manner == "some absent" and chance.random() < 0.8):
                row[key] = "abc"
            elif manner == "null":
                row[key] = None
            elif manner == "two":
                row[key] = chance.choice(("abc", "def"))
    return rows


def parsed(*argv: str) -> argparse.Namespace:
    """The arguments of `gate check`."""
    parser = argparse.ArgumentParser()
    check.configure(parser)
    return parser.parse_args(argv)


def test_a_thousand_random_files_agree_with_an_independent_reading(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Slices, gap, bound, headline, blockers and exit status are the published ones; every kind of file was met."""
    met: Counter[str] = Counter()
    path = tmp_path / "outcomes.jsonl"
    for number in range(FILES):
        rows = random_rows(random.Random(number))
        blank = "\n" * (number % 3)
        path.write_text("".join(json.dumps(row) + "\n" + blank for row in rows), encoding="utf-8")
        status = check.run(parsed(str(path), "--json"))
        report = json.loads(capsys.readouterr().out)
        expected = independent_report(rows)
        assert {key: report[key] for key in expected} == expected, f"file {number}"
        assert list(report)[: len(expected)] == list(expected), f"file {number}"
        assert status == report["exit_code"] == (2 if expected["blockers"] else 0), f"file {number}"
        met.update(expected["blockers"] or ["clear"])
        public, hidden = expected["slices"]["public"], expected["slices"]["hidden"]
        if min(public["n"], hidden["n"]) >= 20:
            gap = Fraction(public["passed"], public["n"]) - Fraction(hidden["passed"], hidden["n"])
            met["exactly a quarter"] += gap == Fraction(1, 4)
    kinds = ("clear", "exactly a quarter", "no canaries", "1 canary passes", "slice smaller than 20; no headline")
    mixed = ("mixed tool_surface; split the report", "mixed prompt hash; freeze the template")
    assert all(met[kind] >= 20 for kind in (*kinds, *mixed)), met
    assert sum(count for kind, count in met.items() if "gap" in kind) >= 20, met


def test_a_gap_of_exactly_a_quarter_does_not_breach(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """17/24 - 11/24 is a quarter, and more than a quarter in floats; one pass more breaches."""
    assert 17 / 24 - 11 / 24 > 0.25
    for public, status in ((17, 0), (18, 2)):
        sizes = (("public", public, 24), ("hidden", 11, 24), ("canary", 0, 8))
        rows = [{"id": f"{s}{i}", "slice": s, "passed": i < k} for s, k, n in sizes for i in range(n)]
        path = tmp_path / "outcomes.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        assert check.run(parsed(str(path), "--json")) == status
        capsys.readouterr()
