"""What `gate audit` prints: the verdict first, every canary, nothing that a name could do to a terminal."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from gate.audited import Audit, AuditVerdict, CanaryAudit, Column, Matrix
from gate.report.audit import show
from gate.report.colour import Colour
from gate.report.text import plain, width
from gate.suite.schema import validator
from tests.report.audits import an_audit, sample

_ESCAPES = re.compile(r"\x1b\[(?:" + "|".join(["0", *(colour.value for colour in Colour)]) + r")m")


def said(audit: Audit, *, colour: bool = False, columns: int = 100, all_rows: bool = False) -> str:
    """The report as one text."""
    return show(audit, colour=colour, width=columns, all_rows=all_rows)


BROKEN = """\
BROKEN: no number of what is marked BROKEN is real
canaries    2 PASS, 1 BROKEN, 1 ENV-MISSING, 1 NOT-STAGED, 1 EXEMPT
benchmarks  1 PASS, 1 BROKEN, 1 ENV-MISSING, 1 NOT-STAGED
kills       21 of 29 known-wrong versions; 2 more are the same program; 1 could not be graded
broken      look at bugfix-stockroom, swe, observed; --evidence DIR keeps what was handed in

             canary             graded by        shapes  wrong  cheats  kills  cap
PASS         bugfix-pager       observed+vector  5/5     5/5    41/41   12/20  -
  not carried    whole files: a block cannot delete
  survives       src/pager.py:10 `<` became `<=`
                 src/pager.py:11 `<` became `<=`
                 src/pager.py:12 `<` became `<=`
                 src/pager.py:13 `<` became `<=`
                 src/pager.py:14 `<` became `<=`
                 and 3 more
  never fails    tests/test_pager.py::test_it_imports
  note           3 of 7 assertions cannot be rewritten and are graded by the vector
BROKEN       bugfix-stockroom   calls            6/6     3/5    41/41   9/9    -
  flaw           an empty answer passes
                 an answer of prose only passes as diff
  not measured   1 known-wrong versions of the answer
PASS         feature-linkcheck  exit-code        6/6     5/5    24/41   -      -
  let through    cheat-0, cheat-1, cheat-2, cheat-3, cheat-4, and 12 more
  advice         graded by an exit code only; write the tests as `pytest:` with fail_to_pass, or as
                 `calls:`
ENV-MISSING  numbers            calls            -       -      -       -      -
  missing        numpy, scipy
NOT-STAGED   far-away           none             -       -      -       -      -
  note           run `gate stage far-away`
EXEMPT       no-answer          none             -       -      -       -      0/1
  cap            known to be unpassable: the upstream test compares a float with itself after
                 rounding
"""

MATRIX_HEAD = """\
cheat          A   B   C   D   E   F
right passes yes yes yes yes yes yes
empty passes  no  no  no  no YES YES
conftest-0     .   .   .   x   x   x
"""

MATRIX_FOOT = """\
source-5       .   .   ?   .   x   x
adaptive-0     .   .   .   .   x   x
adaptive-1     .   .   .   .   x   x
adaptive-2     .   .   x   .   .   x
adaptive-3     .   .   .   .   .   x
adaptive-4     .   .   .   .   .   x
adaptive-5     .   .   .   .   .   .
fooled         0   1   1   9  14  17
of            18  18  18  18  18  18

A    calls (structured): fooled by 0 of 18
B    observed (structured): fooled by 1 of 18
     BROKEN observed: fooled by source-1
C    vector (vector): fooled by 1 of 18; adaptive cheats passed 3 of 96 tries; guessing alone passes
     0.0039; 1 not measured
"""

COUNTS = """\
18 cheats against 6 graders

grader                         kind           fooled  right  empty
calls                          structured       0/18  yes    no
observed                       structured       1/18  yes    no
    BROKEN observed: fooled by source-1
vector                         vector           1/18  yes    no
    adaptive cheats passed 3 of 96 tries; guessing alone passes 0.0039
    fooled by adaptive-2
    not measured: source-5
command                        exit-code        9/18  yes    no
exit code in the agent's tree  naive           14/18  yes    YES
"""

BENCHMARKS = """\
PASS         human-eval    163 of 164 verified, cap 163/164 = 99.4% (40.2s)
  passed as      raw 164, fenced 164
  rejected       empty 164/164, prose 328/328
  graded by      calls 150, vector 14
  excluded       HumanEval/32: its last assertion splats a float and dies of a TypeError
ENV-MISSING  bigcodebench  0 of 9 verified
  blocked        7: lacks numpy
                 8: lacks numpy, pandas
NOT-STAGED   mbpp          nothing verified
  reason         no data: give --data PATH, or --fetch
"""


@pytest.mark.parametrize("part", [BROKEN, COUNTS, BENCHMARKS])
def test_an_audit_reads_like_this(part: str) -> None:
    """Verdict, canaries, the counts of the matrix and benchmarks as a reader sees them in a hundred columns."""
    assert part in said(sample())


@pytest.mark.parametrize("part", [MATRIX_HEAD, MATRIX_FOOT])
def test_the_whole_matrix_reads_like_this(part: str) -> None:
    """With `--all`, a row for each cheat."""
    assert part in said(sample(), all_rows=True)


def test_colour_changes_nothing_but_colour() -> None:
    """With the escapes taken out, the coloured report is the plain one, and verdicts have their colours."""
    coloured = said(sample(), colour=True)
    assert _ESCAPES.sub("", coloured) == said(sample())
    assert "\x1b[31mBROKEN     \x1b[0m" in coloured
    assert "\x1b[32mPASS       \x1b[0m" in coloured


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_lines_fit_the_terminal(columns: int) -> None:
    """No line of a real audit is wider than the terminal, from eighty columns on, with forty graders too."""
    many = tuple(Column(f"grader {number}", "naive", ("source-1",), 18, True, True) for number in range(40))
    for matrix in (sample().matrix, Matrix(("source-1",), many)):
        text = said(replace(sample(), matrix=matrix), columns=columns)
        assert max(map(width, text.splitlines())) <= columns


def test_no_audit_is_too_odd_to_be_shown() -> None:
    """For any audit and any width: no exception, no control character, and every id, grader and verdict is there."""
    rng = random.Random(20261130)
    for _ in range(150):
        audit = an_audit(rng)
        text = said(audit, columns=rng.choice([0, 60, 80, 200, 10**6]), all_rows=rng.random() < 0.5)
        lines = text.splitlines()
        assert text.replace("\n", "").isprintable()
        assert not any(line.lstrip().startswith("::") for line in lines)
        assert lines[0].startswith(f"{audit.verdict}: ")
        for canary in audit.canaries:
            assert any(line.startswith(str(canary.verdict)) and f"  {canary.id}" in line for line in lines)
        for bench in audit.benchmarks:
            assert any(line.startswith(f"{bench.verdict:<11}  {plain(bench.name)}") for line in lines)
        for column in audit.matrix.columns if audit.matrix else ():
            assert f"{len(column.fooled_by)}/{column.of}" in text or ": fooled by " in text


def test_all_rows_shows_the_cheats_that_fooled_nobody() -> None:
    """By default a row has something to say; on request each cheat has its row, dead ones included."""
    assert "\nadaptive-5 " not in said(sample())
    whole = said(sample(), all_rows=True)
    assert "\nadaptive-5     .   .   .   .   .   .\n" in whole
    assert "more fooled no grader" not in whole
    assert "and so prove nothing: 1 (adaptive-5)" in whole


@pytest.mark.parametrize("verdict", [AuditVerdict.ENV_MISSING, AuditVerdict.NOT_STAGED, AuditVerdict.EXEMPT])
def test_what_was_not_verified_is_no_pass_to_look_at(verdict: AuditVerdict) -> None:
    """An audit that verified nothing says so in its first line, and what it could not verify has its own line."""
    text = said(Audit(canaries=(CanaryAudit("one", "public", verdict, "none"),)))
    assert text.splitlines()[0] == f"{verdict}: nothing was verified, which is not a pass"
    assert f"{verdict:<11}  one" in text
    assert "PASS" not in text


def test_the_json_keeps_its_schema() -> None:
    """The sample with every sort of finding validates, as does an empty audit; a key too many or too few does not."""
    check = validator("audit")
    whole = json.loads(json.dumps(sample().to_json()))
    assert [error.message for error in check.iter_errors(whole)] == []
    assert check.is_valid(json.loads(json.dumps(Audit().to_json())))
    assert whole["matrix"]["vector"]["floor"] == float(round(Fraction(1, 256), 6))
    for part in (whole, whole["canaries"][0], whole["matrix"]["vector"], whole["benchmarks"][0]):
        part["surprise"] = 1
        assert not check.is_valid(whole)
        del part["surprise"]
        key, value = part.popitem()
        assert not check.is_valid(whole)
        part[key] = value
    assert check.is_valid(whole)
