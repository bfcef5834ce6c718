"""What `gate.yml` may name: kinds, models and tools, each refused with the choices when unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from gate.agents.base import Agent
from gate.agents.table import build
from gate.errors import ConfigError
from gate.suite.config import BUILT_IN, AgentSpec


def _built(tmp: Path, **spec: Any) -> Agent:
    values: dict[str, Any] = {"name": "it", "kind": "loop", "model": "stand-in", **spec}
    return build(AgentSpec(**values), solutions=lambda _: None, base=tmp)


def test_the_built_in_agents_build(tmp_path: Path) -> None:
    """Every agent that is always there can be built, and carries its name."""
    for name, spec in BUILT_IN.items():
        assert build(spec, solutions=lambda _: None, base=tmp_path).name == name


REFUSED = (
    ({"kind": cast(Any, "robot")}, "unknown kind 'robot'; the kinds are loop, direct, oracle, null"),
    ({"model": "stand-out"}, "unknown model 'stand-out': this version knows stand-in"),
    ({"model": None}, "a loop needs a model"),
    ({"tools": ("read_file", "shell")}, "unknown tool 'shell'; the tools are list_files, read_file"),
    ({"system_prompt": Path("nowhere.md")}, "nowhere.md: No such file"),
    ({"system_prompt": Path("latin.md")}, "latin.md: it is not UTF-8 text"),
)


@pytest.mark.parametrize(("spec", "reason"), REFUSED)
def test_what_cannot_be_built_names_the_choices(tmp_path: Path, spec: dict[str, Any], reason: str) -> None:
    """One clear message that says what there is."""
    (tmp_path / "latin.md").write_bytes(b"\xe9")
    with pytest.raises(ConfigError) as error:
        _built(tmp_path, **spec)
    assert reason in error.value.message


def test_the_digest_follows_whatever_can_change_an_answer(tmp_path: Path) -> None:
    """The same stack has the same digest; another prompt or another tool list has another."""
    (tmp_path / "p.md").write_text("Be brief.\n")
    same = {_built(tmp_path).digest for _ in range(2)}
    others = {
        _built(tmp_path, system_prompt=Path("p.md")).digest,
        _built(tmp_path, tools=("read_file",)).digest,
    }
    assert len(same) == 1
    assert len(same | others) == 3


def test_the_name_of_an_agent_is_not_part_of_its_digest(tmp_path: Path) -> None:
    """Renaming an entry of gate.yml does not change what is measured."""
    assert _built(tmp_path, name="one").digest == _built(tmp_path, name="two").digest
