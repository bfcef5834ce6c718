"""What a run was asked for on its command line, which holds for as long as the run does.

A run that is resumed without the options it was started with would be judged by another, perhaps softer policy. So
they are kept in its folder; what is left out on resuming is taken from there, and what differs is refused.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from gate.commands.options import share
from gate.errors import ConfigError
from gate.trials.folder import Kind, RunFolder

_KINDS: Mapping[str, Kind] = {
    "config": str,
    "agent": str,
    "slices": list,
    "canaries": list,
    "seeds": int,
    "fail_under": str | None,
    "baseline": str | None,
    "trust_ref": str | None,
    "budget_usd": float | None,
    "sandbox": str | None,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that decide what is run and how it is judged; None and empty where nothing was asked."""

    config: Path
    agent: str | None
    slices: tuple[str, ...]
    canaries: tuple[str, ...]
    seeds: int | None
    fail_under: Fraction | None
    baseline: Path | None
    trust_ref: str | None
    budget_usd: float | None
    sandbox: str | None

    def to_json(self) -> dict[str, Any]:
        """The options as `asked.json` keeps them; paths are absolute."""
        return {
            **dataclasses.asdict(self),
            "config": os.path.abspath(self.config),  # noqa: PTH100  # a link stays a link: its target may be turned
            "fail_under": None if self.fail_under is None else str(self.fail_under),
            "baseline": None if self.baseline is None else str(self.baseline),
        }


def asked(args: argparse.Namespace, resumed: RunFolder | None) -> Asked:
    """What the command line asks for, or the run that is resumed. Raises ConfigError where the two differ."""
    given = Asked(
        config=args.config or Path("gate.yml"),
        agent=args.agent,
        slices=tuple(args.slice),
        canaries=tuple(args.canary),
        seeds=args.seeds,
        fail_under=args.fail_under,
        baseline=args.baseline.resolve() if args.baseline else None,
        trust_ref=args.trust_ref,
        budget_usd=args.budget_usd,
        sandbox=args.sandbox,
    )
    if resumed is not None:
        given = _before(given, resumed, config_given=args.config is not None)
    if given.trust_ref and (given.fail_under is not None or given.baseline or args.write_baseline):
        raise ConfigError(
            "--trust-ref reads policy and baseline from the commit: --fail-under, --baseline and "
            "--write-baseline cannot be given with it"
        )
    return given


def _before(given: Asked, resumed: RunFolder, *, config_given: bool) -> Asked:
    kept = resumed.read_asked(_KINDS)
    now = given.to_json()
    if not config_given:
        del now["config"]
    now |= {"slices": list(given.slices), "canaries": list(given.canaries)}
    differing = [name for name, value in now.items() if value not in (None, [], kept[name])]
    if differing:
        raise ConfigError(f"{resumed.root}: this run was started with another value of {', '.join(differing)}")
    try:
        fail_under = None if kept["fail_under"] is None else share(kept["fail_under"])
    except argparse.ArgumentTypeError as error:
        raise ConfigError(f"{resumed.root / 'asked.json'}: fail_under: {error}") from error
    return Asked(
        config=Path(kept["config"]),
        agent=kept["agent"],
        slices=tuple(map(str, kept["slices"])),
        canaries=tuple(map(str, kept["canaries"])),
        seeds=kept["seeds"],
        fail_under=fail_under,
        baseline=None if kept["baseline"] is None else Path(kept["baseline"]),
        trust_ref=kept["trust_ref"],
        budget_usd=kept["budget_usd"],
        sandbox=kept["sandbox"],
    )
