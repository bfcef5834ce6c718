"""Which changed paths are the judge's own, by the word of a trusted commit and not of the change itself.

A change that could say which files are the judge's would call its stack one of them. So a file that was there before
is the judge's only where the trusted commit says so; only a new file is taken for what the change says it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.errors import ConfigError
from gate.suite import yaml12
from gate.suite.canary import Canary
from gate.suite.config import GateConfig
from gate.suite.load import Suite
from gate.suite.repository import Repository


@dataclass(frozen=True, slots=True)
class Ground:
    """The changed paths of a working tree, and the files and folders that are the judge's.

    `trusted` are the judge's by the commit, `claimed` by the working tree.
    """

    repository: Repository
    commit: str
    changed: frozenset[Path]
    trusted: frozenset[Path]
    claimed: frozenset[Path]

    @classmethod
    def of(
        cls, repository: Repository, commit: str, config: GateConfig, then: GateConfig | None, suite: Suite
    ) -> Ground:
        """Ask git what changed; `then` is gate.yml as it was at `commit`, None where there was none."""
        changed = frozenset(repository.differing_from(commit))
        trusted = set(_named_by_config(then)) if then is not None else set()
        claimed = set(_named_by_config(config))
        for canary in suite.canaries:
            (claimed if canary.source in changed else trusted).update(_named_by_canary(canary))
        homes = {place for place in (then.suite, then.hidden) if place} if then is not None else set()
        for path in changed:
            if path.suffix in {".yaml", ".yml"} and _under(path, homes):
                trusted |= set(_named_by_text(path, repository.show(commit, path), config.base))
        return cls(repository, commit, changed, frozenset(trusted), frozenset(claimed))

    @property
    def links(self) -> list[Path]:
        """The symlinks among the changed paths: who turns one, exchanges everything behind it without touching it."""
        return sorted(path for path in self.changed if path.is_symlink())

    def was(self, path: Path) -> bytes | None:
        """A file as it was at the commit; None where it was not there."""
        return self.repository.show(self.commit, path)

    def links_to_the_judge(self) -> list[Path]:
        """The changed symlinks through which a part of the judge is reached."""
        judge = self.trusted | self.claimed
        return [link for link in self.links if any(path.is_relative_to(link.resolve()) for path in judge)]

    def outside_the_judge(self) -> Iterator[Path]:
        """The changed paths that are no part of the judge."""
        links = self.links_to_the_judge()
        for path in self.changed:
            ours = _under(path, self.trusted) or path in links
            if not ours and not (_under(path, self.claimed) and self.was(path) is None):
                yield path


def _under(path: Path, places: set[Path] | frozenset[Path]) -> bool:
    return any(path.is_relative_to(place) for place in places)


def _named_by_config(config: GateConfig) -> Iterator[Path]:
    yield from (config.path.resolve(), config.suite)
    yield from (path for path in (config.hidden, config.baseline, config.prompt_template) if path)


def _named_by_canary(canary: Canary) -> Iterator[Path]:
    expect = canary.expect
    yield canary.fixture
    yield from (path for path in (*expect.goldens, expect.reference, expect.hidden_tests) if path)
    if canary.trap:
        yield from (path for path in (canary.trap.twin, canary.trap.exploit.patch) if path)


def _named_by_text(path: Path, text: bytes | None, base: Path) -> Iterator[Path]:
    """The same of a canary's file as it was, which this version need not be able to read."""
    try:
        data = yaml12.load(path, text).data if text is not None else None
    except ConfigError:
        return
    names = [_at(data, "repo_fixture"), _at(data, "trap", "twin"), _at(data, "trap", "exploit", "patch")]
    goldens = _at(data, "expect", "diff_golden")
    names += goldens if isinstance(goldens, list) else [goldens]
    names += [_at(data, "expect", "reference"), _at(data, "expect", "hidden_tests")]
    yield from (base / name for name in names if isinstance(name, str) and name.strip("./"))


def _at(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data
