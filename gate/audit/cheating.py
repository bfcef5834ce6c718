"""Every known cheat against the graders of one canary."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from gate.audit.cheats.target import Cheat, Target
from gate.audit.handing import Desk
from gate.grading.layout import listed_tests
from gate.suite.canary import Canary, RunnerTest
from gate.workspace.patch import diff
from gate.workspace.tree import Tree

AGAIN = 4
"""How often a cheat that passed is tried again with new draws: a guess at a twin does not pass every time."""

_PLACED = ("files", "harness")
"""These attack what reads the copy, so they are placed on one; the others go straight to the graders."""


@dataclass(slots=True)
class Caught:
    """How the cheats came out. `hits` maps a cheat that passed at all to (times it passed, times it was graded).

    `texts` says of each of those what it does.
    """

    tried: int = 0
    hits: dict[str, tuple[int, int]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    unmeasured: tuple[str, ...] = ()

    @property
    def let_through(self) -> tuple[str, ...]:
        """The names, with the count where it was not every time."""
        return tuple(
            name if hits == tries else f"{name} ({hits} of {tries})" for name, (hits, tries) in self.hits.items()
        )


def target_of(canary: Canary, base: Tree, golden: Tree) -> Target | None:
    """What cheats are given of a canary; None where its language has none."""
    if canary.language == "other":
        return None
    listed = {path for spec in canary.expect.tests if isinstance(spec, RunnerTest) for path in listed_tests(spec, base)}
    suffixes = (".py",) if canary.language == "python" else (".js", ".mjs", ".cjs")
    changed = [path for path in diff(base, golden).paths() if path in base and path.endswith(suffixes)]
    sources = tuple(path for path in changed if path not in listed)
    return Target(base, canary.language, sources, tuple(sorted(listed))) if sources else None


def try_cheats(desk: Desk, golden: Tree, cheats: Iterable[Cheat], jobs: int = 1) -> Caught:
    """Grade every cheat that applies, `jobs` at a time. One that cannot be graded is never counted as rejected."""
    caught = Caught()
    target = target_of(desk.canary, desk.base, golden)
    if target is None:
        return caught
    work = [
        (cheat, tree)
        for cheat in cheats
        if target.language in cheat.languages
        and (tree := cheat.made(target)) is not None
        and tree not in (desk.base, golden)
    ]
    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="cheat") as pool:
        futures = [pool.submit(_tried, desk, *one) for one in work]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    for (cheat, _), future in zip(work, futures, strict=True):
        hits, tries, reason = future.result()
        if not tries:
            caught.unmeasured += (f"cheat {cheat.name}: {reason}",)
            continue
        caught.tried += 1
        if hits:
            caught.hits[cheat.name] = (hits, tries)
            caught.texts[cheat.name] = cheat.text
    return caught


def _tried(desk: Desk, cheat: Cheat, tree: Tree) -> tuple[int, int, str]:
    """How often a cheat passed, of how many gradings, and why it could not be graded where that is none."""
    patch = diff(desk.base, tree)
    graded = desk.edit(patch, name=cheat.name) if cheat.kind in _PLACED else desk.submit(patch, name=cheat.name)
    if graded.passed is None:
        return 0, 0, graded.reason
    if not graded.passed:
        return 0, 1, ""
    if "vector" not in graded.grade.graded_by.split("+"):
        return 1, 1, ""  # nothing there can be guessed: once is enough
    again = [desk.submit(patch, fresh=True, name=cheat.name).passed for _ in range(AGAIN)]
    return 1 + again.count(True), 1 + len(again) - again.count(None), ""
