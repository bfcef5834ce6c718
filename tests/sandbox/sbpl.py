"""A reader and an evaluator for Seatbelt profiles, since no Mac is at hand when most changes are made.

It proves the text, not the kernel. Apple publishes no order of precedence, so a request is decided under the three
theories that published profiles rely on, and a profile on which they disagree is called fragile. Anything that is
not known here (a form, an operation, a filter) is an error, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeAlias


class Fragile(AssertionError):
    """The theories of precedence disagree on a request."""


class Unknown(AssertionError):
    """Something stands in the profile that this reader does not know."""


@dataclass(frozen=True)
class Quoted:
    """A string literal, kept apart from a symbol."""

    text: str


Form: TypeAlias = "str | Quoted | list[Form]"
"""A symbol, a string, or a list of forms."""

_TOKEN = re.compile(
    r"""\s+|;[^\n]*|(?P<open>\()|(?P<close>\))|"(?P<string>(?:[^"\\]|\\["\\])*)"|(?P<word>[^\s()";]+)"""
)


def read(text: str) -> list[Form]:
    """Every top-level form. Raises Unknown for what is no form."""
    stack: list[list[Form]] = [[]]
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise Unknown(f"not a token: {text[at : at + 20]!r}")
        at = token.end()
        if token["open"]:
            stack.append([])
        elif token["close"]:
            if len(stack) == 1:
                raise Unknown("a bracket closes nothing")
            done = stack.pop()
            stack[-1].append(done)
        elif token["string"] is not None:
            stack[-1].append(Quoted(re.sub(r"\\(.)", r"\1", token["string"])))
        elif token["word"]:
            if token["word"].startswith("#"):
                raise Unknown(f"regular expressions and constants are not used here: {token['word']}")
            stack[-1].append(token["word"])
    if len(stack) != 1:
        raise Unknown("a bracket is not closed")
    return stack[0]


# Each operation's more general one; the top is `default`.
PARENTS = {
    "file*": "default",
    "file-read*": "file*",
    "file-read-data": "file-read*",
    "file-read-metadata": "file-read*",
    "file-read-xattr": "file-read*",
    "file-test-existence": "file*",
    "file-map-executable": "file*",
    "file-ioctl": "file*",
    "file-link": "file*",
    "file-write*": "file*",
    "file-write-create": "file-write*",
    "file-write-data": "file-write*",
    "file-write-flags": "file-write*",
    "file-write-mode": "file-write*",
    "file-write-owner": "file-write*",
    "file-write-setugid": "file-write*",
    "file-write-times": "file-write*",
    "file-write-unlink": "file-write*",
    "file-write-xattr": "file-write*",
    "process*": "default",
    "process-exec*": "process*",
    "process-exec": "process-exec*",
    "process-fork": "process*",
    "process-info*": "process*",
    "process-info-pidinfo": "process-info*",
    "signal": "default",
    "sysctl-read": "default",
    "sysctl-write": "default",
    "mach-lookup": "default",
    "mach-register": "default",
    "ipc-posix-sem*": "default",
    "ipc-posix-sem-create": "ipc-posix-sem*",
    "ipc-posix-shm-read-data": "default",
    "ipc-posix-shm-write-create": "default",
    "ipc-posix-shm-write-data": "default",
    "ipc-posix-shm-write-unlink": "default",
    "network*": "default",
    "network-outbound": "network*",
    "network-inbound": "network*",
    "network-bind": "network*",
    "appleevent-send": "default",
    "lsopen": "default",
    "job-creation": "default",
    "iokit-open": "default",
}


@dataclass(frozen=True)
class Request:
    """What a process asks: an operation, and its subject (a resolved path, a name, or whom a signal goes to)."""

    operation: str
    subject: str = ""


@dataclass(frozen=True)
class Rule:
    """One rule: its decision, the operations it names, and its filters, any of which is enough; none is always."""

    allow: bool
    operations: tuple[str, ...]
    filters: tuple[Form, ...]

    def matches(self, request: Request, parameters: Mapping[str, str]) -> bool:
        return not self.filters or any(_holds(each, request.subject, parameters) for each in self.filters)


@dataclass(frozen=True)
class Evaluator:
    """A profile with its parameters."""

    rules: tuple[Rule, ...]
    imports: tuple[str, ...]
    parameters: Mapping[str, str]

    @classmethod
    def of(cls, text: str, parameters: Sequence[tuple[str, str]]) -> Evaluator:
        """Read a whole profile; every operation must be known and every parameter defined."""
        rules: list[Rule] = []
        imports: list[str] = []
        for form in read(text):
            match form:
                case ["version", "1"]:
                    pass
                case ["import", Quoted(name)]:
                    imports.append(name)
                case ["allow" | "deny" as action, *rest]:
                    operations = tuple(word for word in rest if isinstance(word, str))
                    filters = tuple(item for item in rest if not isinstance(item, str))
                    if unknown := set(operations) - set(PARENTS) - {"default"}:
                        raise Unknown(f"operations: {unknown}")
                    rules.append(Rule(action == "allow", operations, filters))
                case _:
                    raise Unknown(f"form: {form}")
        made = cls(tuple(rules), tuple(imports), dict(parameters))
        for rule in made.rules:
            for each in rule.filters:
                _holds(each, "/", made.parameters)
        return made

    def allows(self, operation: str, subject: str = "") -> bool:
        """The decision. Raises Fragile when it hangs on a theory."""
        request = Request(operation, subject)
        decisions = {self._last_match(request), self._operation_first(request), self._filtered_first(request)}
        if len(decisions) != 1:
            raise Fragile(f"{request}: the theories disagree")
        return decisions.pop()

    def _matching(self, request: Request, operations: set[str]) -> Iterator[Rule]:
        for rule in self.rules:
            if operations & set(rule.operations) and rule.matches(request, self.parameters):
                yield rule

    def _last_match(self, request: Request) -> bool:
        """The last rule that matches decides, however general its operation is."""
        decision = False
        for rule in self._matching(request, set(_up(request.operation))):
            decision = rule.allow
        return decision

    def _operation_first(self, request: Request) -> bool:
        """The most exact operation that any rule matches decides, by its last match."""
        for operation in _up(request.operation):
            if found := list(self._matching(request, {operation})):
                return found[-1].allow
        return False

    def _filtered_first(self, request: Request) -> bool:
        """As before, but on one level a rule with a filter goes before one without."""
        for operation in _up(request.operation):
            if found := list(self._matching(request, {operation})):
                filtered = [rule for rule in found if rule.filters]
                return (filtered or found)[-1].allow
        return False


def _up(operation: str) -> Iterator[str]:
    if operation not in PARENTS:
        raise Unknown(f"operation: {operation}")
    while operation != "default":
        yield operation
        operation = PARENTS[operation]
    yield "default"


def _text(form: Form, parameters: Mapping[str, str]) -> str:
    match form:
        case Quoted(text):
            return text
        case ["param", Quoted(name)] if name in parameters:
            return parameters[name]
        case _:
            raise Unknown(f"not a string, or a parameter that nobody defines: {form}")


def _holds(form: Form, subject: str, parameters: Mapping[str, str]) -> bool:
    match form:
        case ["require-all", *parts]:
            # All of them, so that a filter nobody knows is found behind one that fails.
            held = [_holds(part, subject, parameters) for part in parts]
            return all(held)
        case ["require-not", part]:
            return not _holds(part, subject, parameters)
        case ["literal", path]:
            return subject == _path(_text(path, parameters))
        case ["subpath", path]:
            return PurePosixPath(subject).is_relative_to(_path(_text(path, parameters)))
        case ["global-name" | "sysctl-name", name]:
            return subject == _text(name, parameters)
        case ["sysctl-name-prefix" | "ipc-posix-name-prefix", name]:
            return subject.startswith(_text(name, parameters))
        case ["target", "self" | "same-sandbox" as whom]:
            return subject == whom
        case _:
            raise Unknown(f"filter: {form}")


def _path(text: str) -> str:
    if not text.startswith("/") or (text != "/" and text.endswith("/")):
        raise Unknown(f"a path that a kernel would never match: {text!r}")
    return text
