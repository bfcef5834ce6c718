"""Code put into JavaScript sources: at the top of a module, at the head of its functions, or around what they do.

Injected code finds `$need` (a `require` in both kinds of module) and `$self` (the path of its own file).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.grading.jsliteral import text
from gate.grading.jsscope import after_directives
from gate.grading.jssource import Edits, is_module, parse
from gate.grading.rewrite import UnreadableTest
from gate.workspace.tree import File, Node

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from gate.audit.cheats.target import Target
    from gate.workspace.tree import Tree

Made = Callable[["Target"], "Tree | None"]

EXTENSIONS = (".js", ".mjs", ".cjs")

_MODULE = (
    'import { createRequire as $made } from "node:module";\n'
    "const $need = $made(import.meta.url), $self = import.meta.filename;\n"
)
_SCRIPT = "const $need = require, $self = __filename;\n"
_FUNCTIONS = ("function_declaration", "function_expression", "arrow_function", "method_definition")


@dataclass(frozen=True, slots=True)
class Function:
    """A function that stands in no other: its name, its plain parameters, and its body (an arrow's may be a value)."""

    name: str
    parameters: tuple[str, ...]
    body: Syntax


def at_top(code: str) -> Made:
    """Code at the top of each source file."""
    return _changed(lambda *_: True, code)


def at_call(statements: str, top: str = "") -> Made:
    """Statements at the head of each function; None where a source has none."""

    def edit(root: Syntax, edits: Edits) -> bool:
        found = list(functions(root))
        for function in found:
            _head(function.body, statements, edits)
        return bool(found)

    return _changed(edit, top)


def answering(code: Callable[[Function], str], top: str = "") -> Made:
    """Each function with `code` in the place of its body, which is still there as `$inner`."""

    def edit(root: Syntax, edits: Edits) -> bool:
        found = list(functions(root))
        for function in found:
            body = function.body
            wait = "async " if any(child.type == "async" for child in (body.parent or body).children) else ""
            value = body.type != "statement_block"
            edits.put(body.start_byte, body.start_byte, f"{{ const $inner = {wait}() => {'(' if value else ''}")
            edits.put(body.end_byte, body.end_byte, f"{')' if value else ''}; {code(function)} }}")
        return bool(found)

    return _changed(edit, top)


def _changed(edit: Callable[[Syntax, Edits], bool], top: str) -> Made:
    return lambda target: _rewritten(target, edit, top)


def _rewritten(target: Target, edit: Callable[[Syntax, Edits], bool], top: str) -> Tree | None:
    """Each source edited and with code at its top. None where nothing could be edited."""
    tree: dict[str, Node] = dict(target.base)
    done = False
    for path in target.sources:
        node = target.base.get(path)
        if not path.endswith(EXTENSIONS) or not isinstance(node, File):
            continue
        try:
            root = parse(node.data, path)
        except UnreadableTest:
            continue
        edits = Edits()
        if not edit(root, edits):
            continue
        head = after_directives(root)
        preamble = _MODULE if _is_module(root, path, target.base) else _SCRIPT
        edits.put(head, head, f"\n{preamble}{top}\n")
        tree[path] = File(edits.apply(node.data), node.executable)
        done = True
    return tree if done else None


def functions(root: Syntax) -> Iterator[Function]:
    """The outermost functions of a file, methods among them; no constructors, no generators."""
    pending = [root]
    while pending:
        node = pending.pop()
        body = node.child_by_field_name("body") if node.type in _FUNCTIONS else None
        if body is None:
            pending.extend(reversed(node.children))
            continue
        name = _name(node)
        if name != "constructor" and not any(child.type == "*" for child in node.children):
            yield Function(name, _parameters(node), body)


def _name(node: Syntax) -> str:
    named = node.child_by_field_name("name")
    parent = node.parent
    if named is None and parent is not None:
        field = {"variable_declarator": "name", "pair": "key", "assignment_expression": "left"}.get(parent.type, "")
        named = parent.child_by_field_name(field) if field else None
    return text(named).rpartition(".")[2] if named is not None else ""


def _parameters(node: Syntax) -> tuple[str, ...]:
    """Parameters by name, those with a default value among them, up to the first that is taken apart."""
    one, many = node.child_by_field_name("parameter"), node.child_by_field_name("parameters")
    found = []
    for child in [one] if one is not None else many.named_children if many is not None else []:
        plain = child.child_by_field_name("left") if child.type == "assignment_pattern" else child
        if plain is None or plain.type != "identifier":
            break
        found.append(text(plain))
    return tuple(found)


def _head(body: Syntax, code: str, edits: Edits) -> None:
    if body.type == "statement_block":
        edits.put(body.start_byte + 1, body.start_byte + 1, f" {code} ")
    else:
        edits.put(body.start_byte, body.start_byte, f"{{ {code} return (")
        edits.put(body.end_byte, body.end_byte, "); }")


def _is_module(root: Syntax, path: str, base: Tree) -> bool:
    if is_module(root, path) or path.endswith(".cjs"):
        return not path.endswith(".cjs")
    return package(base).get("type") == "module" and not re.search(rb"\brequire\(|\bexports\b", root.text or b"")


def package(base: Tree) -> dict[str, object]:
    """The package.json at the root of a fixture; empty where there is none that can be read."""
    node = base.get("package.json")
    try:
        found = json.loads(node.data) if isinstance(node, File) else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def with_package(base: Tree, changed: Mapping[str, object]) -> Tree:
    """The fixture with other entries in its package.json."""
    return {**base, "package.json": File(json.dumps({**package(base), **changed}, indent=2).encode() + b"\n")}
