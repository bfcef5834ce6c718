"""How tests are laid out for a session: which files, which of them rewritten, and what the parent knows of them."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch

from gate.grading.bench import UnusableTest
from gate.grading.clean import TEST_FOLDERS
from gate.grading.expectation import Either, Form, Site
from gate.grading.judging import Item, Table, Version, checks_of
from gate.grading.rewrite import Rewritten
from gate.outcome import Check
from gate.suite.canary import RunnerTest
from gate.workspace.tree import File, Node, Tree


def _is_pytest(path: str) -> bool:
    return any(fnmatch(path.rpartition("/")[2], pattern) for pattern in ("test_*.py", "*_test.py"))


def _is_node(path: str) -> bool:
    stem, extension = posixpath.splitext(posixpath.basename(path))
    named = stem == "test" or stem.startswith("test-") or stem.endswith((".test", "-test", "_test"))
    return extension in (".js", ".mjs", ".cjs") and (named or "test" in path.split("/")[:-1])


PATTERNS: dict[str, Callable[[str], bool]] = {"pytest": _is_pytest, "node": _is_node}
"""What each runner takes for a test file when it is given a folder."""


@dataclass(slots=True)
class Laid:
    """Files of the folder, the names of the rewritten ones in it, and the parent's side.

    `label` gives the stable id of a test that ran; `reading` is the file that is being rewritten.
    """

    label: Callable[[Item, Version], str]
    folder: dict[str, Node] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    versions: dict[str, Version] = field(default_factory=dict)
    sites: dict[str, Site] = field(default_factory=dict)
    passing: set[str] = field(default_factory=set)
    failing: set[str] = field(default_factory=set)
    counts: Counter[Form] = field(default_factory=Counter)
    bare: int = 0
    reading: str = ""
    loose: set[str] = field(default_factory=set)

    def replace(self, path: str) -> None:
        """The next file to be rewritten; the original does not go into the folder."""
        self.reading = path
        self.folder.pop(path, None)

    def add(self, path: str, made: Rewritten) -> None:
        """Lay one rewritten file at a drawn path."""
        self.folder[path] = File(made.source.encode("utf-8", "surrogateescape"))
        self.files.append(path)
        self.versions.update(made.versions)
        self.sites.update(made.sites)
        self.passing.add(made.passing)
        self.failing.add(made.failing)
        self.counts.update(made.counts)
        self.bare += made.bare

    def table(self) -> Table:
        """What a session is judged by."""
        return Table(self.versions, self.sites, frozenset(self.passing), frozenset(self.failing), self.label)

    def drop(self, loose: frozenset[str]) -> None:
        """Take twins out of the judgement; what they observe is still counted."""
        for name in loose & self.sites.keys():
            self.sites[name] = replace(self.sites[name], expectation=Either())

    def note_loose(self, items: Sequence[Item]) -> None:
        """Note the twins with a wrong constant that held all the same."""
        held = (name for item in items for name, payload in item.seen if payload == [True])
        self.loose |= {name for name in held if self.sites[name].twin}

    def drawn(self) -> tuple[str, ...]:
        """Every drawn name that output may hold, for no reason to show."""
        return (*self.files, *(path.rpartition("/")[2] for path in self.files), *self.versions)

    def foreign(self, base: Tree, hidden: Tree, tree: Tree) -> bool:
        """Whether the file that could not be rewritten is as the patch left it: then that is the patch's failure."""
        return self.reading not in hidden and base.get(self.reading) != tree.get(self.reading)


@dataclass(frozen=True, slots=True)
class Sources:
    """The test files that several specs list: bytes by path, what lies beside them, and the paths of each spec."""

    tests: Mapping[str, bytes]
    folder: Mapping[str, Node]
    listed: tuple[frozenset[str], ...]


def collect(specs: Sequence[RunnerTest], hidden: Tree, tree: Tree, base: Tree) -> Sources:
    """Find the listed test files: a path is looked up in the hidden tests first, then in the clean tree.

    There the listed tests are the fixture's, unless the canary hands them over to the agent. Raises UnusableTest where
    a path holds no test; not where the patch deleted those of the fixture, which then are missing.
    """
    tests: dict[str, bytes] = {}
    folder: dict[str, Node] = {}
    listed = []
    for spec in specs:
        own: set[str] = set()
        for path in spec.paths:
            origin = hidden if below(path, hidden) else tree
            found = {item: origin[item] for item in listed_tests(spec, origin) if item in below(path, origin)}
            named = {item: node.data for item, node in sorted(found.items()) if isinstance(node, File)}
            if not named and not (listed_tests(spec, base) & below(path, base).keys()):
                raise UnusableTest(f"{path} holds no test file, neither among the hidden tests nor in the tree")
            own |= named.keys()
            tests.update(named)
            folder = {**companions(path.strip("/"), tree), **folder}
        listed.append(frozenset(own))
    return Sources(tests, {**folder, **(hidden if any(path in hidden for path in tests) else {})}, tuple(listed))


def listed_tests(spec: RunnerTest, tree: Tree) -> set[str]:
    """The test files of the tree that a spec lists."""
    is_test = PATTERNS[spec.runner]
    return {item for path in spec.paths for item in below(path, tree) if item == path.strip("/") or is_test(item)}


def without(tree: Tree, sources: Sources) -> Tree:
    """The tree without the listed test files: what is expected must not lie beside the code that is judged by it."""
    return {path: node for path, node in tree.items() if path not in sources.tests}


def checks_of_specs(
    found: Mapping[str, str | None], specs: Sequence[RunnerTest], listed: Sequence[frozenset[str]]
) -> list[Check]:
    """The checks of every spec, each over the tests of its own files; a test that two specs name is checked once."""
    checks: dict[str, Check] = {}
    for spec, paths in zip(specs, listed, strict=True):
        own = {test: reason for test, reason in found.items() if test.partition("::")[0] in paths}
        for check in checks_of(own, (*spec.fail_to_pass, *spec.pass_to_pass)):
            checks.setdefault(check.name, check)
    return list(checks.values())


def below(path: str, tree: Tree) -> dict[str, Node]:
    """The file of that path, or all files of that folder."""
    folder = path.strip("/")
    if folder in ("", "."):
        return dict(tree)
    return {item: node for item, node in tree.items() if item == folder or item.startswith(f"{folder}/")}


def companions(path: str, tree: Tree) -> dict[str, Node]:
    """What lies beside listed tests: their folder, each conftest.py on the way to it, and what lies beside that one."""
    folder = path if any(item.startswith(f"{path}/") for item in tree) else path.rpartition("/")[0]
    beside = below(folder, tree) if folder else {}
    parts = folder.split("/") if folder else []
    for depth in range(len(parts) + 1):
        conftest = "/".join([*parts[:depth], "conftest.py"])
        if conftest in tree:
            beside[conftest] = tree[conftest]
            if depth and parts[depth - 1] in TEST_FOLDERS:
                # It may import from its package, and read the data that lies there.
                beside.update(below("/".join(parts[:depth]), tree))
    return {item: node for item, node in beside.items() if isinstance(node, File)}


def forms_of(laid: Laid) -> frozenset[str]:
    """The forms that the assertions are graded in; a test without any hangs on the controls and the process's word."""
    forms = {form for form in ("observed", "vector", "held") if laid.counts[form]}
    return frozenset(forms | ({"held"} if laid.bare or not forms else set()))


def summary(laid: Laid, name: str) -> Check:
    """How the assertions were graded; the counts are of the test files, the same whatever the patch is."""
    parts = [f"{laid.counts[form]} {form}" for form in ("observed", "vector", "held") if laid.counts[form]]
    parts += [f"{laid.bare} tests without assertions"] if laid.bare else []
    return Check(f"{name}: forms", ok=True, reason=f"assertions: {', '.join(parts) or 'none'}")
