"""A verdict for people at a terminal: the counts, every rule with its answer, and the verdict at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gate.outcome import Slice
from gate.report.colour import Colour, paint
from gate.report.text import cut, pad, plain, wrapped
from gate.verdict.judge import Verdict
from gate.verdict.ruling import Answer, Finding, Ruling
from gate.verdict.slices import Standings

WIDTH = 79
_LABEL = 10
_DIGEST = 12

_COLOURS = {
    Answer.HELD: Colour.GOOD,
    Answer.BLOCKED: Colour.BAD,
    Answer.OPEN: Colour.OPEN,
    Answer.NOTED: Colour.OPEN,
    Answer.OFF: Colour.QUIET,
}
_VERDICT_COLOURS = {
    "clear": Colour.GOOD,
    "blocked": Colour.BAD,
    "inconclusive": Colour.OPEN,
    "broken": Colour.BAD,
}


def show(verdict: Verdict, *, title: str = "", colour: bool = False) -> str:
    """The report, ending in a newline. `title` is the first line: what was judged.

    Rates appear only where the statement may hold one; counts, intervals and the gap always do.
    """
    parts = [
        [plain(title)] if title else [],
        _subject(verdict),
        _table(verdict),
        list(_gap(verdict)),
        list(_rules(verdict.rulings, colour)),
        [line for note in verdict.notes for line in wrapped(note.text, " " * _LABEL, "note")],
        list(_extra(verdict)),
        _end(verdict, colour),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _labelled(label: str, text: str) -> str:
    return f"{pad(label, _LABEL)}{text}"


def _subject(verdict: Verdict) -> list[str]:
    tally = verdict.case.tally
    surfaces = sorted(plain(value or "not stated") for value in tally.values("tool_surface"))
    prompts = sorted(plain((value or "not stated")[:_DIGEST]) for value in tally.values("prompt_sha256"))
    return [
        _labelled("surface", ", ".join(surfaces) or "none"),
        _labelled("prompt", ", ".join(prompts) or "none"),
        _labelled("rows", f"{tally.rows}, canaries {verdict.case.planned}"),
    ]


def _table(verdict: Verdict) -> list[str]:
    rate = verdict.publishes_rate
    capped = any(part.caps for part in verdict.case.measured)
    rows = [
        [
            "slice",
            "passed",
            *(["rate"] if rate else []),
            "Wilson 95 %",
            *(["at most"] if capped else []),
            "no result",
            "unstable",
        ]
    ]
    for part in verdict.case.measured:
        lower, upper = part.interval
        bounds = f"{lower:.4f} to {upper:.4f}" if part.n else "-"
        counts = [f"{part.passed}/{part.n}", *([f"{part.rate:.4f}"] if rate else []), bounds]
        cap = [f"{part.most}/{part.planned}"] if capped else []
        rows.append([str(part.name), *counts, *cap, str(part.open), _unstable(part)])
    traps = verdict.slices[Slice.CANARY]
    counts = [f"{traps.passed}/{traps.n}", *(["-"] if rate else []), "must not pass"]
    rows.append(["traps", *counts, *(["-"] if capped else []), str(traps.open), _unstable(traps)])
    return list(_aligned(rows))


def _unstable(part: Standings) -> str:
    """How many of the canaries with more than one seed did not agree with themselves."""
    return f"{len(part.unstable)}/{part.repeated}" if part.repeated else "-"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    widths[0] = max(widths[0], _LABEL - 2)
    for row in rows:
        yield "  ".join(pad(cell, columns) for cell, columns in zip(row, widths, strict=True)).rstrip()


def _gap(verdict: Verdict) -> Iterator[str]:
    interval = verdict.case.gap_interval
    if interval is None:
        yield _labelled("gap", "none: it takes canaries with a result in both slices")
        return
    yield _labelled("gap", f"{verdict.case.gap:.4f}, Newcombe 95 % {interval[0]:.4f} to {interval[1]:.4f}")
    if verdict.case.capped:
        yield _labelled("", verdict.case.capped.strip(" ()"))
    yield _labelled("", "every interval here is two-sided, z = 1.96")


def _rules(rulings: Iterable[Ruling], colour: bool) -> Iterator[str]:
    for ruling in rulings:
        if not ruling.rule:
            continue
        answer = str(ruling.answer)
        line = pad(cut(plain(ruling.rule), WIDTH - len(answer) - 5) + " ", WIDTH - len(answer) - 1, ".")
        yield f"{line} {paint(answer, _COLOURS[ruling.answer], colour)}"
        if ruling.answer in (Answer.BLOCKED, Answer.OPEN):
            yield from wrapped(f"{ruling.code}: {ruling.text}", "  ")
        elif ruling.answer is Answer.OFF:
            yield from wrapped(ruling.text, "  ")


def _extra(verdict: Verdict) -> Iterator[str]:
    """What the caller found besides the rules."""
    ruled = {ruling.finding for ruling in verdict.rulings}
    found: Iterable[tuple[str, Sequence[Finding]]] = (
        ("broken", verdict.broken),
        ("blocker", verdict.blockers),
        ("open", verdict.reasons),
    )
    for label, findings in found:
        for finding in findings:
            if finding not in ruled:
                yield from wrapped(f"{finding.code}: {finding.text}", " " * _LABEL, label)


def _end(verdict: Verdict, colour: bool) -> list[str]:
    head = f"{verdict.name.upper()} (exit {int(verdict.exit_code)})"
    return [*_said(verdict.statement), "", paint(head, _VERDICT_COLOURS[verdict.name], colour)]


def _said(statement: str) -> Iterator[str]:
    for sentence in statement.splitlines():
        if sentence.startswith("- "):
            yield from wrapped(sentence[2:], "  ", "-")
        else:
            yield from wrapped(sentence)
