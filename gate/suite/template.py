"""The frame around a canary's prompt: the same words for every canary, frozen by hash with the card."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from gate.errors import ConfigError
from gate.suite import yaml12
from gate.suite.canary import Canary
from gate.suite.schema import nearest

TASK_TEMPLATE = """\
The working folder holds a copy of a repository. Carry out the task below by changing files in it.

Task:
{prompt}

Files that must stay as they are: {forbidden_paths}
If the task cannot be done as stated, change nothing and say why.
When you are finished, end with a short message that says what you changed.
"""

_HOLE = re.compile(r"\{([a-z_]+)\}")
HOLES = ("prompt", "forbidden_paths", "allowed_paths", "language", "max_tool_calls", "max_tokens", "timeout_s")


def render(template: str, canary: Canary) -> str:
    """The prompt of one canary. The answer, the hidden tests, the id and the slice are nowhere in it.

    Holes are filled in one pass, so braces in a prompt stay as they are.
    """
    return _HOLE.sub(lambda hole: _fill(hole[1], canary), template)


def _fill(name: str, canary: Canary) -> str:
    expect, budget = canary.expect, canary.budget
    match name:
        case "prompt":
            return canary.prompt.rstrip("\n")
        case "forbidden_paths":
            return ", ".join(expect.forbidden_paths) or "none"
        case "allowed_paths":
            return ", ".join(expect.allowed_paths or ()) or "all others"
        case "language":
            return canary.language
        case "max_tool_calls" | "max_tokens":
            limit = budget.max_tool_calls if name == "max_tool_calls" else budget.max_tokens
            return "no limit" if limit is None else str(limit)
        case "timeout_s":
            return f"{budget.timeout_s:g}"
        case _:
            raise ValueError(f"no such hole: {name}")


def load_template(path: Path | None) -> str:
    """The template of `gate.yml`, or the built-in one. Raises ConfigError where it has an unknown hole or no prompt."""
    if path is None:
        return TASK_TEMPLATE
    try:
        text = yaml12.read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError.at(path, 0, "", "is not UTF-8") from error
    unknown = [hole for hole in _HOLE.finditer(text) if hole[1] not in HOLES]
    if unknown:
        at, name = unknown[0].start(), unknown[0][1]
        reason = f"unknown hole `{{{name}}}`{nearest(name, HOLES)}; known are {', '.join(HOLES)}"
        raise ConfigError.at(path, text.count("\n", 0, at) + 1, "", reason)
    if "{prompt}" not in text:
        raise ConfigError.at(path, 0, "", "has no `{prompt}`, so every canary would be asked the same")
    return text


def template_sha256(template: str) -> str:
    """Hex sha256 of the template's text."""
    return hashlib.sha256(template.encode()).hexdigest()


def prompt_sha256(template: str, card_bytes: bytes) -> str:
    """One value for a run: the hash of template and card together, as the card is frozen with the prompt."""
    both = template_sha256(template) + "\n" + hashlib.sha256(card_bytes).hexdigest() + "\n"
    return hashlib.sha256(both.encode()).hexdigest()
