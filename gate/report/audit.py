"""An audit for people at a terminal: the verdict first, then canaries, the matrix, benchmarks and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gate.audited import Audit, AuditVerdict, BenchAudit, CanaryAudit, Strength
from gate.report.colour import Colour, paint
from gate.report.matrix import matrix_lines
from gate.report.text import cut, pad, plain, wrapped
from gate.report.text import width as columns_of

NARROWEST, WIDEST = 60, 160
MOST = 5
_LABEL = 15

_COLOURS = {
    AuditVerdict.PASS: Colour.GOOD,
    AuditVerdict.BROKEN: Colour.BAD,
    AuditVerdict.ENV_MISSING: Colour.OPEN,
    AuditVerdict.NOT_STAGED: Colour.OPEN,
    AuditVerdict.EXEMPT: Colour.QUIET,
}
_VERDICT = max(map(len, AuditVerdict))
_MEANS = {
    AuditVerdict.PASS: "the graders held against everything that they were tried with",
    AuditVerdict.BROKEN: "no number of what is marked BROKEN is real",
}
_NOTHING = "nothing was verified, which is not a pass"


def show(audit: Audit, *, colour: bool, width: int, all_rows: bool = False) -> str:
    """The report, ending in a newline. `width` is that of the terminal, in columns; `all_rows` shows every cheat."""
    columns = max(NARROWEST, min(width, WIDEST))
    parts: list[Iterable[str]] = [
        _verdict(audit, colour, columns),
        _canaries(audit.canaries, colour, columns),
        matrix_lines(audit.matrix, colour=colour, width=columns, all_rows=all_rows) if audit.matrix else (),
        _benchmarks(audit.benchmarks, colour, columns),
        _end(audit, columns),
    ]
    return "\n\n".join(text for part in parts if (text := "\n".join(line.rstrip() for line in part))) + "\n"


def _verdict(audit: Audit, colour: bool, width: int) -> Iterator[str]:
    yield paint(f"{audit.verdict}: {_MEANS.get(audit.verdict, _NOTHING)}", _COLOURS[audit.verdict], colour)
    for things, verdicts in (
        ("canaries", [canary.verdict for canary in audit.canaries]),
        ("benchmarks", [bench.verdict for bench in audit.benchmarks]),
    ):
        if verdicts:
            counts = Counter(verdicts)
            yield from wrapped(
                ", ".join(f"{counts[one]} {one}" for one in AuditVerdict if counts[one]), " " * 12, things, width
            )
    strengths = [canary.strength for canary in audit.canaries if canary.strength]
    if strengths:
        yield from wrapped(_kills(strengths), " " * 12, "kills", width)
    broken = [part.id for part in audit.canaries if part.verdict is AuditVerdict.BROKEN]
    broken += [part.name for part in audit.benchmarks if part.verdict is AuditVerdict.BROKEN]
    broken += [column.grader for column in (audit.matrix.columns if audit.matrix else ()) if column.flaw]
    if broken:
        text = f"look at {', '.join(broken)}; --evidence DIR keeps what was handed in"
        yield from wrapped(text, " " * 12, "broken", width)


def _kills(strengths: Sequence[Strength]) -> str:
    """How strong the tests are over the whole suite, with what was left out of the count."""
    text = f"{sum(one.killed for one in strengths)} of {sum(one.of for one in strengths)} known-wrong versions"
    if same := sum(one.equivalent for one in strengths):
        text += f"; {same} more are the same program"
    if lost := sum(one.unmeasured for one in strengths):
        text += f"; {lost} could not be graded"
    return text


def _canaries(canaries: Sequence[CanaryAudit], colour: bool, width: int) -> Iterator[str]:
    if not canaries:
        return
    heads = ("shapes", "wrong", "cheats", "kills", *(["cap"] if any(one.cap for one in canaries) else []))
    rows = [_cells(canary)[: len(heads)] for canary in canaries]
    sizes = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]
    ids = max([len("canary"), *(columns_of(plain(canary.id)) for canary in canaries)])
    graded = max([len("graded by"), *(columns_of(plain(canary.graded_by)) for canary in canaries)])
    room = width - _VERDICT - sum(sizes) - 2 * (len(sizes) + 2)
    graded = max(10, min(graded, room - ids))
    ids = max(10, min(ids, room - graded))
    yield _row(
        pad("", _VERDICT), "canary", "graded by", ids, graded, [pad(*pair) for pair in zip(heads, sizes, strict=True)]
    )
    for canary, cells in zip(canaries, rows, strict=True):
        hues = (Colour.BAD, Colour.BAD, Colour.OPEN, Colour.OPEN, Colour.OPEN)
        painted = [
            paint(pad(cell, size), hue if _short(cell) else None, colour)
            for cell, size, hue in zip(cells, sizes, hues, strict=False)
        ]
        word = paint(pad(str(canary.verdict), _VERDICT), _COLOURS[canary.verdict], colour)
        yield _row(word, plain(canary.id), cut(plain(canary.graded_by), graded), ids, graded, painted)
        yield from _below(_findings(canary), colour, width)


def _row(word: str, name: str, graded_by: str, ids: int, graded: int, cells: Iterable[str]) -> str:
    """An id is never cut: whoever reads of a flaw has to be able to look for it."""
    return "  ".join([word, pad(name, ids), pad(graded_by, graded), *cells])


def _cells(canary: CanaryAudit) -> list[str]:
    carried = [passed for passed in canary.shapes().values() if passed is not None]
    counts = canary.rejected().values()
    strength = canary.strength
    return [
        _of(sum(carried), len(carried)),
        _of(sum(one["rejected"] for one in counts), sum(one["of"] for one in counts)),
        _of(canary.cheats - len(canary.let_through), canary.cheats),
        _of(strength.killed, strength.of) if strength else "-",
        "0/1" if canary.cap else "-",
    ]


def _of(some: int, of: int) -> str:
    return f"{some}/{of}" if of else "-"


def _short(cell: str) -> bool:
    some, _, of = cell.partition("/")
    return some != of and cell != "-"


_Finding = tuple[Colour | None, str, list[str]]
"""A colour, a label, and the texts that stand beside it."""


def _findings(canary: CanaryAudit) -> Iterator[_Finding]:
    """Everything that a canary's line cannot hold."""
    strength = canary.strength or Strength(0, ())
    lost = [f"{strength.unmeasured} known-wrong versions of the answer"] if strength.unmeasured else []
    unmeasured = [f"{one.answer} as {one.shape}: {one.reason}" for one in canary.handed if one.failed_to_measure]
    cannot = [one for one in canary.handed if one.passed is None and one.wanted and not one.failed_to_measure]
    yield Colour.BAD, "flaw", list(canary.flaws)
    yield Colour.OPEN, "missing", [", ".join(canary.missing)] if canary.missing else []
    yield Colour.OPEN, "not measured", [*_few(unmeasured), *lost]
    yield None, "not carried", _few([f"{one.shape}: {one.reason}" for one in cannot])
    yield Colour.OPEN, "let through", [", ".join(_few(canary.let_through))] if canary.let_through else []
    yield Colour.OPEN, "survives", _few(strength.survivors)
    yield Colour.OPEN, "never fails", _few(strength.never_failed)
    yield None, "advice", [canary.advice] if canary.advice else []
    yield Colour.OPEN, "cap", [f"known to be unpassable: {canary.cap}"] if canary.cap else []
    yield None, "note", list(canary.notes)


def _few(texts: Sequence[str]) -> list[str]:
    return [*texts[:MOST], *([f"and {len(texts) - MOST} more"] if len(texts) > MOST else [])]


def _below(findings: Iterable[_Finding], colour: bool, width: int) -> Iterator[str]:
    for hue, label, texts in findings:
        for number, text in enumerate(texts):
            for line in wrapped(text, " " * (_LABEL + 2), "" if number else f"  {label}", width):
                yield paint(line, hue, colour)


def _benchmarks(benchmarks: Sequence[BenchAudit], colour: bool, width: int) -> Iterator[str]:
    names = max([0, *(columns_of(plain(bench.name)) for bench in benchmarks)])
    for bench in benchmarks:
        word = paint(pad(str(bench.verdict), _VERDICT), _COLOURS[bench.verdict], colour)
        cap = f", cap {bench.cap}" if bench.cap else ""
        time = f" ({bench.seconds:.1f}s)" if bench.seconds else ""
        count = f"{bench.checked} of {bench.of} verified" if bench.of else "nothing verified"
        yield f"{word}  {pad(plain(bench.name), names)}  {count}{cap}{time}"
        yield from _below(_bench_findings(bench), colour, width)


def _bench_findings(bench: BenchAudit) -> Iterator[_Finding]:
    shapes = ", ".join(f"{shape} {passed}" for shape, passed in bench.shapes.items())
    rejected = ", ".join(f"{kind} {n.get('rejected', 0)}/{n.get('of', 0)}" for kind, n in bench.rejected.items())
    forms = ", ".join(f"{form} {tasks}" for form, tasks in bench.forms.items())
    yield None, "reason", [bench.reason] if bench.reason else []
    yield None, "passed as", [shapes] if shapes else []
    yield None, "rejected", [rejected] if rejected else []
    yield None, "graded by", [forms] if forms else []
    yield Colour.BAD, "failure", _few(bench.failures)
    yield Colour.OPEN, "blocked", _few([f"{task}: lacks {', '.join(names)}" for task, names in bench.blocked.items()])
    yield Colour.OPEN, "excluded", _few([f"{task}: {reason}" for task, reason in bench.excluded.items()])


def _end(audit: Audit, width: int) -> Iterator[str]:
    for note in audit.notes:
        yield from wrapped(note, " " * 12, "note", width)
    cached = sum(canary.cached for canary in audit.canaries)
    known = f"; {cached} of {len(audit.canaries)} canaries known from before" if cached else ""
    yield f"time        {audit.seconds:.1f}s{known}"
