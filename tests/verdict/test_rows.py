"""Every malformed row is named with its line and reason, and a well-formed one is counted as what it says."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from gate.errors import ConfigError
from gate.outcome import Slice
from gate.verdict.rows import LONGEST_ROW, MOST_PROBLEMS, read_rows
from gate.verdict.tally import Votes

GOOD = '{"id":"a","slice":"public","passed":true}'


def read(tmp_path: Path, content: str | bytes) -> list[str]:
    """The problems of a file with this content, without its path; empty if there are none."""
    path = tmp_path / "outcomes.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    try:
        read_rows(path)
    except ConfigError as error:
        return [line.removeprefix(str(path)) for line in error.message.splitlines()]
    return []


MALFORMED = [
    ("{", "not JSON"),
    ("nothing", "not JSON: Expecting value (column 1)"),
    ("[]", "a row is an object, not []"),
    ("null", "a row is an object, not null"),
    ('"text"', "a row is an object"),
    (f"{GOOD} {GOOD}", "not JSON: Extra data"),
    ('{"slice":"public","passed":true}', "id: is missing"),
    ('{"id":"a","passed":true}', "slice: is missing"),
    ('{"id":"a","slice":"public"}', "passed: is missing"),
    ('{"id":7,"slice":"public","passed":true}', "id: must be a printable text that is not empty, not 7"),
    ('{"id":"","slice":"public","passed":true}', "id: must be a printable text that is not empty"),
    ('{"id":"a\\n::error::b","slice":"public","passed":true}', "id: must be a printable text"),
    ('{"id":"\\ud800","slice":"public","passed":true}', "id: must be a printable text"),
    ('{"id":"a","slice":"private","passed":true}', 'slice: "private" is not one of public, hidden, canary'),
    ('{"id":"a","slice":"Public","passed":true}', "slice:"),
    ('{"id":"a","slice":["public"],"passed":true}', "slice:"),
    ('{"id":"a","slice":null,"passed":true}', "slice: null is not one of"),
    ('{"id":"a","slice":"public","passed":1}', "passed: must be true or false, not 1"),
    ('{"id":"a","slice":"public","passed":0}', "passed: must be true or false, not 0"),
    ('{"id":"a","slice":"public","passed":"true"}', 'passed: must be true or false, not "true"'),
    ('{"id":"a","slice":"public","passed":null}', "passed: must be true or false, not null"),
    ('{"id":"a","slice":"public","passed":NaN}', "NaN is not JSON"),
    ('{"id":"a","slice":"public","passed":true,"cost_usd":-Infinity}', "-Infinity is not JSON"),
    ('{"id":"a","slice":"public","passed":true,"passed":false}', 'the key "passed" stands twice'),
    ('{"id":"a","slice":"public","passed":true,"tokens":{"in":1,"in":2}}', 'the key "in" stands twice'),
    ('{"id":"a","slice":"public","passed":true,"status":"failed"}', "status: `failed` contradicts `passed`: true"),
    ('{"id":"a","slice":"public","passed":true,"status":"error"}', "status: `error` contradicts"),
    ('{"id":"a","slice":"public","passed":false,"status":"passed"}', "status: `passed` contradicts"),
    ('{"id":"a","slice":"public","passed":true,"status":"fine"}', 'status: "fine" is not one of passed, failed'),
    ('{"id":"a","slice":"public","passed":false,"status":null}', "status: null is not one of"),
    ('{"id":"a","slice":"public","passed":true,"seed":true}', "seed: must be a whole number from 0, not true"),
    ('{"id":"a","slice":"public","passed":true,"seed":-1}', "seed: must be a whole number"),
    ('{"id":"a","slice":"public","passed":true,"seed":1.0}', "seed: must be a whole number"),
    ('{"id":"a","slice":"public","passed":true,"seed":null}', "seed: must be a whole number"),
    ('{"id":"a","slice":"public","passed":true,"tool_surface":{"a":1}}', "tool_surface: must be a printable text"),
    ('{"id":"a","slice":"public","passed":true,"prompt_sha256":1}', "prompt_sha256: must be a printable text"),
    ('{"id":"a","slice":"public","passed":true,"canary_sha256":[]}', "canary_sha256: must be a printable text"),
    ("[" * 100_000, "nested too deeply"),
    (f'{{"id":"a","slice":"public","passed":true,"n":{"9" * 5000}}}', "not JSON that can be read"),
]


@pytest.mark.parametrize(("line", "reason"), MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_row_is_named(tmp_path: Path, line: str, reason: str) -> None:
    """The message holds the line number and the reason, and the good rows around it do not hide it."""
    other = GOOD.replace('"a"', '"b"')
    (problem,) = read(tmp_path, f"{other}\n\n{line}\n")
    assert problem.startswith(":3: ")
    assert reason in problem


WELL_FORMED = [
    "",
    "\n\n  \n",
    GOOD,
    f"{GOOD}\n",
    f"{GOOD}\r\n",
    f" {GOOD} \n",
    '{"id":"a","slice":"public","passed":true,"tool_surface":null,"prompt_sha256":null}\n',
    '{"id":"a","slice":"public","passed":true,"anything":{"else":[1,2.5,null]}}\n',
    '{"id":"häslein 兎","slice":"public","passed":true}\n',
    '{"id":"a","slice":"public","passed":false,"status":"leaked"}\n',
    '{"id":"a","slice":"public","passed":false,"status":"error"}\n',
    '{"id":"a","slice":"public","passed":true,"seed":0}\n{"id":"a","slice":"public","passed":true,"seed":9}\n',
]


@pytest.mark.parametrize("content", WELL_FORMED, ids=range(len(WELL_FORMED)))
def test_a_well_formed_file_has_no_problem(tmp_path: Path, content: str) -> None:
    """Seed 002's rows, ours, blank lines and a last line without its newline are all read."""
    assert read(tmp_path, content) == []


def test_a_contradiction_between_rows_is_named_at_the_second(tmp_path: Path) -> None:
    """A repeated trial, a repeated id without seeds, and an id in two slices."""
    seeded = '{"id":"a","slice":"public","passed":true,"seed":3}'
    assert "'a' has seed 3 twice" in read(tmp_path, f"{seeded}\n{seeded}\n")[0]
    assert read(tmp_path, f"{GOOD}\n{GOOD}\n")[0].startswith(":2: id: 'a' has a second row, and without a `seed`")
    assert "without a `seed` in both" in read(tmp_path, f"{GOOD}\n{seeded}\n")[0]
    assert "without a `seed` in both" in read(tmp_path, f"{seeded}\n{GOOD}\n")[0]
    moved = '{"id":"a","slice":"hidden","passed":true,"seed":4}'
    assert "was in slice public before and is in hidden here" in read(tmp_path, f"{seeded}\n{moved}\n")[0]


@pytest.mark.parametrize("cut", [1, 5, 17, len(GOOD) - 1])
def test_a_truncated_last_line_is_called_that(tmp_path: Path, cut: int) -> None:
    """A writer that was cut off leaves half a line, and the message says so, even inside a character."""
    (problem,) = read(tmp_path, f"{GOOD}\n{GOOD[:cut]}")
    assert problem.startswith(":2: the last line is truncated")
    (problem,) = read(tmp_path, GOOD.replace("a", "ä").encode()[: GOOD.index("a") + 1])
    assert problem.startswith(":1: the last line is truncated")


def test_bytes_that_are_not_text_are_named(tmp_path: Path) -> None:
    """Not UTF-8, a byte order mark, and a line too long to be a row."""
    assert read(tmp_path, b'{"id":"\xff"}\n') == [":1: not UTF-8 at byte 8 of the line"]
    assert "byte order mark" in read(tmp_path, b"\xef\xbb\xbf" + GOOD.encode() + b"\n")[0]
    long = b" " * (LONGEST_ROW + 5) + GOOD.encode() + b"\n"
    problems = read(tmp_path, long + b"{}\n")
    assert problems == [":1: a row longer than 16 MiB", ":2: id: is missing"]


def test_all_problems_are_shown_up_to_a_cap(tmp_path: Path) -> None:
    """Every malformed row has its line; beyond fifty the rest is counted, at the line where it begins."""
    assert len(read(tmp_path, "{}\n" * MOST_PROBLEMS)) == MOST_PROBLEMS
    problems = read(tmp_path, "{}\n" * (MOST_PROBLEMS + 7))
    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[-1] == f":{MOST_PROBLEMS + 1}: and 7 more malformed rows, the first of them here"


@pytest.mark.parametrize("name", ["nowhere.jsonl", "."])
def test_a_file_that_cannot_be_read_is_a_usage_error(tmp_path: Path, name: str) -> None:
    """Missing, or a folder: one message, exit 64."""
    with pytest.raises(ConfigError, match="cannot be read") as caught:
        read_rows(tmp_path / name)
    assert caught.value.exit_code == 64


def test_seeds_are_clustered_by_canary(tmp_path: Path) -> None:
    """Rows of one canary become its votes; what measured nothing is apart; seeds beyond the plan confirm."""
    rows = [
        {"id": "a", "slice": "hidden", "passed": True, "status": "passed", "seed": 0},
        {"id": "a", "slice": "hidden", "passed": False, "status": "timeout", "seed": 2},
        {"id": "a", "slice": "hidden", "passed": False, "status": "env_missing", "seed": 1},
        {"id": "a", "slice": "hidden", "passed": False, "status": "failed", "seed": 3},
    ]
    path = tmp_path / "outcomes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    everything, planned = read_rows(path).records["a"], read_rows(path, seeds=3).records["a"]
    assert everything.slice is Slice.HIDDEN
    assert everything.planned == Votes(passed=1, failed=2, unscored=1)
    assert planned.planned == Votes(passed=1, failed=1, unscored=1)
    assert planned.confirming == Votes(failed=1)


def test_memory_grows_with_the_canaries_and_not_with_the_rows(tmp_path: Path) -> None:
    """A hundred times the seeds of the same canaries keep less than twenty bytes for each row more.

    A row that was kept would need hundreds; what is left over is the interpreter's own bounded free lists.
    """

    def peak(seeds: int) -> int:
        path = tmp_path / f"{seeds}.jsonl"
        with path.open("w", encoding="utf-8") as stream:
            for seed in range(seeds):
                for canary in range(50):
                    stream.write(f'{{"id":"c-{canary}","slice":"public","passed":true,"seed":{seed}}}\n')
        tracemalloc.start()
        tally = read_rows(path)
        _, top = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert tally.rows == 50 * seeds
        return top

    few, many = peak(5), peak(500)
    assert many < few + 20 * 50 * 495
