"""JavaScript tests written for `node:test`: rewritten, laid outside the tree, run by our own driver, judged out here.

node's own runner is not used at all: it takes its results from a stream on standard output that the code under test
can write. What a cheat inside the process can still do is what `observed` says of Python.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from gate.grading.bench import Bench, Findings, NotGraded, Stage, UnusableTest, records, staged, unreadable
from gate.grading.javascript import rewrite_script
from gate.grading.jssource import Resolve, is_module, parse, relink
from gate.grading.judging import Tampered, check_sentinels, items_of, node_label, verdicts
from gate.grading.layout import Laid, Sources, checks_of_specs, collect, forms_of, summary, without
from gate.grading.reason import clean
from gate.grading.rewrite import UnreadableTest
from gate.outcome import Check
from gate.sandbox.fence import Completed
from gate.suite.canary import RunnerTest
from gate.workspace.tree import File, Symlink, Tree

EXTENSIONS = (".js", ".mjs", ".cjs")


def grade_node(
    specs: Sequence[RunnerTest], tree: Tree, hidden: Tree, base: Tree, bench: Bench, *, name: str, wall_s: float
) -> Findings:
    """Run the listed test files of all specs over the clean tree, in one process.

    Raises NotGraded when the driver never began, UnusableTest when the canary's own tests cannot be read or found.
    """
    sources = collect(specs, hidden, tree, base)
    if not sources.tests:
        return Findings((Check("tests", ok=False, reason="the tests are gone"),), frozenset({"observed"}))
    with staged(bench, without(tree, sources), name) as stage:
        drivers, package = stage.driver()
        observer, nonce, root = stage.draw.name(), stage.draw.name(), stage.place / stage.draw.name()
        laid = Laid(node_label, dict(sources.folder))
        shim = (drivers / package / "tests.mjs").as_uri()
        try:
            _rewrite_all(sources, laid, stage, observer, partial(_resolver, hidden, root, stage.repo, shim))
        except UnreadableTest as error:
            if laid.foreign(base, hidden, tree):
                return Findings((Check("tests", ok=False, reason=clean(str(error))),), frozenset({"observed"}))
            raise UnusableTest(clean(str(error))) from error
        laid.folder.setdefault("package.json", File(json.dumps({"type": _type_of(tree)}).encode()))
        if any(path.startswith("node_modules/") for path in tree):
            laid.folder.setdefault("node_modules", Symlink(str(stage.repo / "node_modules")))
        stage.lay(laid.folder, root)
        plan = {"nonce": nonce, "observer": observer, "files": [str(root / path) for path in laid.files]}
        completed = stage.run_node(
            drivers / package / "session.mjs", readable=(root, drivers), wall_s=wall_s, stdin=json.dumps(plan).encode()
        )
        bench.evidence(f"{name}.records", completed.stdout)
        bench.evidence(f"{name}.output", completed.stderr)
        checks = _judge(completed, nonce, laid, specs, sources, (*stage.hidden(), *laid.drawn()))
    return Findings((*checks, summary(laid, name)), forms_of(laid))


def _rewrite_all(sources: Sources, laid: Laid, stage: Stage, observer: str, resolver: partial[Resolve]) -> None:
    for path, node in list(laid.folder.items()):
        if path.endswith(EXTENSIONS) and path not in sources.tests and isinstance(node, File):
            # What lies beside the tests may be data: a broken file, another dialect. Then it stays as it is.
            with suppress(UnreadableTest):
                laid.folder[path] = File(relink(node.data, path, resolver(path)))
    for path, source in sources.tests.items():
        laid.replace(path)
        made = rewrite_script(source, path, observer, stage.draw, resolver(path))
        kind = "mjs" if is_module(parse(source, path), path) else "cjs"
        laid.add(f"{posixpath.dirname(path)}/{stage.draw.name()}.{kind}".lstrip("/"), made)


def _type_of(tree: Tree) -> str:
    """What a `.js` file is in the tree, by the package.json at its root."""
    node = tree.get("package.json")
    try:
        found = json.loads(node.data) if isinstance(node, File) else {}
    except (ValueError, RecursionError):
        return "commonjs"
    return "module" if isinstance(found, dict) and found.get("type") == "module" else "commonjs"


def _resolver(hidden: Tree, root: Path, repo: Path, shim: str, path: str) -> Resolve:
    """Relative imports lead to the copy, except to what ships with the hidden tests."""

    def resolve(specifier: str, as_url: bool) -> str | None:
        if specifier == "node:test":
            return shim
        if not specifier.startswith(("./", "../")):
            return None
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))
        ships = any(f"{target}{ending}" in hidden for ending in ("", *EXTENSIONS, ".json", "/index.js"))
        place = (root if ships else repo) / target
        return place.as_uri() if as_url else str(place)

    return resolve


def _judge(
    completed: Completed,
    nonce: str,
    laid: Laid,
    specs: Sequence[RunnerTest],
    sources: Sources,
    hide: tuple[str, ...],
) -> list[Check]:
    if completed.timed_out:
        return [Check("tests", ok=False, reason="timeout")]
    found = records(completed.stdout)
    if found is None:
        return [Check("tests", ok=False, reason=unreadable(completed))]
    if found[:2] != [["hello", nonce], ["ready", nonce]]:
        raise NotGraded("the test driver never announced itself")
    problem = next((record for record in found if record[0] == "collect"), None)
    if problem is not None:
        text = str(problem[-1])
        return [Check("tests", ok=False, reason=clean(f"the tests could not be loaded: {text}", hide=hide))]
    if found[-1] != ["end", nonce, 0] or completed.exit_code != 0:
        return [Check("tests", ok=False, reason="the session did not run to its end")]
    try:
        items = items_of(found[2:-1], laid.table())
        check_sentinels(items, laid.table())
        return checks_of_specs(verdicts(items, laid.table(), hide), specs, sources.listed)
    except Tampered as error:
        return [Check("tests", ok=False, reason=str(error))]
