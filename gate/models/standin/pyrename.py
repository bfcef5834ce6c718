"""Renaming in Python by syntax: what refers to the definition changes, what merely has its name does not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gate.models.standin.pysource import Source, Span, assigned, defines, same_module, top_level
from gate.models.standin.understand import Wish

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def _exporters(sources: list[Source], wish: Wish) -> set[str]:
    """Paths in which the top-level name is the one that is meant: its home, and whoever imports it from there."""
    homes = {source.path for source in sources if defines(source, wish.old)}
    named = {path for path in homes for said in wish.paths if f"/{path}".endswith(f"/{said}")}
    known = named or homes
    while True:
        more = {source.path for source in sources if source.path not in known and _imports(source, known, wish.old)}
        if not more:
            return known
        known = known | more


def _imports(source: Source, known: set[str], name: str) -> bool:
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        taken = any(alias.name in {name, "*"} and alias.asname in {None, name} for alias in node.names)
        if taken and any(same_module(source.module(node), path) for path in known):
            return True
    return False


def _binds(scope: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str) -> bool:
    """Whether a function has a local of that name (a parameter, an assignment, an inner definition)."""
    arguments = scope.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    if any(argument is not None and argument.arg == name for argument in every):
        return True
    body = scope.body if isinstance(scope.body, list) else [scope.body]
    own = [part for statement in body for part in _own_parts(statement)]
    if any(isinstance(part, ast.Global | ast.Nonlocal) and name in part.names for part in own):
        return False
    return any(
        (isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store | ast.Del))
        or (isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and part.name == name)
        for part in own
    )


def _own_parts(node: ast.AST) -> Iterator[ast.AST]:
    """A node and everything below it that belongs to the same scope."""
    stack = [node]
    while stack:
        part = stack.pop()
        yield part
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | _COMPREHENSIONS):
            stack += ast.iter_child_nodes(part)


class _Finder(ast.NodeVisitor):
    """Collects the spans of one file that refer to a top-level name of a known module."""

    def __init__(self, source: Source, wish: Wish, known: set[str]) -> None:
        self.source, self.old, self.known = source, wish.old, known
        self.ours = source.path in known
        self.spans: set[Span] = set()
        self._modules = self._bound_modules()
        self._shadowed = 0

    def _bound_modules(self) -> dict[str, str]:
        """Local names of modules, with the dotted name that each stands for."""
        bound: dict[str, str] = {}
        for node in ast.walk(self.source.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    bound[alias.asname or alias.name.split(".")[0]] = (
                        alias.name if alias.asname else alias.name.split(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                package = self.source.module(node)
                for alias in node.names:
                    bound[alias.asname or alias.name] = f"{package}.{alias.name}" if package else alias.name
        return bound

    def _known(self, dotted: str) -> bool:
        return any(same_module(dotted, path) for path in self.known)

    def _add(self, span: Span | None) -> None:
        if span is not None:
            self.spans.add(span)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id == self.old and self.ours and not self._shadowed:
            self._add((self.source.start(node), self.source.end(node)))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr == self.old:
            head, _, rest = ast.unparse(node.value).partition(".")
            if head in self._modules and self._known(".".join(filter(None, [self._modules[head], rest]))):
                end = self.source.end(node)
                self._add((end - len(self.old.encode()), end))
        self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if self._known(self.source.module(node)):
            for alias in node.names:
                if self.old in {alias.name, alias.asname}:
                    end = (
                        self.source.end(alias)
                        if alias.asname == self.old
                        else self.source.start(alias) + len(self.old.encode())
                    )
                    self._add(self.source.find(self.old, self.source.start(alias), end))

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        if node.name == self.old and self.ours and not self._shadowed:
            self._add(self.source.find(self.old, self.source.start(node), self.source.end(node)))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._definition(node)
        methods = {part for part in node.body if getattr(part, "name", None) == self.old}
        for child in ast.iter_child_nodes(node):
            if child in methods and isinstance(child, _SCOPES):
                self._within(child)  # a method of the same name is another thing; what it calls may not be
            else:
                self.visit(child)

    def _scope(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._definition(node)
        self._within(node)

    def _within(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        # Decorators, defaults and annotations belong to the scope around.
        outer = [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]
        if not isinstance(node, ast.Lambda):
            outer += [*node.decorator_list, *([node.returns] if node.returns else [])]
            outer += [part.annotation for part in ast.walk(node.args) if isinstance(part, ast.arg) and part.annotation]
        for part in outer:
            self.visit(part)
        shadow = _binds(node, self.old)
        self._shadowed += shadow
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)
        self._shadowed -= shadow

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._scope(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._scope(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._within(node)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        self.visit(node.generators[0].iter)  # evaluated in the scope around
        bound = [part for generator in node.generators for part in ast.walk(generator.target)]
        shadow = any(isinstance(part, ast.Name) and part.id == self.old for part in bound)
        self._shadowed += shadow
        self.generic_visit(node)
        self._shadowed -= shadow

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    def visit_Global(self, node: ast.Global) -> None:
        if self.old in node.names and self.ours:
            self._add(self.source.find(self.old, self.source.start(node), self.source.end(node)))

    def visit_Constant(self, node: ast.Constant) -> None:
        """`"package.module.name"`, as `mock.patch` and plugin tables spell it."""
        if not isinstance(node.value, str) or not re.fullmatch(rf"[\w.]+\.{re.escape(self.old)}", node.value):
            return
        if self._known(node.value.rpartition(".")[0]):
            end = self.source.end(node)
            at = self.source.data.rfind(self.old.encode(), self.source.start(node), end)
            self._add((at, at + len(self.old.encode())) if at != -1 else None)


def _all_entries(source: Source, old: str) -> Iterator[Span]:
    """The name as a string in `__all__`."""
    for node in top_level(source.tree):
        value = getattr(node, "value", None)
        if value is not None and any(part.id == "__all__" for part in assigned(node)):
            for part in ast.walk(value):
                if isinstance(part, ast.Constant) and part.value == old:
                    span = source.find(old, source.start(part), source.end(part))
                    if span:
                        yield span


def _methods(source: Source, wish: Wish) -> set[Span]:
    """Definitions of a method and every access to an attribute of that name."""
    spans: set[Span] = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.name == wish.old:
                    span = source.find(wish.old, source.start(part), source.end(part))
                    spans |= {span} if span else set()
                spans |= {(source.start(name), source.end(name)) for name in _fields(part) if name.id == wish.old}
        elif isinstance(node, ast.Attribute) and node.attr == wish.old:
            spans.add((source.end(node) - len(wish.old.encode()), source.end(node)))
    return spans


def _fields(node: ast.stmt) -> Iterator[ast.Name]:
    return (part for part in assigned(node) if isinstance(part.ctx, ast.Store))


def _is_member(source: Source, wish: Wish) -> bool:
    """Whether a class of the file (the one that the task names, if it does) has a member of the name."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef) and (not wish.owner or node.name == wish.owner):
            if any(getattr(part, "name", "") == wish.old for part in node.body):
                return True
            if any(name.id == wish.old for part in node.body for name in _fields(part)):
                return True
    return False


def _words(source: Source, wish: Wish) -> set[Span]:
    """Whole words in comments and docstrings, and in all strings where the task asks for it."""
    import io
    import tokenize

    spans: set[Span] = set()
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        docstring = token.type == tokenize.STRING and token.string.lstrip("rRbBuU").startswith(('"""', "'''"))
        wanted = (wish.docs and (token.type == tokenize.COMMENT or docstring)) or (
            wish.strings and token.type == tokenize.STRING
        )
        if wanted:
            rows = source.text.split("\n")
            start = source.starts[token.start[0] - 1] + len(rows[token.start[0] - 1][: token.start[1]].encode())
            end = start + len(token.string.encode())
            while span := source.find(wish.old, start, end):
                spans.add(span)
                start = span[1]
    return spans


def renamed(texts: dict[str, str], wish: Wish) -> tuple[dict[str, str], str]:
    """The new text of every file, and what stands in the way (empty when nothing does)."""
    sources = [source for path, text in sorted(texts.items()) if (source := Source.of(path, text))]
    known = set() if wish.owner and wish.owner[:1].isupper() else _exporters(sources, wish)
    member = not known and any(_is_member(source, wish) for source in sources)
    if not known and not member:
        return {}, f"I found no definition of `{wish.old}`."
    clash = [source.path for source in sources if source.path in known and defines(source, wish.new)]
    if clash:
        return {}, f"`{wish.new}` is already defined in {clash[0]}."
    after: dict[str, str] = {}
    for source in sources:
        finder = _Finder(source, wish, known)
        finder.visit(source.tree)
        spans = finder.spans | (_methods(source, wish) if member else set())
        if source.path in known:
            spans |= set(_all_entries(source, wish.old))
        if spans or source.path in known or member:
            spans |= _words(source, wish)
        after[source.path] = source.replaced(spans, wish.new)
    return after, ""
