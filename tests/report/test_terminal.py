"""The report for people: the counts, every rule, the statement, and the verdict in the last line."""

from __future__ import annotations

import pytest

from gate.outcome import Slice, Status
from gate.policy import Policy
from gate.report.colour import Colour, paint, wanted
from gate.report.terminal import WIDTH, show
from gate.verdict.judge import Verdict, judge
from gate.verdict.ruling import Finding
from gate.verdict.tally import Row, Surface, Tally


def verdict_of(public: int, hidden: int, traps: int = 0, errors: int = 0, surface: str = "local/net-off") -> Verdict:
    """24 public, 24 hidden and 8 traps, so many of them passed, so many hidden ones without a result."""
    tally = Tally()
    at = Surface(surface, "0123456789abcdef")
    for name, passed, n in ((Slice.PUBLIC, public, 24), (Slice.HIDDEN, hidden, 24), (Slice.CANARY, traps, 8)):
        for number in range(n):
            status = Status.PASSED if number < passed else Status.FAILED
            if name is Slice.HIDDEN and number >= n - errors:
                status = Status.ERROR
            assert tally.add(Row(f"{name}-{number}", name, status is Status.PASSED, at, 0, status)) is None
    return judge(tally, Policy())


CLEAR = """\
outcomes.jsonl

surface   local/net-off
prompt    0123456789ab
rows      56, canaries 56

slice     passed  rate    Wilson 95 %       no result  unstable
public    20/24   0.8333  0.6415 to 0.9332  0          -
hidden    18/24   0.7500  0.5510 to 0.8800  0          -
traps     0/8     -       must not pass     0          -

gap       0.0833, Newcombe 95 % -0.1484 to 0.3060
          every interval here is two-sided, z = 1.96

one tool surface ......................................................... held
one prompt ............................................................... held
slices of at least 20 .................................................... held
public-hidden gap at most 0.25 ........................................... held
no trap passes ........................................................... held
a public and a hidden slice .............................................. held
one of each digest ....................................................... held
no score drop ............................................................. off
  no baseline
at most 0 of the canaries unscored ....................................... held
graders audited on this suite ............................................. off
  these rows do not say whether their graders were audited

The gate is clear: the protocol held. Clear does not mean that the agent is
good.
Public: 20 of 24 passed, 0.8333 (Wilson, two-sided 95 %, z = 1.96: 0.6415 to
0.9332).
Hidden: 18 of 24 passed, 0.7500 (Wilson, two-sided 95 %, z = 1.96: 0.5510 to
0.8800).
Traps that failed, as they must: 8 of 8.
Tool surface: local/net-off.

CLEAR (exit 0)
"""


def test_a_clear_report_reads_like_this() -> None:
    """The whole of it, as a reader sees it in a pipe."""
    assert show(verdict_of(20, 18), title="outcomes.jsonl") == CLEAR


@pytest.mark.parametrize(
    ("verdict", "last"),
    [
        (verdict_of(20, 7), "BLOCKED (exit 2)"),
        (verdict_of(20, 18, traps=1), "BLOCKED (exit 2)"),
        (verdict_of(20, 18, errors=6), "INCONCLUSIVE (exit 3)"),
    ],
)
def test_a_report_that_is_not_clear_has_no_rate(verdict: Verdict, last: str) -> None:
    """Counts and intervals are there, rates are not; each reason stands under its rule and in the statement."""
    text = show(verdict)
    assert text.splitlines()[-1] == last
    assert "rate " not in text.split("\n\n")[1]
    assert f"{verdict.slices[Slice.PUBLIC].rate:.4f}" not in text
    flat = " ".join(text.split())
    for finding in (*verdict.blockers, *verdict.reasons):
        assert flat.count(finding.text) == 2
        assert f"{finding.code}: {finding.text}" in flat


def test_lines_fit_a_narrow_terminal() -> None:
    """However long the reasons are."""
    long = [Finding("long", "word " * 100)]
    verdict = verdict_of(20, 7, errors=20)
    whole = judge(verdict.case.tally, Policy(), blockers=long, reasons=long, notes=long)
    assert max(len(line) for line in show(whole).splitlines()) <= WIDTH


def test_what_the_caller_found_is_shown_with_its_code() -> None:
    """Findings that no rule made: broken, blockers, reasons and notes."""
    tally = verdict_of(20, 18).case.tally
    broken, blocker, reason, note = (Finding(f"code-{name}", f"found {name}") for name in ("a", "b", "c", "d"))
    text = show(judge(tally, Policy(), broken=[broken], blockers=[blocker], reasons=[reason], notes=[note]))
    assert text.splitlines()[-1] == "BROKEN (exit 1)"
    shown = {
        "broken    code-a: found a",
        "blocker   code-b: found b",
        "open      code-c: found c",
        "note      found d",
    }
    assert shown <= set(text.splitlines())


def test_colour_changes_nothing_but_colour() -> None:
    """With the escapes taken out, the coloured report is the plain one."""
    verdict = verdict_of(20, 7)
    coloured = show(verdict, colour=True)
    assert "\x1b[31mblocked\x1b[0m" in coloured
    for colour in Colour:
        coloured = coloured.replace(f"\x1b[{colour.value}m", "")
    assert coloured.replace("\x1b[0m", "") == show(verdict)


def test_a_hostile_label_is_printed_and_does_nothing() -> None:
    """An escape sequence, a line of its own and a workflow command in the tool surface come out as text."""
    text = show(verdict_of(20, 7, surface="x\x1b[2J\n::error::boo"), title="::notice::\x07")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


class Screen:
    """A stream that is, or is not, a terminal."""

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "environ", "coloured"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": ""}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": "0"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colour_is_for_terminals_of_those_who_want_it(terminal: bool, environ: dict[str, str], coloured: bool) -> None:
    """NO_COLOR with any text says no; an empty one does not (no-color.org)."""
    assert wanted(Screen(terminal), environ) is coloured
    assert paint("x", Colour.BAD, coloured) == ("\x1b[31mx\x1b[0m" if coloured else "x")
