"""The body of one test function, rewritten statement by statement."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gate.grading.assertions import (
    Claim,
    Compared,
    Condition,
    Quantified,
    Raising,
    claims_of_call,
    claims_of_test,
    raising_of,
)
from gate.grading.draw import Draw
from gate.grading.expectation import Comparison, Expectation, Form, Held, Operand, Quantity, Raises, Seen, Site, Truth
from gate.grading.literal import NotLiteral, fold, is_literal
from gate.grading.nearness import close, near
from gate.grading.rows import turns
from gate.grading.syntax import walk
from gate.grading.told import told, told_by_distance
from gate.grading.vector import FAMILY, Twins, twins

DECOYS = ("KeyError", "RuntimeError", "OSError", "LookupError")


@dataclass(frozen=True, slots=True)
class Scope:
    """What all functions of a file share: its name in reasons, our module's name in it, the exceptions it speaks of."""

    where: str
    alias: str
    draw: Draw
    exceptions: tuple[str, ...]


Origin = tuple[int, int]
Twinned = list[tuple[Twins, list[int]]]


class Body:
    """Rewrites the statements of one function in one version.

    `names` are the literals known by name. `once` says that a statement at this level runs exactly once. `twinned`
    is shared by the versions of a test: the first version fills it. `held` are assertions that stay as they are.
    """

    def __init__(self, scope: Scope, names: Mapping[str, Any], version: int, twinned: Twinned) -> None:
        self._scope = scope
        self._names = dict(names)
        self._version = version
        self._twinned = twinned
        self._next_twin = 0
        self._reach: str | None = None
        self.sites: dict[str, Site] = {}
        self.origins: dict[Origin, Form] = {}

    def whole(self, body: list[ast.stmt], reach: str) -> list[ast.stmt]:
        """The body of a test: every way out of it says that it was reached. What it says in words may tell too much."""
        self._reach = reach
        body = [statement for statement in body if not _is_text(statement)]
        once = not any(_leaves(statement) for statement in body)
        return [*self.statements(body, once), self._call("reached", [ast.Constant(value=reach)])]

    def statements(self, body: list[ast.stmt], once: bool) -> list[ast.stmt]:
        """The statements, rewritten."""
        return [made for statement in body for made in self._statement(statement, once)]

    def _statement(self, statement: ast.stmt, once: bool) -> list[ast.stmt]:
        made = self._assertion(statement, once)
        if made is not None:
            return [ast.copy_location(item, statement) for item in made]
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            return self._with(statement, once)
        if isinstance(statement, ast.Return) and self._reach is not None:
            return self._return(statement)
        nested = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        reach, self._reach = self._reach, None if nested else self._reach
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list):
                setattr(statement, name, self.statements(inner, once=False))
        for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
            part.body = self.statements(part.body, once=False)
        self._reach = reach
        return [statement]

    def _assertion(self, statement: ast.stmt, once: bool) -> list[ast.stmt] | None:
        """The observations that replace an assertion, or None if it is not one or cannot be rewritten."""
        match statement:
            case ast.Assert(test=test):
                claims: list[Claim] | None = list(claims_of_test(test))
            case ast.Expr(value=ast.Call() as call):
                claims = claims_of_call(call)
                if claims is None and _looks_like_assertion(call):
                    self._mark(statement, "held")
            case _:
                return None
        if claims is None:
            return None
        made = []
        for claim in claims:
            observed = self._claim(claim, statement, once)
            if observed is None:
                self._mark(statement, "held")
                return None
            made.extend(observed)
        return made

    def _claim(self, claim: Claim, statement: ast.stmt, once: bool) -> list[ast.stmt] | None:
        match claim:
            case Compared():
                return self._compared(claim, statement, once)
            case Quantified():
                return self._quantified(claim, statement, once)
            case Condition():
                return self._condition(claim, statement, once)
            case Raising():
                context = self._raising(claim, statement, once)
                if context is None or claim.call is None:
                    return None
                item = ast.withitem(context_expr=context)
                return [ast.With(items=[item], body=[ast.Expr(value=claim.call)])]

    def _split(self, claim: Compared, names: Mapping[str, Any]) -> tuple[list[ast.expr], list[Operand]] | None:
        """The operands that are seen, and all of them; None where the comparison can only be made in the process."""
        seen: list[ast.expr] = []
        operands: list[Operand] = []
        for node in claim.operands:
            try:
                operands.append(Held(fold(node, names)))
            except NotLiteral:
                operands.append(Seen(len(seen)))
                seen.append(node)
        identities = [operands[at : at + 2] for at, op in enumerate(claim.ops) if op in ("is", "is not")]
        by_identity = any(not any(_is_singleton(side) for side in pair) for pair in identities)
        return None if not seen or by_identity else (seen, operands)

    def _quantified(self, claim: Quantified, statement: ast.stmt, once: bool) -> list[ast.stmt]:
        """`all(f(i) == 5 for i in x)` as the list of what was seen, which the parent goes through."""
        bound = {
            part.id
            for comprehension in claim.generators
            for part in walk(comprehension.target)
            if isinstance(part, ast.Name)
        }
        names = {name: value for name, value in self._names.items() if name not in bound}
        compared = near(claim.compared, lambda node: is_literal(node, names))
        split = self._split(compared, names)
        if split is None:
            return self._condition(Condition(claim.node, not claim.negated), statement, once)
        seen, operands = split
        comparison = Comparison(tuple(operands), compared.ops, compared.negated)
        quantity = Quantity(comparison, claim.every, claim.negated, self._rounds(claim, names))
        # Of unknown length, it may as well have been empty, for all that the process says.
        unknown = quantity.rounds is None and quantity.empty
        form: Form = "held" if unknown else _form(seen, operands)
        site = self._site(quantity, statement, once, form)
        row = ast.Tuple(elts=seen, ctx=ast.Load())
        return [self._call("each", [site, ast.ListComp(elt=row, generators=list(claim.generators))])]

    def _rounds(self, claim: Quantified, names: Mapping[str, Any]) -> int | None:
        """Over how many rows it goes, or None where only the process knows."""
        total = 1
        for comprehension in claim.generators:
            found: Any = turns(comprehension.iter, {})
            if found is None and is_literal(comprehension.iter, names):
                found = fold(comprehension.iter, names)
            if comprehension.ifs or not isinstance(found, (list, tuple, set, frozenset, dict, str)):
                return None
            total *= len(found)
        return total

    def _literal(self, node: ast.expr) -> bool:
        return is_literal(node, self._names)

    def _compared(self, claim: Compared, statement: ast.stmt, once: bool) -> list[ast.stmt] | None:
        claim = near(claim, self._literal)
        split = self._split(claim, self._names)
        if split is None:
            return (
                None
                if claim.node is None
                else self._condition(Condition(claim.node, not claim.negated), statement, once)
            )
        seen, operands = split
        expectation = Comparison(tuple(operands), claim.ops, claim.negated)
        values = ast.Tuple(elts=seen, ctx=ast.Load())
        if len(seen) == 2 == len(operands) and claim.ops[0] in ("==", "!="):
            # Both sides lie in the process beside the code, whatever they are.
            site = self._site(expectation, statement, once, "held")
            return [self._call("compare", [site, ast.Constant(value=claim.ops[0]), values])]
        form = _form(seen, operands)
        return [self._call("see", [self._site(expectation, statement, once, form), values])]

    def _condition(self, claim: Condition, statement: ast.stmt, once: bool) -> list[ast.stmt]:
        compared = close(claim, self._literal)
        if compared is not None:
            return self._compared(compared, statement, once) or []
        found = self._twins_of(claim)
        if found is not None:
            versions, order = found
            place = order[self._version]
            site = self._site(Truth(place == versions.true), statement, once, "vector")
            return [self._call("truth", [site, versions.versions[place]])]
        flipped = self._scope.draw.coin()
        node = ast.UnaryOp(op=ast.Not(), operand=claim.node) if flipped else claim.node
        form: Form = "held" if told(claim.node) else "observed"
        site = self._site(Truth(claim.positive is not flipped), statement, once, form)
        return [self._call("truth", [site, node])]

    def _twins_of(self, claim: Condition) -> tuple[Twins, list[int]] | None:
        if not claim.positive or isinstance(claim.node, ast.Compare):
            return None
        if self._version == 0:
            made = twins(claim.node, self._names, self._scope.draw)
            if made is None:
                return None
            self._twinned.append((made, self._scope.draw.shuffled(range(FAMILY))))
        elif twins(claim.node, self._names, self._scope.draw) is None:
            return None
        self._next_twin += 1
        return self._twinned[self._next_twin - 1]

    def _with(self, statement: ast.With | ast.AsyncWith, once: bool) -> list[ast.stmt]:
        inside = once
        for item in statement.items:
            claim = raising_of(item)
            if claim is not None:
                context = self._raising(claim, statement, once)
                inside = False
                if context is None:
                    self._mark(statement, "held")
                else:
                    item.context_expr = context
            elif "suppress" in ast.unparse(item.context_expr):
                inside = False
        statement.body = self.statements(statement.body, inside)
        return [statement]

    def _raising(self, claim: Raising, statement: ast.stmt, once: bool) -> ast.expr | None:
        """`o.raising(id, (candidates))`; the expected class is one of the candidates unless it is a builtin."""
        wanted = claim.expected.elts if isinstance(claim.expected, ast.Tuple) else [claim.expected]
        names = [ast.unparse(node) for node in wanted]
        try:
            match = None if claim.match is None else fold(claim.match, self._names)
        except NotLiteral:
            return None
        if not (match is None or isinstance(match, str)):
            return None
        builtin = [name for name in names if _is_builtin_exception(name)]
        pool = sorted({*names, *self._scope.exceptions, *DECOYS} - set(builtin)) if len(builtin) < len(names) else []
        pool = self._scope.draw.shuffled(pool)
        places = frozenset(pool.index(name) for name in names if name in pool)
        expectation = Raises(frozenset(f"builtins.{name}" for name in builtin), places, match)
        candidates = ast.Tuple(elts=[ast.parse(name, mode="eval").body for name in pool], ctx=ast.Load())
        site = self._site(expectation, statement, once, "observed")
        return self._attribute_call("raising", [site, candidates])

    def _return(self, statement: ast.Return) -> list[ast.stmt]:
        value = ast.Name(id="_returned", ctx=ast.Store())
        kept = ast.Assign(targets=[value], value=statement.value or ast.Constant(value=None))
        reached = self._call("reached", [ast.Constant(value=self._reach)])
        back = ast.Return(value=ast.Name(id="_returned", ctx=ast.Load()))
        return [ast.copy_location(item, statement) for item in (kept, reached, back)]

    def _site(self, expectation: Expectation, statement: ast.stmt, once: bool, form: Form) -> ast.expr:
        if not once and form == "observed":
            form = "held"  # it may never have run, for all that the process says
        name = self._scope.draw.name()
        self.sites[name] = Site(f"{self._scope.where}:{statement.lineno}", expectation, once, form)
        self._mark(statement, form)
        return ast.Constant(value=name)

    def _mark(self, statement: ast.stmt, form: Form) -> None:
        """An assertion counts once, by the weakest form that any part of it has."""
        key = (statement.lineno, statement.col_offset)
        ranks: list[Form] = ["observed", "vector", "held"]
        self.origins[key] = max(form, self.origins.get(key, "observed"), key=ranks.index)

    def _call(self, method: str, args: list[ast.expr]) -> ast.stmt:
        return ast.Expr(value=self._attribute_call(method, args))

    def _attribute_call(self, method: str, args: list[ast.expr]) -> ast.expr:
        function = ast.Attribute(value=ast.Name(id=self._scope.alias, ctx=ast.Load()), attr=method, ctx=ast.Load())
        return ast.Call(func=function, args=args, keywords=[])


def _is_text(statement: ast.stmt) -> bool:
    """A docstring, or another text that nothing reads."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _leaves(node: ast.AST) -> bool:
    """Whether a function can be left within the statement; what lies in a function within it leaves only that."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    inner = (part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.expr))
    return isinstance(node, ast.Return) or any(map(_leaves, inner))


def _form(seen: list[ast.expr], operands: list[Operand]) -> Form:
    """How a comparison is graded: what is expected left the process, or lies there still."""
    return "held" if len(seen) == len(operands) or any(map(told_by_distance, seen)) else "observed"


def _is_singleton(side: Operand) -> bool:
    return isinstance(side, Held) and (side.value is None or isinstance(side.value, bool) or side.value is ...)


def _is_builtin_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _looks_like_assertion(call: ast.Call) -> bool:
    """A call by the name of an assertion that we do not take apart, such as `mock.assert_called_once_with`."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name.lower().startswith("assert")
