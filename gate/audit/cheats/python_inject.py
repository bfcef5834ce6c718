"""How code gets into a Python file: by its syntax tree, so that any user's module can be made to cheat.

All builders return what a `Cheat` wants as `made`. What is put in starts from the defective source: unless a cheat
replaces answers, the defect is still there. Comments are lost, which no runner sees.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from gate.workspace.tree import File, Node, Tree

from .target import Target

Made = Callable[[Target], Tree | None]
Function = ast.FunctionDef | ast.AsyncFunctionDef

# Around a function: `_cheat(call, args, kwargs)` answers in its place. `call` runs the function as it was, and nested
# calls (recursion, one public function that uses another) are honest, so that only an outsider is lied to.
_WRAPPER = """
def _cheat_around(function):
    import functools, inspect
    state = _cheat_around.__dict__
    if inspect.isasyncgenfunction(function):
        return function
    if inspect.iscoroutinefunction(function):
        @functools.wraps(function)
        async def inner(*args, **kwargs):
            try:
                value = await function(*args, **kwargs)
            except Exception as error:
                def call(error=error):
                    raise error
            else:
                def call():
                    return value
            return _cheat(call, args, kwargs)
        return inner
    @functools.wraps(function)
    def inner(*args, **kwargs):
        if state.get("busy"):
            return function(*args, **kwargs)
        state["busy"] = True
        try:
            return _cheat(lambda: function(*args, **kwargs), args, kwargs)
        finally:
            state["busy"] = False
    return inner
"""


def at_top(code: str) -> Made:
    """Code that runs before anything else of each source file, after its docstring and `from __future__` imports."""
    return _changed(lambda module: _into(module, code))


def at_end(code: str) -> Made:
    """Code that runs when each source file is loaded otherwise."""
    return _changed(lambda module: module.body.extend(ast.parse(code).body))


def at_call(statements: str, *, before: str = "", dunder: bool = False) -> Made:
    """Statements at the head of every function and method, after its docstring; `before` stands at the module's top.

    Dunder methods are left alone unless asked. None where a source has no function.
    """

    def change(module: ast.Module) -> bool:
        found = list(functions(module, dunder=dunder))
        for function in found:
            place = 1 if ast.get_docstring(function, clean=False) is not None else 0
            function.body[place:place] = ast.parse(statements).body
        _into(module, before)
        return bool(found)

    return _changed(change)


def answering(answer: str) -> Made:
    """Every function and method answers with `_cheat(call, args, kwargs)`, which `answer` defines.

    `call` takes nothing and runs the function as it was. None where a source has no function.
    """

    def change(module: ast.Module) -> bool:
        found = list(functions(module))
        for function in found:
            # Innermost: what the other decorators expect (a property, a cache) still gets a function.
            function.decorator_list.append(ast.Name(id="_cheat_around", ctx=ast.Load()))
        _into(module, answer + _WRAPPER)
        return bool(found)

    return _changed(change)


def with_files(files: Mapping[str, str]) -> Made:
    """These files in the tree, whatever was there."""

    def made(target: Target) -> Tree | None:
        return {**target.base, **{path: File(text.encode()) for path, text in files.items()}}

    return made


def in_every_test(change: Callable[[ast.Module], bool | None]) -> Made:
    """Each visible test file changed; None where there is none."""

    def made(target: Target) -> Tree | None:
        return _rewritten(target, target.tests, change)

    return made


def functions(module: ast.Module, *, dunder: bool = False) -> Iterator[Function]:
    """The functions of a module and the methods of its classes; none that lies within another function."""
    todo: list[ast.stmt] = list(module.body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if dunder or not (node.name.startswith("__") and node.name.endswith("__")):
                yield node
        elif isinstance(node, (ast.ClassDef, ast.If, ast.Try, ast.With)):
            todo[:0] = [*node.body, *getattr(node, "orelse", [])]


def parsed(target: Target, path: str) -> ast.Module | None:
    """The syntax tree of a Python file of the fixture, or None where it is no Python or does not parse."""
    node = target.base.get(path)
    if not path.endswith(".py") or not isinstance(node, File):
        return None
    try:
        return ast.parse(node.data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _into(module: ast.Module, code: str) -> None:
    """At the top, where a docstring and `from __future__` imports may not be preceded."""
    place = 1 if ast.get_docstring(module, clean=False) is not None else 0
    while place < len(module.body):
        item = module.body[place]
        if not (isinstance(item, ast.ImportFrom) and item.module == "__future__"):
            break
        place += 1
    module.body[place:place] = ast.parse(code).body


def _changed(change: Callable[[ast.Module], bool | None]) -> Made:
    def made(target: Target) -> Tree | None:
        return _rewritten(target, target.sources, change)

    return made


def _rewritten(target: Target, paths: tuple[str, ...], change: Callable[[ast.Module], bool | None]) -> Tree | None:
    """The fixture with each of the files changed that parses; None where no file took the change."""
    made: dict[str, Node] = {}
    for path in paths:
        module = parsed(target, path)
        if module is None or change(module) is False:
            continue
        node = target.base[path]
        source = ast.unparse(ast.fix_missing_locations(module)) + "\n"
        made[path] = File(source.encode("utf-8", "surrogateescape"), isinstance(node, File) and node.executable)
    return {**target.base, **made} if made else None
