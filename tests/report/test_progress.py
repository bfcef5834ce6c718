"""One line a trial as it ends; a bar on a terminal and nowhere else."""

from __future__ import annotations

import io
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from gate.outcome import CostState, Digests, Outcome, Slice, Status, Usage
from gate.report.colour import Colour
from gate.report.progress import MOST_REASONS, WIDTH, Progress, answer, lines


def outcome(
    canary: str = "rename-03",
    slice_: Slice = Slice.PUBLIC,
    status: Status = Status.PASSED,
    reasons: tuple[str, ...] = (),
) -> Outcome:
    """A trial that took 1.24 seconds."""
    return Outcome(
        id=canary,
        slice=slice_,
        kind="rename",
        seed=1,
        status=status,
        reasons=reasons,
        graded_by="observed",
        tool_surface="local/net-off",
        digests=Digests("s", "c", "g", "h", "p", "a"),
        canary_sha256="d",
        dataset_commit=None,
        agent="null",
        tool_calls=0,
        tokens=Usage(),
        cost_usd=None,
        cost_state=CostState.UNPRICED,
        seconds=1.24,
        applied=True,
        located=None,
        patch_sha256=None,
        trial="t",
    )


ANSWERS = [
    (Slice.PUBLIC, Status.PASSED, "passed", Colour.GOOD),
    (Slice.HIDDEN, Status.FAILED, "failed", Colour.BAD),
    (Slice.HIDDEN, Status.TIMEOUT, "timeout", Colour.BAD),
    (Slice.PUBLIC, Status.LEAKED, "leaked", Colour.BAD),
    (Slice.PUBLIC, Status.ERROR, "error", Colour.OPEN),
    (Slice.CANARY, Status.FAILED, "held", Colour.GOOD),
    (Slice.CANARY, Status.LEAKED, "leak detected", Colour.GOOD),
    (Slice.CANARY, Status.PASSED, "SPRUNG", Colour.BAD),
    (Slice.CANARY, Status.ENV_MISSING, "env_missing", Colour.OPEN),
]


@pytest.mark.parametrize(("slice_", "status", "word", "colour"), ANSWERS)
def test_a_trial_ends_in_one_word(slice_: Slice, status: Status, word: str, colour: Colour) -> None:
    """On a trap the same status means the opposite, and says so."""
    assert answer(outcome(slice_=slice_, status=status)) == (word, colour)


def test_a_line_is_as_wide_as_the_others() -> None:
    """Slice, id, seed, dots, the word and the seconds, whatever the length of the id."""
    (line,) = lines(outcome())
    assert line == "public  rename-03 seed 1 " + "." * 40 + " passed   1.2s"
    for canary in ("a", "x" * 200, "兎" * 60):
        (line,) = lines(outcome(canary))
        assert line.endswith(" passed   1.2s")
        assert "..." in line
    assert len(next(lines(outcome("x" * 200)))) == WIDTH


def test_reasons_follow_where_it_did_not_go_as_wanted() -> None:
    """A failure and a sprung trap say why, a pass and a held trap do not, and a long list is cut."""
    reasons = tuple(f"tests: number {number}" for number in range(MOST_REASONS + 2))
    failed = list(lines(outcome(status=Status.FAILED, reasons=reasons)))
    assert failed[1] == "        - tests: number 0"
    assert failed[-1] == "        - and 2 more"
    assert len(failed) == MOST_REASONS + 2
    assert len(list(lines(outcome(reasons=reasons)))) == 1
    assert len(list(lines(outcome(slice_=Slice.CANARY, status=Status.FAILED, reasons=reasons)))) == 1
    assert len(list(lines(outcome(slice_=Slice.CANARY, reasons=reasons[:1])))) == 2


def test_a_reason_cannot_speak_to_the_runner() -> None:
    """Each stays one printable line that no runner takes for a command."""
    text = ("::error::boo\n::add-mask::x", "\x1b[2J")
    for line in lines(outcome(status=Status.FAILED, reasons=text)):
        assert line.isprintable()
        assert not line.lstrip(" -").startswith("::")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Slow(Terminal):
    """A terminal that lets other threads in at every write."""

    def write(self, text: str) -> int:
        time.sleep(0.0001)
        return super().write(text)


def test_a_pipe_gets_lines_and_nothing_else() -> None:
    """No bar, no colour, no carriage return."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    progress = Progress(stream, 2, {})
    progress.ended(outcome("häslein"))
    progress.ended(outcome())
    progress.close()
    stream.seek(0)
    text = stream.read()
    assert len(text.splitlines()) == 2
    assert text.isascii()
    assert text.replace("\n", "").isprintable()


def test_a_terminal_gets_a_bar_below_the_lines() -> None:
    """It moves down with every line and is gone at the end."""
    stream = Terminal()
    progress = Progress(stream, 4, {})
    progress.ended(outcome())
    assert stream.getvalue().endswith("[######                  ] 1/4")
    progress.ended(outcome())
    progress.close()
    assert stream.getvalue().endswith("[############            ] 2/4\r\x1b[2K")
    quiet = Terminal()
    Progress(quiet, 4, {"TERM": "dumb"}).ended(outcome())
    assert "[" not in quiet.getvalue()


def test_trials_of_many_workers_do_not_mix() -> None:
    """Each line is whole, and the count is right."""
    stream = Slow()
    progress = Progress(stream, 200, {"NO_COLOR": "1"})
    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(progress.ended, outcome(f"c-{number}")) for number in range(200)]:
            future.result()
    *first, last = stream.getvalue().split("\n")
    assert last == ""
    assert len(first) == 200
    for number, line in enumerate(first):
        bar, _, trial = line.partition("\r\x1b[2K")
        assert (f"{number}/200" in bar) is (number > 0)
        assert trial.startswith("public  c-")
        assert trial.endswith("passed   1.2s")
