"""A node test file, rewritten: assertions become observations, `node:test` becomes our own registry.

The source is edited by place, found with a parser: everything that is not an assertion, a test, or an import stays as
it was written. What cannot be taken apart stays too, on node's own assert, and is counted as held.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from gate.grading.draw import Draw
from gate.grading.expectation import Expectation, Form, Held, Operand, Seen, Site, Truth
from gate.grading.jsassert import bindings_of
from gate.grading.jsexpectation import JsComparison, JsNear, JsThrows
from gate.grading.jsliteral import fold, pattern, text
from gate.grading.jsscope import (
    FUNCTIONS,
    NAMES,
    PRIMITIVE,
    Table,
    after_directives,
    constants,
    declared,
    directly_in,
    identifiers,
    table_of,
)
from gate.grading.jssource import Edits, Resolve, parse, quoted, relink_node, walk
from gate.grading.jstold import near, told, told_by_distance
from gate.grading.jsvalues import Wire
from gate.grading.judging import Version
from gate.grading.literal import NotLiteral
from gate.grading.rewrite import Rewritten

if TYPE_CHECKING:
    from tree_sitter import Node

_COMPARISONS = {
    "strictEqual": ("strictEqual", False),
    "notStrictEqual": ("strictEqual", True),
    "deepStrictEqual": ("deepStrictEqual", False),
    "notDeepStrictEqual": ("deepStrictEqual", True),
    "equal": ("equal", False),
    "notEqual": ("equal", True),
    "deepEqual": ("deepEqual", False),
    "notDeepEqual": ("deepEqual", True),
}
_STRICT = {"equal": "strictEqual", "deepEqual": "deepStrictEqual"}
_OPERATORS = {"===": ("===", False), "!==": ("===", True), "==": ("equal", False), "!=": ("equal", True)}
_INTRINSIC = ("Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError")


def rewrite_script(source: bytes, where: str, observer: str, draw: Draw, resolve: Resolve) -> Rewritten:
    """Rewrite one test file. Raises UnreadableTest when it does not parse."""
    root = parse(source, where)
    return _Script(root, source, where, observer, draw, resolve).run()


class _Script:
    def __init__(self, root: Node, source: bytes, where: str, observer: str, draw: Draw, resolve: Resolve) -> None:
        self._root, self._source, self._where, self._observer, self._draw = root, source, where, observer, draw
        self._resolve = resolve
        self._alias = draw.name()
        self._edits = Edits()
        self._bound = bindings_of(root)
        self._constants = constants(root)
        self._used: set[tuple[str, int]] = set()
        self._sites: dict[int, set[str]] = {}
        self._origins: dict[int, Form] = {}
        self._out = Rewritten()

    def run(self) -> Rewritten:
        """The rewritten file."""
        self._visit(self._root, None, ())
        self._blank_constants()
        self._runner_imports()
        first, second = self._draw.shuffled([self._sentinel(fails=False), self._sentinel(fails=True)])
        head = after_directives(self._root)
        self._edits.put(head, head, f"\nconst {self._alias} = globalThis[{quoted(self._observer)}];\n{first}\n")
        self._edits.put(len(self._source), len(self._source), f"\n{second}\n")
        self._out.source = self._edits.apply(self._source).decode("utf-8", "surrogateescape")
        self._out.counts.update(self._origins.values())
        return self._out

    def _visit(self, node: Node, test: Node | None, path: tuple[str | None, ...]) -> None:
        """Walk down; `test` is the callback of the test that we are in, `path` the names of the suites around."""
        pending: list[tuple[Node, Node | None, tuple[str | None, ...]]] = [(node, test, path)]
        while pending:
            here, inside, around = pending.pop()
            if here.type == "call_expression":
                method = self._bound.assertion(here)
                if method is not None and self._assertion(here, method, inside):
                    continue
                kind = self._bound.runner_call(here)
                if kind is not None:
                    pending.extend(self._runner_call(here, kind, inside, around))
                    continue
            table = table_of(here, self._bound)
            if table is not None:
                self._edits.put(here.start_byte, here.end_byte, self._unrolled(table, inside, around))
                continue
            relink_node(here, self._edits, self._outside)
            pending.extend((child, inside, around) for child in reversed(here.children))

    def _unrolled(self, table: Table, inside: Node | None, around: tuple[str | None, ...]) -> str:
        """A loop over a written-down table, as one block a row: then what a row expects can leave with it."""
        blocks = []
        for row in table.rows:
            edits, known, used = self._edits, self._constants, self._used
            values = {name: self._literal(cell) for name, cell in row.items()}
            folded = {
                name: wire for name, wire in values.items() if wire and (wire[0] in PRIMITIVE or table.reads[name] == 1)
            }
            hidden = {name: wire for name, wire in known.items() if name not in row}
            self._edits, self._constants, self._used = Edits(), {**hidden, **folded}, set()
            self._visit(table.body, inside, around)
            counts = Counter(name for name, _ in self._used)
            body = self._edits.within(table.body)
            self._edits, self._constants, self._used = edits, known, used | self._used
            cells = [
                f"{name} = {'undefined' if name in folded and counts[name] == table.reads[name] else text(cell)}"
                for name, cell in row.items()
            ]
            blocks.append(f"{{ const {', '.join(cells)}; {body} }}")
        return " ".join(blocks)

    def _literal(self, node: Node) -> Wire | None:
        try:
            return fold(node, self._constants)
        except NotLiteral:
            return None

    def _outside(self, specifier: str, as_url: bool) -> str | None:
        return None if specifier in ("node:test", "test") else self._resolve(specifier, as_url)

    def _runner_call(
        self, call: Node, kind: str, inside: Node | None, around: tuple[str | None, ...]
    ) -> list[tuple[Node, Node | None, tuple[str | None, ...]]]:
        """`test("name", fn)`: give the callback a drawn id. `describe("name", fn)`: remember the name."""
        arguments = call.child_by_field_name("arguments")
        given = arguments.named_children if arguments else []
        callback = next((child for child in given if child.type in FUNCTIONS), None)
        try:
            name = fold(given[0], {})[1] if given and given[0].type in ("string", "template_string") else None
        except NotLiteral:
            name = None
        if kind == "describe" or callback is None:
            return [(child, inside, (*around, name)) for child in call.children]
        drawn = self._draw.name()
        self._edits.put(callback.start_byte, callback.start_byte, f"{self._alias}.test({quoted(drawn)}, ")
        self._edits.put(callback.end_byte, callback.end_byte, ")")
        self._sites[callback.id] = set()
        self._visit(callback, callback, (*around, name))
        rest = [child for child in (*call.children, *given) if child not in (arguments, callback)]
        pending = [(child, inside, around) for child in rest]
        full = [part for part in (*around, name) if part is not None]
        known = len(full) == len(around) + 1
        sites = frozenset(self._sites[callback.id])
        self._out.bare += not sites
        self._out.versions[drawn] = Version(self._where, " > ".join(full) if known else "*", "", drawn, sites, drawn)
        return pending

    def _assertion(self, call: Node, method: tuple[str, bool], inside: Node | None) -> bool:
        """Rewrite one assertion; False if it stays as it is."""
        arguments = call.child_by_field_name("arguments")
        given = [child for child in arguments.named_children if child.type != "comment"] if arguments else []
        if any(child.type == "spread_element" for child in given):
            return self._hold(call)
        name, strict = method
        once = inside is not None and directly_in(call, inside)
        try:
            new = self._observation(name, strict, given, call, inside, once)
        except NotLiteral:
            new = None
        if new is None:
            return self._hold(call)
        self._edits.put(call.start_byte, call.end_byte, new)
        return True

    def _hold(self, call: Node) -> bool:
        self._origins[call.start_byte] = "held"
        return False

    def _observation(
        self, name: str, strict: bool, given: list[Node], call: Node, inside: Node | None, once: bool
    ) -> str | None:
        """What stands in the place of an assertion, or None."""
        if name in _COMPARISONS and len(given) >= 2:
            kind, negated = _COMPARISONS[name]
            kind = _STRICT.get(kind, kind) if strict else kind
            return self._comparison(kind, given[0], given[1], negated, call, inside, once)
        if name in ("ok", "assert") and given:
            parts = self._conditions(given[0], True, call, inside, once)
            return parts[0] if len(parts) == 1 else f"void ({', '.join(parts)})"
        if name in ("match", "doesNotMatch") and len(given) >= 2:
            operands: tuple[Operand, Operand] = (Seen(0), Held(pattern(given[1])))
            site = self._site(JsComparison("match", operands, name != "match"), call, inside, once, "observed")
            return f"{self._alias}.see({site}, [{self._src(given[0])}])"
        if name in ("throws", "rejects", "doesNotThrow", "doesNotReject") and given:
            return self._throws(name, given, call, inside, once)
        return None

    def _comparison(
        self, kind: str, left: Node, right: Node, negated: bool, call: Node, inside: Node | None, once: bool
    ) -> str:
        seen: list[str] = []
        operands: list[Operand] = []
        for node in (left, right):
            try:
                operands.append(Held(self._fold(node)))
            except NotLiteral:
                operands.append(Seen(len(seen)))
                seen.append(self._src(node))
        expectation = JsComparison(kind, (operands[0], operands[1]), negated)
        if len(seen) == 2:
            # Both sides lie in the process beside the code, whatever they are.
            site = self._site(expectation, call, inside, once, "held")
            return f"{self._alias}.compare({site}, {quoted(kind)}, {seen[0]}, {seen[1]})"
        verdicts = any(isinstance(item, Held) and item.value[0] == "b" for item in operands)
        weak = any(told_by_distance(node) or (verdicts and told(node)) for node in (left, right))
        site = self._site(expectation, call, inside, once, "held" if weak else "observed")
        return f"{self._alias}.see({site}, [{', '.join(seen)}])"

    def _conditions(self, node: Node, positive: bool, call: Node, inside: Node | None, once: bool) -> list[str]:
        """`ok(a && !b)` as one observation for each part."""
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            return self._conditions(node.named_children[0], positive, call, inside, once)
        close = near(node, lambda part: self._literal(part) is not None)
        if close is not None:
            seen, wanted, within, sign = close
            distance = JsNear(self._fold(wanted), self._fold(within), sign == "<=", not positive)
            return [f"{self._alias}.see({self._site(distance, call, inside, once, 'observed')}, [{self._src(seen)}])"]
        operator = node.child_by_field_name("operator")
        sign = text(operator) if operator else ""
        if node.type == "unary_expression" and sign == "!":
            return self._conditions(node.named_children[-1], not positive, call, inside, once)
        if node.type == "binary_expression":
            left, right = node.named_children[0], node.named_children[-1]
            if sign == ("&&" if positive else "||"):
                parts = (left, right)
                return [made for part in parts for made in self._conditions(part, positive, call, inside, once)]
            if sign in _OPERATORS:
                kind, negated = _OPERATORS[sign]
                return [self._comparison(kind, left, right, negated is positive, call, inside, once)]
            if sign in ("<", "<=", ">", ">="):
                return [self._comparison(sign, left, right, not positive, call, inside, once)]
        flipped = self._draw.coin()
        site = self._site(Truth(positive is not flipped), call, inside, once, "held" if told(node) else "observed")
        return [f"{self._alias}.truth({site}, {'!' if flipped else '!!'}({self._src(node)}))"]

    def _throws(self, name: str, given: list[Node], call: Node, inside: Node | None, once: bool) -> str | None:
        method = "rejects" if name.endswith(("rejects", "Reject")) else "throws"
        if name.startswith("does"):
            expectation, pool = JsThrows(nothing=True), list[str]()
        else:
            wanted = given[1] if len(given) > 1 else None
            expectation, pool = self._expected_error(wanted)
        site = self._site(expectation, call, inside, once, "observed")
        return f"{self._alias}.{method}({site}, {self._src(given[0])}, [{', '.join(pool)}])"

    def _expected_error(self, wanted: Node | None) -> tuple[JsThrows, list[str]]:
        if wanted is None or wanted.type in ("string", "template_string"):
            return JsThrows(), []
        if wanted.type == "regex":
            return JsThrows(pattern=pattern(wanted)), []
        if wanted.type == "identifier" and text(wanted) in _INTRINSIC:
            return JsThrows(name=text(wanted)), []
        if wanted.type in ("identifier", "member_expression"):
            pool = self._draw.shuffled([text(wanted), "EvalError", "URIError", "ReferenceError"])
            return JsThrows(places=frozenset({pool.index(text(wanted))})), pool
        if wanted.type == "object":
            fields: list[tuple[str, str | re.Pattern[str]]] = []
            for pair in wanted.named_children:
                key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if pair.type != "pair" or key is None or value is None or text(key) not in ("message", "name", "code"):
                    raise NotLiteral
                if value.type == "regex":
                    fields.append((text(key), re.compile(pattern(value))))
                    continue
                folded = self._fold(value)
                if folded[0] != "s":
                    raise NotLiteral
                fields.append((text(key), folded[1]))
            return JsThrows(fields=tuple(fields)), []
        raise NotLiteral

    def _site(self, expectation: Expectation, call: Node, inside: Node | None, once: bool, form: Form) -> str:
        if not once and form == "observed":
            form = "held"  # it may never have run, for all that the process says
        drawn = self._draw.name()
        self._out.sites[drawn] = Site(f"{self._where}:{call.start_point.row + 1}", expectation, once, form)
        if inside is not None:
            self._sites[inside.id].add(drawn)
        known = self._origins.get(call.start_byte, "observed")
        self._origins[call.start_byte] = "held" if "held" in (form, known) else form
        return quoted(drawn)

    def _fold(self, node: Node) -> Wire:
        value = fold(node, self._constants)
        self._used |= {(text(part), part.start_byte) for part in walk(node) if part.type in NAMES}
        return value

    def _src(self, node: Node) -> str:
        """The source of an operand, its own relative imports included."""
        edits = Edits()
        for part in walk(node):
            relink_node(part, edits, self._outside)
        return edits.within(node)

    def _blank_constants(self) -> None:
        """An expected value under a name leaves with the assertions that used it."""
        total, counts = identifiers(self._root), Counter(name for name, _ in self._used)
        for declarator in walk(self._root):
            name = declared(declarator)
            value = declarator.child_by_field_name("value") if name else None
            if name in self._constants and value is not None and counts[name] == total[name] - 1 > 0:
                self._edits.put(value.start_byte, value.end_byte, "undefined")

    def _runner_imports(self) -> None:
        """`node:test` in an import or a require is our registry."""
        for node in walk(self._root):
            if node.type == "string" and text(node)[1:-1] in ("node:test", "test"):
                owner = node.parent
                if owner is not None and owner.type == "import_statement":
                    new = self._resolve("node:test", True)
                    self._edits.put(node.start_byte, node.end_byte, quoted(new or "node:test"))
                elif owner is not None and owner.parent is not None and text(owner.parent).startswith("require("):
                    call = owner.parent
                    self._edits.put(call.start_byte, call.end_byte, f"globalThis[{quoted(self._observer)}].nodeTest")

    def _sentinel(self, *, fails: bool) -> str:
        drawn, title = self._draw.name(), self._draw.name()
        if fails:
            self._out.failing = drawn
        else:
            self._out.passing = drawn
        self._out.versions[drawn] = Version(self._where, "", "", drawn, frozenset(), drawn)
        body = f"throw new Error({quoted(title)});" if fails else ""
        return f"{self._alias}.nodeTest({quoted(title)}, {self._alias}.test({quoted(drawn)}, () => {{ {body} }}));"
