"""The kinds of agent, by the name that `gate.yml` gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from gate.agents.base import Agent
from gate.agents.controls import Null, Oracle, Solutions
from gate.agents.tools import TOOL_NAMES
from gate.errors import ConfigError
from gate.models.base import Model
from gate.models.table import open_model
from gate.suite.config import AgentSpec


def _loop(spec: AgentSpec, _solutions: Solutions, base: Path) -> Agent:
    from gate.agents.loop import Loop

    unknown = [tool for tool in spec.tools or () if tool not in TOOL_NAMES]
    if unknown:
        raise ConfigError(f"agent {spec.name!r}: unknown tool {unknown[0]!r}; the tools are {', '.join(TOOL_NAMES)}")
    return _prompted(spec, base, lambda model, prompt: Loop.on(spec.name, model, prompt, spec.tools))


def _direct(spec: AgentSpec, _solutions: Solutions, base: Path) -> Agent:
    from gate.agents.direct import Direct

    if spec.tools is not None:
        raise ConfigError(f"agent {spec.name!r}: an agent of kind direct has no tools")
    return _prompted(spec, base, lambda model, prompt: Direct.on(spec.name, model, prompt))


def _prompted(spec: AgentSpec, base: Path, made: Callable[[Model, Path | None], Agent]) -> Agent:
    """An agent on a model with a system prompt of its own, or the built-in one."""
    if spec.model is None:
        raise ConfigError(f"agent {spec.name!r}: a {spec.kind} needs a model, such as `model: stand-in`")
    prompt = None if spec.system_prompt is None else base / spec.system_prompt
    try:
        return made(open_model(spec.model), prompt)
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise ConfigError(f"agent {spec.name!r}: cannot read the system prompt {prompt}: {why}") from None


def _oracle(spec: AgentSpec, solutions: Solutions, _base: Path) -> Agent:
    return Oracle(solutions, spec.name)


def _null(spec: AgentSpec, _solutions: Solutions, _base: Path) -> Agent:
    return Null(spec.name)


KINDS: Mapping[str, Callable[[AgentSpec, Solutions, Path], Agent]] = {
    "loop": _loop,
    "direct": _direct,
    "oracle": _oracle,
    "null": _null,
}


def build(spec: AgentSpec, *, solutions: Solutions, base: Path) -> Agent:
    """The agent that an entry of `gate.yml` describes. Raises ConfigError for what cannot be built.

    `base` is the folder that a relative `system_prompt` starts from.
    """
    if spec.kind not in KINDS:
        raise ConfigError(f"agent {spec.name!r}: unknown kind {spec.kind!r}; the kinds are {', '.join(KINDS)}")
    return KINDS[spec.kind](spec, solutions, base)
