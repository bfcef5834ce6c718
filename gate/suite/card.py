"""The dataset card: what a suite says of itself before anything is run. A score without its card is a number."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.errors import ConfigError, Problem
from gate.outcome import Slice
from gate.suite import schema, yaml12

NAME = "card.yaml"
_PLACEHOLDER = "replace-with"


@dataclass(frozen=True, slots=True)
class Card:
    """The checked card. `slices` counts canaries, `attempt_cap` attempts in a trial, `seeds` trials of a canary.

    `path` is the path as messages name it, `data` the bytes that were read.
    """

    path: Path
    data: bytes
    dataset_id: str
    commit: str
    slices: Mapping[Slice, int]
    languages: tuple[str, ...]
    difficulty_note: str
    attempt_cap: int
    temperature: float | None
    network_on_hidden: bool
    gold_patch_in_prompt: bool
    predicted_gap: str | None = None
    seeds: int | None = None

    @property
    def sha256(self) -> str:
        """Hex sha256 of the file's bytes."""
        return hashlib.sha256(self.data).hexdigest()

    def line(self, *key: str) -> int:
        """The line of a key, for messages of those who compare the card with something else."""
        return yaml12.load(self.path, self.data).line(key)

    def problem(self, key: tuple[str, ...], reason: str) -> Problem:
        """A problem at a key of this card."""
        return Problem(str(self.path), self.line(*key), yaml12.key_text(key), yaml12.printable(reason))


def load_card(path: Path, *, shown: Path | None = None) -> Card:
    """Read and check a card; messages name it as `shown`. Raises ConfigError with every problem of the file."""
    name = shown or path
    if not path.is_file():
        raise ConfigError.at(name, 0, "", "a suite needs a dataset card; `gate init` shows one")
    return parse_card(name, yaml12.read_bytes(path, shown=name))


def parse_card(path: Path, text: bytes) -> Card:
    """The same from bytes, such as those of another commit."""
    document = yaml12.load(path, text)
    problems = schema.problems("card", document)
    if isinstance(document.data, dict):
        problems += [document.problem((key,), reason) for key, reason in _refusals(document.data)]
    if problems:
        raise ConfigError(problems)
    given = document.data
    return Card(
        path=path,
        data=text,
        dataset_id=given["dataset_id"],
        commit=given["commit"],
        slices={name: int(given["slices"][name]) for name in Slice},
        languages=tuple(given["languages"]),
        difficulty_note=given["difficulty_note"],
        attempt_cap=int(given["attempt_cap"]),
        temperature=given["temperature"],
        network_on_hidden=given["network_on_hidden"],
        gold_patch_in_prompt=given["gold_patch_in_prompt"],
        predicted_gap=given.get("predicted_gap"),
        seeds=None if given.get("seeds") is None else int(given["seeds"]),
    )


def _refusals(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """What a card may say in words but this gate cannot run."""
    found = []
    if data.get("network_on_hidden") is True:
        reason = "this gate has no network for hidden canaries, so a suite that needs it cannot be run here"
        found.append(("network_on_hidden", reason))
    if data.get("gold_patch_in_prompt") is True:
        reason = "with the answer in the prompt there is nothing withheld to grade against, so this suite cannot be run"
        found.append(("gold_patch_in_prompt", reason))
    found += [
        (key, f"still holds the template's text `{data[key]}`")
        for key in ("commit", "dataset_id", "difficulty_note")
        if str(data.get(key, "")).startswith(_PLACEHOLDER)
    ]
    return found
