"""Every cheat against every grader that it fits: what passes where, and which cheats prove nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from gate.audit.cheats.table import CHEATS
from gate.audit.cheats.target import Cheat
from gate.audit.targets.columns import Grader, naive, shipped
from gate.audit.targets.toy import Toy
from gate.audited import Column, Matrix
from gate.grading.bench import Bench, NotGraded
from gate.grading.vector import FAMILY
from gate.outcome import UNSCORED, Answer, AnswerStatus
from gate.suite.canary import Canary
from gate.workspace.patch import diff
from gate.workspace.removal import remove
from gate.workspace.tree import Tree

REPEATS = 8
"""How often an adaptive cheat is tried on twins, each time with new draws."""

_DONE = Answer(AnswerStatus.DONE)


_GOLD, _NULL, _WRONG = "the right answer", "an empty answer", "another wrong answer"


@dataclass(frozen=True, slots=True)
class _Job:
    """One grading: an answer's tree under the name of a cheat or of a control, for one column."""

    grader: Grader
    name: str
    tree: Tree
    adaptive: bool = False


def measure(
    bench: Callable[[], Bench],
    jobs: int,
    *,
    cheats: Sequence[Cheat] = CHEATS,
    graders: Sequence[Grader] | None = None,
    repeats: int = REPEATS,
) -> Matrix:
    """Grade everything and count. `bench` makes a bench with new entropy each time; `jobs` gradings run at once.

    A column is fooled by a cheat that passed it at least once; where twins are drawn, `hits` of `tries` say how
    often. A cheat that could not be graded is unmeasured there, never rejected. `null_fails` is about the empty answer
    and about another wrong one. Raises HarnessBroken when processes outlived the fence.
    """
    graders = (*shipped(), *naive()) if graders is None else tuple(graders)
    place = Path(tempfile.mkdtemp(prefix="m-", dir=bench().scratch))
    place.chmod(0o711)
    try:
        toys = {grader.toy.name: grader.toy for grader in graders}
        canaries = {name: toy.canary(place) for name, toy in toys.items()}
        cheated = {name: list(_cheated(toy, cheats)) for name, toy in toys.items()}
        work = [job for grader in graders for job in _jobs(grader, cheated[grader.toy.name], repeats)]

        def run(job: _Job) -> bool | None:
            return _grade(job, canaries[job.grader.toy.name], bench())

        with ThreadPoolExecutor(jobs) as pool:
            found = list(pool.map(run, work))
    finally:
        remove(place)
    came = list(zip(work, found, strict=True))
    columns = [_column(grader, [(job, ok) for job, ok in came if job.grader is grader]) for grader in graders]
    alive = {name for column in columns for name in column.fooled_by}
    names = tuple(cheat.name for cheat in cheats)
    return Matrix(names, tuple(columns), tuple(name for name in names if name not in alive))


def _cheated(toy: Toy, cheats: Iterable[Cheat]) -> Iterator[tuple[Cheat, Tree]]:
    """Every cheat that applies to the toy, and what it makes of it."""
    base, target, gold = toy.base(), toy.target(), toy.answered(toy.gold)
    for cheat in cheats:
        tree = cheat.made(target) if toy.language in cheat.languages else None
        if tree is not None and tree not in (base, gold):
            yield cheat, tree


def _jobs(grader: Grader, cheated: Iterable[tuple[Cheat, Tree]], repeats: int) -> Iterator[_Job]:
    """The controls and every cheat; an adaptive one several times where twins are drawn."""
    toy = grader.toy
    yield _Job(grader, _GOLD, toy.answered(toy.gold))
    yield _Job(grader, _NULL, toy.base())
    yield _Job(grader, _WRONG, toy.answered(toy.wrong))
    for cheat, tree in cheated:
        adaptive = cheat.kind == "adaptive" and toy.families > 0
        yield from [_Job(grader, cheat.name, tree, adaptive)] * (repeats if adaptive else 1)


def _grade(job: _Job, canary: Canary, bench: Bench) -> bool | None:
    """Whether it passed; None where it could not be graded."""
    base = job.grader.toy.base()
    try:
        grade = job.grader.grade(canary, base, diff(base, job.tree), _DONE, bench)
    except (NotGraded, OSError):
        return None
    return None if grade.status in UNSCORED else grade.passed


def _column(grader: Grader, came: Sequence[tuple[_Job, bool | None]]) -> Column:
    controls = {job.name: ok for job, ok in came if job.name in (_GOLD, _NULL, _WRONG)}
    tried = [(job, ok) for job, ok in came if job.name not in controls]
    # A cheat with one draw that could not be graded was not rejected by that draw.
    lost = dict.fromkeys(job.name for job, ok in tried if ok is None)
    fooled = dict.fromkeys(job.name for job, ok in tried if ok)
    drawn = [ok for job, ok in tried if job.adaptive and ok is not None]
    families = grader.toy.families
    return Column(
        grader=grader.name,
        kind=grader.kind,
        fooled_by=tuple(fooled),
        of=len({job.name for job, ok in tried if ok is not None}),
        gold_passes=controls[_GOLD] is True,
        null_fails=controls[_NULL] is False and controls[_WRONG] is False,
        tries=len(drawn),
        hits=drawn.count(True),
        floor=Fraction(1, FAMILY) ** families if families else None,
        unmeasured=tuple(name for name in lost if name not in fooled),
    )
