"""Checks a document against its JSON Schema and says what is wrong in words for a person, with key and line."""

from __future__ import annotations

import difflib
import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from gate import resources
from gate.errors import Problem
from gate.suite.yaml12 import Document, KeyPath

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
_PLURALS = {"string": "strings", "integer": "whole numbers", "number": "numbers", "object": "mappings"}
PATTERNS = {
    r"\S": "must not be blank",
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$": "expected a date such as 2026-11-29",
    r"^[a-z0-9][a-z0-9._-]*$": "only lower case letters, digits, `.`, `_` and `-`, starting with a letter or digit",
    r"^[A-Za-z_][A-Za-z0-9_.:-]*$": "is not the name of a tool",
    r"^[A-Za-z_][A-Za-z0-9_]*$": "is not the name of an environment variable",
    r"^[A-Za-z0-9][A-Za-z0-9._-]*$": "only letters, digits, `.`, `_` and `-`, starting with a letter or digit",
    r"^(tests|diff)$": "expected `tests`, `diff`, or touched, patch_contains, message_contains or leak with a list",
    r"^[0-9a-f]{64}$": "expected a sha256 in hex",
}


@functools.cache
def validator(name: str) -> Draft202012Validator:
    """The one validator of a schema such as `canary`, made at first use and kept."""
    from jsonschema import Draft202012Validator

    text = (resources.folder("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def problems(name: str, document: Document) -> list[Problem]:
    """Everything in the document that its schema does not allow, each with the line of the key."""
    found = (place for error in validator(name).iter_errors(document.data) for place in _explain(error))
    return [document.problem(key, reason) for key, reason in found]


def nearest(word: str, choices: Iterable[str], *, cutoff: float = 0.6) -> str:
    """A hint to append to a message: the choice that was perhaps meant, or nothing."""
    close = difflib.get_close_matches(word, sorted(choices), n=1, cutoff=cutoff)
    return f"; perhaps you meant `{close[0]}`" if close else ""


def got(value: Any) -> str:
    """A value as a message names it: its sort, and its content where that is short."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"a number ({value})"
    if isinstance(value, str):
        return f"the text `{value if len(value) <= 40 else value[:37] + '…'}`"
    return "a list" if isinstance(value, list) else "a mapping"


def _explain(error: ValidationError) -> Iterator[tuple[KeyPath, str]]:
    key: KeyPath = tuple(error.absolute_path)
    # The library's types allow an error that was never raised; these are set on each that was.
    keyword, value, instance = str(error.validator), cast(Any, error.validator_value), cast(Any, error.instance)
    subschema = cast("Mapping[str, Any]", error.schema)
    if keyword == "additionalProperties":
        yield from _unknown(instance, subschema.get("properties", {}), key)
    elif keyword == "required":
        yield from (((*key, name), "is missing") for name in value if name not in instance)
    elif keyword != "oneOf" or isinstance(instance, dict):  # what is no mapping has been refused for its type
        yield key, _reason(keyword, value, instance, subschema)


def _unknown(instance: Iterable[str], known: Mapping[str, Any], key: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    for name in instance:
        if name not in known:
            yield (*key, name), f"unknown key{nearest(name, known)}; known here: {', '.join(known)}"


def _reason(keyword: str, value: Any, instance: Any, schema: Mapping[str, Any]) -> str:  # a table
    match keyword:
        case "type":
            return f"expected {_expected(schema)}, got {got(instance)}{_hint(value, instance)}"
        case "enum" | "const":
            choices = value if keyword == "enum" else [value]
            hint = nearest(instance, map(str, choices)) if isinstance(instance, str) else _quote(choices, instance)
            return f"expected {_one_of(choices)}, got {got(instance)}{hint}"
        case "pattern":
            return f"{PATTERNS.get(value, f'does not match {value}')}, got {got(instance)}"
        case "minimum" | "maximum":
            return f"must be at {'least' if keyword == 'minimum' else 'most'} {value}, got {got(instance)}"
        case "exclusiveMinimum" | "exclusiveMaximum":
            return f"must be {'more' if keyword == 'exclusiveMinimum' else 'less'} than {value}, got {got(instance)}"
        case "minLength" | "minItems" | "minProperties" if value == 1:
            return "must not be empty; leave the key out if there is nothing to say"
        case "minItems" | "maxItems":
            return f"needs {'at least' if keyword == 'minItems' else 'at most'} {value} entries, has {len(instance)}"
        case "maxProperties":
            return f"must have exactly one key, has {', '.join(instance)}"
        case "maxLength":
            return f"must be at most {value} characters long, has {len(instance)}"
        case "uniqueItems":
            return "lists the same entry twice"
        case "oneOf":
            names = [branch["required"][0] for branch in value]
            given = [name for name in names if name in instance]
            return f"needs exactly one of {', '.join(names)}; has {' and '.join(given) or 'none'}"
        case _:
            return f"does not satisfy {keyword} {json.dumps(value)}"


def _one_of(choices: Iterable[Any]) -> str:
    names = [str(choice) for choice in choices]
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


def _expected(schema: Mapping[str, Any]) -> str:
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " or ".join(_list_of(schema) if name == "array" else _NAMES[name] for name in types)


def _list_of(schema: Mapping[str, Any]) -> str:
    items = schema.get("items", {})
    kind = items.get("type", "string" if "$ref" in items or "enum" in items else "")
    return f"a list of {_PLURALS[kind]}" if isinstance(kind, str) and kind in _PLURALS else "a list"


def _hint(types: Any, instance: Any) -> str:
    """What people mean who learned YAML 1.1."""
    if not isinstance(instance, str):
        return ""
    if "boolean" in types and instance.lower() in {"yes", "no", "on", "off", "y", "n"}:
        return "; YAML 1.2 has only true and false"
    if ("integer" in types or "number" in types) and instance[:1].isdigit():
        return "; write a plain decimal number without quotes, leading zeros or separators"
    return ""


def _quote(choices: Iterable[Any], instance: Any) -> str:
    return '; put it in quotes: "null"' if instance is None and "null" in choices else ""
