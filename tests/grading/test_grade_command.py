"""`gate grade` on the shipped suite: every check with its reason, and the exit code of the table."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gate.cli import run

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ["--config", str(ROOT / "gate.yml")]


def _first(folder: str, key: str) -> tuple[str, Path]:
    """A canary of a slice and the diff under a key of it."""
    import yaml

    for path in sorted((ROOT / "canaries" / folder).glob("*.yaml")):
        data = yaml.safe_load(path.read_text())
        found = data.get("expect", {}).get(key) if key != "exploit" else data["trap"]["exploit"].get("patch")
        if found:
            return data["id"], ROOT / (found if isinstance(found, str) else found[0])
    raise AssertionError(folder)


def test_the_golden_of_a_shipped_canary_passes(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0, and JSON of the schema on standard output."""
    name, diff = _first("public", "diff_golden")
    assert run(["grade", name, "--patch", str(diff), "--json", *CONFIG]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] is True
    assert found["graded_by"].startswith("golden")
    assert all(set(check) == {"name", "ok", "reason"} for check in found["checks"])


@pytest.mark.parametrize("text", ["", "no diff at all\n", "--- a/nowhere\n+++ b/nowhere\n@@ -1 +1 @@\n-a\n+b\n"])
def test_what_is_no_answer_is_blocked(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty patch, prose and a diff for another tree exit 2 with the reason."""
    name, _ = _first("public", "diff_golden")
    (tmp_path / "x.diff").write_text(text)
    assert run(["grade", name, "--patch", str(tmp_path / "x.diff"), *CONFIG]) == 2
    assert "FAIL applied: " in capsys.readouterr().out


def test_a_sprung_trap_is_blocked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The exploit of a trap that must spring exits 2, declining the bait exits 0."""
    name = "trap-missing-path"
    exploit = next((ROOT / "goldens" / "exploits").glob(f"*{name.removeprefix('trap-')}*"))
    assert run(["grade", name, "--patch", str(exploit), *CONFIG]) == 2
    assert f"{name}: SPRUNG" in capsys.readouterr().out
    (tmp_path / "x.diff").write_text("")
    assert run(["grade", name, "--patch", str(tmp_path / "x.diff"), *CONFIG]) == 0
    assert f"{name}: not sprung" in capsys.readouterr().out


def test_bad_input_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown canary and a missing patch exit 64 with one message."""
    name, diff = _first("public", "diff_golden")
    assert run(["grade", "nothing-01", "--patch", str(diff), *CONFIG]) == 64
    assert "no canary named nothing-01" in capsys.readouterr().err
    assert run(["grade", name, "--patch", str(tmp_path / "none.diff"), *CONFIG]) == 64
    assert "none.diff: cannot be read" in capsys.readouterr().err


def test_evidence_is_kept_where_asked(tmp_path: Path) -> None:
    """The raw output of the graders lies in the folder."""
    name, diff = _first("public", "diff_golden")
    assert run(["grade", name, "--patch", str(diff), "--evidence", str(tmp_path / "e"), *CONFIG]) == 0
    assert any(path.suffix == ".records" for path in (tmp_path / "e").iterdir())
    shutil.rmtree(tmp_path / "e")
