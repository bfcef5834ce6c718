"""Versions of a known answer that are known to be wrong: each differs from it in one small thing.

They are made only in what the answer added or changed, so a test that lets one pass does not look at what the answer
was asked for. A version that is the same program as the answer is none; neither is one that does not parse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gate.grading.clean import CONFIGURATION, TEST_FOLDERS
from gate.grading.layout import PATTERNS
from gate.proof import hunks
from gate.proof.sameness import JAVASCRIPT, MAX_PARSED, PYTHON, meaning
from gate.proof.slip import Slip
from gate.workspace.globs import Globs
from gate.workspace.patch import Change, diff
from gate.workspace.tree import File, Node, Tree

LIMIT = 24
_NO_PROGRAM = (".md", ".markdown", ".rst", ".adoc", ".pyi", ".d.ts", ".map", ".lock")
_HUNK_SHARE = 4


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong version of the whole tree. The name says where and what: `path:line what -> what`, stable and unique.

    `dropped`: a part of the answer was left out, nothing was put in its place.
    """

    name: str
    tree: Tree
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Mutants:
    """The wrong versions, how many candidates were the same program as the answer, and how many were not looked at."""

    versions: tuple[Mutant, ...]
    equivalent: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One change of one file of the answer; without edits the file goes back to what it was before the answer."""

    path: str
    slip: Slip

    def made(self, base: Tree, golden: Tree) -> Node | None:
        node = golden.get(self.path)
        if not self.slip.edits or not isinstance(node, File):
            return base.get(self.path)
        return replace(node, data=self.slip.applied(node.data))

    @property
    def name(self) -> str:
        return f"{self.path}:{self.slip.line} {self.slip.what}"


def is_program(path: str) -> bool:
    """Whether a file can change what the program does: no test, no prose, nothing that only tools read."""
    folders = path.split("/")[:-1]
    if any(folder in TEST_FOLDERS for folder in folders) or path.endswith(_NO_PROGRAM):
        return False
    return not Globs(CONFIGURATION).matches(path) and not any(matches(path) for matches in PATTERNS.values())


def mutants(base: Tree, golden: Tree, *, limit: int = LIMIT) -> Mutants:
    """At most `limit` wrong versions of `golden`, spread over kinds of slips and over lines. Deterministic.

    The fixture itself is one of them where the answer is a single hunk.
    """
    pending = list(_candidates(base, golden))
    right: dict[str, str | None] = {}
    seen: set[tuple[str, str]] = set()
    chosen: list[tuple[_Candidate, Node | None]] = []
    kinds: Counter[str] = Counter()
    places: Counter[tuple[str, int]] = Counter()
    equivalent = 0
    while pending and len(chosen) < limit:
        at = min(range(len(pending)), key=lambda at: (*_turn(pending[at], kinds, places), at))
        candidate = pending.pop(at)
        path, node = candidate.path, candidate.made(base, golden)
        if path not in right:
            right[path] = meaning(path, golden.get(path))
        means = meaning(path, node)
        if means is None or right[path] is None or (path, means) in seen:
            continue
        if means == right[path] or candidate.slip.same:
            equivalent += 1
            continue
        seen.add((path, means))
        chosen.append((candidate, node))
        kinds[candidate.slip.kind] += 1
        places[path, candidate.slip.line] += 1
    return Mutants(tuple(_named(chosen, golden)), equivalent, len(pending))


def _turn(candidate: _Candidate, kinds: Counter[str], places: Counter[tuple[str, int]]) -> tuple[int, int]:
    """Smaller comes first: the kind that has been used least, then the line. Hunks may come four times as often."""
    kind = candidate.slip.kind
    used = kinds[kind] // _HUNK_SHARE if kind == "hunk" else kinds[kind]
    return used, places[candidate.path, candidate.slip.line]


def _named(chosen: Sequence[tuple[_Candidate, Node | None]], golden: Tree) -> Iterator[Mutant]:
    names: Counter[str] = Counter()
    for candidate, node in sorted(chosen, key=lambda pair: (pair[0].path, pair[0].slip.line, pair[0].slip.edits)):
        names[candidate.name] += 1
        name = candidate.name if names[candidate.name] == 1 else f"{candidate.name} ({names[candidate.name]})"
        tree = {path: kept for path, kept in golden.items() if path != candidate.path}
        yield Mutant(name, tree if node is None else {**tree, candidate.path: node}, candidate.slip.kind == "hunk")


def _candidates(base: Tree, golden: Tree) -> Iterator[_Candidate]:
    changes = [change for change in diff(base, golden).changes if is_program(change.path) and _is_felt(change)]
    for change in changes:
        for slip in _drops(change, only=len(changes) == 1):
            yield _Candidate(change.path, slip)
    if not hunks.renamed(changes):
        for change in changes:
            lines = hunks.changed_lines(change)
            yield from (_Candidate(change.path, slip) for slip in _slips(change) if slip.touches(lines))


def _is_felt(change: Change) -> bool:
    """Whether the file is another program after the change, and not only laid out otherwise."""
    before, after = meaning(change.path, change.before), meaning(change.path, change.after)
    return before is None or before != after


def _drops(change: Change, *, only: bool) -> Iterator[Slip]:
    if hunks.is_edit(change):
        yield from hunks.drops(change, only=only)
    else:
        yield Slip("hunk", 1, 1, 1, (), "file left as it was" if change.before is not None else "file left out")


def _slips(change: Change) -> Iterator[Slip]:
    if isinstance(change.after, File) and len(change.after.data) <= MAX_PARSED:
        yield from slips_of(change.path, change.after.data)


def slips_of(path: str, data: bytes) -> Iterator[Slip]:
    """Every slip of one file; none for what is neither Python nor JavaScript, or does not parse."""
    if path.endswith(PYTHON):
        from gate.models.standin.pysource import Source
        from gate.proof import pyslips

        text = _text(data)
        source = Source.of(path, text) if text is not None else None
        if source is not None:
            yield from pyslips.slips(source)
    elif path.endswith(JAVASCRIPT):
        from gate.grading.jssource import parse
        from gate.grading.rewrite import UnreadableTest
        from gate.proof import jsslips

        try:
            root = parse(data, path)
        except UnreadableTest:
            return
        yield from jsslips.slips(root, data)


def _text(data: bytes) -> str | None:
    """The text of a Python file, where lines end as `ast` counts them and as the bytes have them."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\r" in text.replace("\r\n", "") else text


def aliased(base: Tree, golden: Tree) -> Tree | None:
    """A rename that leaves the old names behind as well; None where the answer is none, or not in Python.

    No wrong version in general, but where a test asks that the old name is gone, this is what makes it fail.
    """
    changes = [change for change in diff(base, golden).changes if is_program(change.path)]
    tree = dict(golden)
    for old, new in hunks.renamed(changes).items():
        for change in changes:
            node = tree.get(change.path)
            if change.path.endswith(PYTHON) and isinstance(node, File) and hunks.defines(node.data, new):
                tree[change.path] = replace(node, data=node.data.rstrip(b"\n") + f"\n\n\n{old} = {new}\n".encode())
    return None if tree == golden else tree


def hollow(tree: Tree, value: str) -> Tree:
    """The tree with every function of its programs returning `value` at once: `nothing`, or `something` of no use.

    A file for which that cannot be done stays as it is.
    """
    out = dict(tree)
    for path, node in tree.items():
        if isinstance(node, File) and is_program(path) and len(node.data) <= MAX_PARSED:
            made = replace(node, data=_hollowed(path, node.data, value))
            if meaning(path, made) is not None:
                out[path] = made
    return out


def _hollowed(path: str, data: bytes, value: str) -> bytes:
    if path.endswith(PYTHON):
        from gate.models.standin.pysource import Source
        from gate.proof import pyslips

        text = _text(data)
        source = Source.of(path, text) if text is not None else None
        return data if source is None else pyslips.hollow(source, b"None" if value == "nothing" else b"object()")
    if path.endswith(JAVASCRIPT):
        from gate.grading.jssource import parse
        from gate.grading.rewrite import UnreadableTest
        from gate.proof import jsslips

        try:
            root = parse(data, path)
        except UnreadableTest:
            return data
        return jsslips.hollow(root, data, b"undefined" if value == "nothing" else b"Symbol()")
    return data
