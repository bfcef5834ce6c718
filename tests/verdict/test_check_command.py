"""`gate check` as it is started: its exit status, its report object, and no way to 0 that was not earned."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SEED_KEYS = ["slices", "public_hidden_gap", "hidden_wilson_lower_95", "headline_blocked", "blockers"]
OUR_KEYS = {"verdict", "exit_code", "blocker_codes", "statement", "unscored", "run"}


def rows(public: int = 20, hidden: int = 18, traps: int = 0, n: int = 24) -> list[dict[str, Any]]:
    """A whole file: so many passes of `n` in both slices, and of eight traps."""
    sizes = (("public", public, n), ("hidden", hidden, n), ("canary", traps, 8))
    return [
        {"id": f"{name}-{i}", "slice": name, "passed": i < passed, "tool_surface": "local", "prompt_sha256": "abc"}
        for name, passed, size in sizes
        for i in range(size)
    ]


def write(path: Path, content: list[dict[str, Any]]) -> Path:
    """The rows as a file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
    return path


def gate(*argv: str | Path, environ: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """`gate check` as a process of its own."""
    command = [sys.executable, "-m", "gate", "check", *map(str, argv)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ, timeout=60)


def test_a_clear_file_ends_with_zero_and_a_report(tmp_path: Path) -> None:
    """The report object on stdout holds seed 002's keys first and in order, then ours; nothing on stderr."""
    done = gate(write(tmp_path / "o.jsonl", rows()), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert list(report)[:5] == SEED_KEYS
    assert report.keys() >= OUR_KEYS
    assert (report["verdict"], report["exit_code"], report["blocker_codes"]) == ("clear", 0, [])
    assert report["run"]["rows"] == 56
    assert done.stdout == json.dumps(report, indent=2) + "\n"


def with_status(content: list[dict[str, Any]], status: str, *slices: str) -> list[dict[str, Any]]:
    """The rows with this status in these slices."""
    return [row | {"passed": False, "status": status} if row["slice"] in slices else row for row in content]


NEVER_ZERO = {
    "no rows": ([], 2),
    "no canaries": ([row for row in rows() if row["slice"] != "canary"], 2),
    "no hidden slice": ([row for row in rows() if row["slice"] != "hidden"], 2),
    "only traps": ([row for row in rows() if row["slice"] == "canary"], 2),
    "all errors": (with_status(rows(), "error", "public", "hidden", "canary"), 3),
    "hidden errors": (with_status(rows(), "env_missing", "hidden"), 3),
    "a trap that errored": ([*rows()[:-1], rows()[-1] | {"status": "error"}], 3),
    "a trap that passed": (rows(traps=1), 2),
    "no sandbox": ([row | {"tool_surface": "local/unsandboxed"} for row in rows()], 3),
    "two surfaces": ([rows()[0] | {"tool_surface": "server"}, *rows()[1:]], 2),
    "unknown slice": ([rows()[0] | {"slice": "private"}, *rows()[1:]], 64),
    "passed is a text": ([rows()[0] | {"passed": "true"}, *rows()[1:]], 64),
    "passed is a number": ([rows()[0] | {"passed": 1}, *rows()[1:]], 64),
    "a repeated id": ([*rows(), rows()[0]], 64),
}


@pytest.mark.parametrize(("content", "status"), NEVER_ZERO.values(), ids=NEVER_ZERO.keys())
def test_zero_is_never_given_away(tmp_path: Path, content: list[dict[str, Any]], status: int) -> None:
    """Each of these differs from a clear file in one thing."""
    done = gate(write(tmp_path / "o.jsonl", content), "--json")
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert (done.stdout == "") is (status == 64)


def test_a_truncated_last_line_is_never_zero(tmp_path: Path) -> None:
    """Half a row is a usage error with its line, wherever it was cut; a whole last line without newline is a row."""
    path = write(tmp_path / "o.jsonl", rows())
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert gate(path).returncode == 0
    path.write_bytes(whole[:-9])
    done = gate(path)
    assert done.returncode == 64
    assert f"{path}:56: the last line is truncated" in done.stderr


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    """64, one line, no traceback."""
    done = gate(tmp_path / "nowhere.jsonl")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (64, "", 1)


OPTIONS = [
    (["--gap-limit", "0.05"], 2),
    (["--gap-limit", "1/12"], 0),
    (["--gap-limit", ".08"], 2),
    (["--min-slice", "25"], 2),
    (["--min-slice", "25", "--no-headline"], 0),
    (["--fail-under", "0.75"], 0),
    (["--fail-under", "0.7501"], 2),
    (["--min-lower", "0.55"], 0),
    (["--min-lower", "0.56"], 2),
    (["--min-lower", "0.9"], 64),
    (["--max-unscored", "0.5"], 0),
    (["--seeds", "1"], 0),
    (["--seeds", "3"], 3),
    (["--seeds", "0"], 64),
    (["--gap-limit", "nan"], 64),
    (["--gap-limit", "1.5"], 64),
    (["--gap-limit", "-0.1"], 64),
    (["--gap-limit", "1/0"], 64),
    (["--gap-limit", "1e-999999999"], 64),
    (["--min-slice", "0"], 64),
    (["--min-slice", "many"], 64),
    (["--gap", "0.1"], 64),
]


@pytest.mark.parametrize(("options", "status"), OPTIONS, ids=str)
def test_options_are_the_policy(tmp_path: Path, options: list[str], status: int) -> None:
    """Thresholds are read exactly as written; what is no share of canaries is a usage error."""
    done = gate(write(tmp_path / "o.jsonl", rows()), *options)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr


def test_the_report_for_people_ends_with_the_verdict(tmp_path: Path) -> None:
    """Counts, rules, the statement, and in the last line what the exit code says; no colour in a pipe."""
    done = gate(write(tmp_path / "o.jsonl", rows(hidden=7)))
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == "BLOCKED (exit 2)"
    assert "gap: public-hidden gap 0.54 exceeds 0.25" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_report_does_not_die_of_a_name(tmp_path: Path) -> None:
    """A name that the terminal's encoding cannot hold is spelt out."""
    content = [*rows()[:-1], rows()[-1] | {"id": "häslein", "passed": True}]
    environ = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path.cwd())}
    done = gate(write(tmp_path / "o.jsonl", [row | {"tool_surface": "bü"} for row in content]), environ=environ)
    assert done.returncode == 2
    assert "b\\xfc" in done.stdout


def test_the_policy_can_come_from_a_gate_yml(tmp_path: Path) -> None:
    """Its thresholds hold, and an option given beside it wins."""
    (tmp_path / "canaries").mkdir()
    config = tmp_path / "gate.yml"
    config.write_text("schema: 1\nsuite: canaries\npolicy: {gap_limit: 0.05}\n", encoding="utf-8")
    path = write(tmp_path / "o.jsonl", rows())
    assert gate(path, "--config", config).returncode == 2
    assert gate(path, "--config", config, "--gap-limit", "0.25").returncode == 0
    assert gate(path, "--config", tmp_path / "none.yml").returncode == 64


def test_a_baseline_without_a_section_for_these_rows_is_inconclusive(tmp_path: Path) -> None:
    """The comparison was asked for and cannot be made, which is not the same as having lost nothing."""
    baseline = tmp_path / "baseline.json"
    baseline.write_text('{"schema": 1, "sections": {}}', encoding="utf-8")
    done = gate(write(tmp_path / "o.jsonl", rows()), "--baseline", baseline, "--json")
    assert done.returncode == 3
    assert [reason["code"] for reason in json.loads(done.stdout)["reasons"]] == ["no-baseline"]
    baseline.write_text("{", encoding="utf-8")
    assert gate(tmp_path / "o.jsonl", "--baseline", baseline).returncode == 64
