"""Which modules this machine lacks: only those that the graded program really imports, by what its grading said.

A module counts when three things agree: the raw evidence names it as not found, a file that the grading reaches imports
it, and the interpreter has none of that name. One that the tree itself should hold is the program's own fault.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gate.grading.bench import NotGraded, held, modules, staged
from gate.grading.jsliteral import text
from gate.grading.jssource import parse, walk
from gate.grading.layout import listed_tests
from gate.grading.rewrite import UnreadableTest
from gate.sandbox.policy import Limits, Policy
from gate.suite.canary import Canary, RunnerTest
from gate.trials.folder import Evidence
from gate.trials.stand import Stand
from gate.workspace.patch import diff
from gate.workspace.tree import File, Tree

if TYPE_CHECKING:
    from tree_sitter import Node

PYTHON, SCRIPTS = (".py",), (".js", ".cjs", ".mjs")

_PYTHON_SAYS = re.compile(rb"No module named \\?['\"]([A-Za-z_][\w.]*)")
_NODE_SAYS = re.compile(rb"Cannot find (?:module|package) \\?['\"](@?[\w.-]+(?:/[\w.-]+)*)")
_PROBE = "import importlib.util, sys; print(*(n for n in sys.argv[1:] if importlib.util.find_spec(n) is None))"


def missing_modules(canary: Canary, golden: Tree, base: Tree, evidence: Evidence, stand: Stand) -> tuple[str, ...]:
    """The modules whose absence made a grading of the right answer fail, sorted. Raises HarnessBroken."""
    said = _said(evidence)
    if not said:
        return ()
    hidden = stand.copies.base(canary.expect.hidden_tests) if canary.expect.hidden_tests else {}
    tree = {**golden, **hidden}
    named = said & set(_imports(tree, _starts(canary, tree, golden, base)))
    suspected = {name for name in named if name.partition("/")[0] not in modules(tree)}
    return tuple(sorted(_absent(suspected, evidence, stand)))


def _said(evidence: Evidence) -> set[str]:
    found: set[str] = set()
    for file in sorted((evidence.root / "raw").glob("*")):
        data = file.read_bytes()
        found |= {name.decode().split(".")[0] for name in _PYTHON_SAYS.findall(data)}
        found |= {_package(name.decode()) for name in _NODE_SAYS.findall(data)}
    return found


def _package(specifier: str) -> str:
    """`@scope/name/file` and `name/file` as the package that they belong to."""
    return "/".join(specifier.split("/")[: 2 if specifier.startswith("@") else 1])


def _starts(canary: Canary, tree: Tree, golden: Tree, base: Tree) -> set[str]:
    """The files that a grading begins with: the listed tests and what the answer changes; everything, for a command."""
    specs = canary.expect.tests
    if not specs or not all(isinstance(spec, RunnerTest) for spec in specs):
        return set(tree)
    listed = {path for spec in specs if isinstance(spec, RunnerTest) for path in listed_tests(spec, tree)}
    folders = {posixpath.dirname(path) for path in listed}
    beside = {path for path in tree if path.endswith("conftest.py") or posixpath.dirname(path) in folders}
    return listed | beside | set(diff(base, golden).paths())


def _imports(tree: Tree, starts: set[str]) -> Iterator[str]:
    """The modules that are imported by the files that can be reached from some, those of the tree left out."""
    pending, seen = sorted(starts), set(starts)
    while pending:
        path = pending.pop()
        node = tree.get(path)
        if not isinstance(node, File):
            continue
        for name in _imported_by(path, node.data):
            inside = [found for found in _files(name, path) if found in tree]
            pending += [found for found in inside if found not in seen]
            seen |= set(inside)
            if not inside and not name.startswith("."):
                yield name.split(".")[0] if path.endswith(PYTHON) else _package(name)


def _imported_by(path: str, data: bytes) -> set[str]:
    try:
        if path.endswith(PYTHON):
            return imported(ast.parse(data))
        return required(parse(data, path)) if path.endswith(SCRIPTS) else set()
    except (SyntaxError, ValueError, RecursionError, UnreadableTest):
        return set()


def imported(tree: ast.AST) -> set[str]:
    """The modules that Python code imports, at any depth: `a.b`, and `.c` for one beside it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            joint = "" if source.endswith(".") else "."
            found |= {source, *(f"{source}{joint}{alias.name}" for alias in node.names if alias.name != "*")}
    return found - {"."}


def required(root: Node) -> set[str]:
    """The specifiers that a script requires or imports, those of node itself left out."""
    found = set()
    for node in walk(root):
        source = None
        if node.type in ("import_statement", "export_statement"):
            source = node.child_by_field_name("source")
        elif node.type == "call_expression":
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if function is not None and text(function) in ("require", "import", "require.resolve"):
                source = next(iter(arguments.named_children), None) if arguments is not None else None
        if source is not None and source.type == "string" and not text(source)[1:-1].startswith(("node:", "/")):
            found.add(text(source)[1:-1])
    return found


def _files(name: str, importer: str) -> Iterator[str]:
    """Where in the tree an import may lead."""
    here = posixpath.dirname(importer)
    if not importer.endswith(PYTHON):
        target = posixpath.normpath(posixpath.join(here, name)) if name.startswith(".") else ""
        yield from (f"{target}{ending}" for ending in ("", *SCRIPTS, "/index.js") if target)
        return
    dots = len(name) - len(name.lstrip("."))
    parts = name.lstrip(".").split(".")
    for root in [posixpath.join(here, *[".."] * (dots - 1))] if dots else ["", "src", here]:
        yield f"{posixpath.normpath(posixpath.join(root, *parts))}.py"
        for end in range(1, len(parts) + 1):
            yield f"{posixpath.normpath(posixpath.join(root, *parts[:end]))}/__init__.py"


def _absent(names: set[str], evidence: Evidence, stand: Stand) -> set[str]:
    """Those that the interpreter has not: said by itself, in the fence, over an empty copy."""
    python = {name for name in names if name.isidentifier()}
    if not python:
        return names
    bench = stand.bench(evidence)
    with staged(bench, {}, "modules") as stage:
        policy = Policy(copy=stage.repo, readable=bench.python.readable, limits=Limits(wall_s=30))
        argv = [str(bench.python.executable), "-I", "-c", _PROBE, *sorted(python)]
        try:
            completed = held(bench.fence.run(policy, argv), "the interpreter")
        except NotGraded:
            return names
    return (names - python) | (python & set(completed.stdout.decode().split()))
