"""A suite from disk, whole and checked: every problem of every file is found before anything stops."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gate.errors import ConfigError, Problem
from gate.outcome import Slice
from gate.suite import answers, parse, rules, schema, yaml12
from gate.suite import card as cards
from gate.suite.canary import Canary
from gate.suite.card import Card
from gate.suite.config import GateConfig
from gate.suite.folders import Source, sources, strays
from gate.suite.sheet import FIXTURE, Sheet, placeholders, resolve
from gate.suite.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Suite:
    """A loaded suite. `canaries` are sorted by id; `notes` say what is absent without being wrong.

    `root` is the suite folder, `base` the folder of gate.yml, `shelf` holds every fixture as it was checked.
    """

    root: Path
    base: Path
    canaries: tuple[Canary, ...]
    card: Card
    notes: tuple[str, ...] = ()
    shelf: Shelf = field(default_factory=Shelf, compare=False, repr=False)

    def of_slice(self, name: Slice) -> tuple[Canary, ...]:
        """The canaries of one slice."""
        return tuple(canary for canary in self.canaries if canary.slice is name)


def load_suite(config: GateConfig) -> Suite:
    """Load every canary and the card. Raises ConfigError with all problems of all files."""
    problems = list(strays(config))
    found = sources(config)
    if not found:
        problems.append(Problem(str(config.shown(config.suite)), 0, "", "holds no canaries; `gate new` writes one"))
    shelf = Shelf()
    sheets = []
    canaries = []
    for source in found:
        try:
            sheet = Sheet(yaml12.load_file(source.path, shown=source.shown), source)
        except ConfigError as error:
            problems += error.problems
            continue
        sheets.append(sheet)
        wrong, canary = _canary(sheet, shelf)
        problems += wrong
        if canary is not None:
            canaries.append(canary)
    problems += _twice(sheets)
    card = _card(config, found, sheets, problems)
    if problems or card is None:
        raise ConfigError(problems)
    problems += _languages(card, canaries)
    if problems:
        raise ConfigError(problems)
    notes = (config.hidden_note,) if config.hidden_note else ()
    ordered = tuple(sorted(canaries, key=lambda canary: canary.id))
    return Suite(config.suite, config.base, ordered, card, notes, shelf)


def _canary(sheet: Sheet, shelf: Shelf) -> tuple[list[Problem], Canary | None]:
    """What is wrong with one file, and its canary if nothing is.

    Three rounds, each only as far as the one before allows: the file itself and its paths, the rules between its
    keys, and the answers, which have to fit the fixture.
    """
    open_places = placeholders(sheet)
    broken = schema.problems("canary", sheet.document)
    lost = list(resolve(sheet))
    problems = broken + lost + (rules.slice_problems(sheet) if broken else rules.problems(sheet))
    if not problems and not open_places and sheet.slice is not None:
        canary = parse.canary(sheet, sheet.slice, shelf.tree(sheet.paths[FIXTURE]))
        problems += answers.problems(sheet, canary, shelf)
        return problems, None if problems else canary
    hidden = {problem.key for problem in open_places}
    return open_places + [problem for problem in problems if problem.key not in hidden], None


def _twice(sheets: Iterable[Sheet]) -> Iterator[Problem]:
    """Ids that two files claim, reported in each file but the first."""
    by_id = defaultdict(list)
    for sheet in sheets:
        if isinstance(name := sheet.data.get("id"), str):
            by_id[name].append(sheet)
    for name, claims in by_id.items():
        first = claims[0].source.shown
        for sheet in claims[1:]:
            yield sheet.problem(("id",), f"`{name}` is taken by {first}")


def _card(config: GateConfig, found: list[Source], sheets: list[Sheet], problems: list[Problem]) -> Card | None:
    """The card, compared with what the suite holds and with gate.yml; problems are added to `problems`."""
    try:
        path = config.suite / cards.NAME
        card = cards.load_card(path, shown=config.shown(path))
    except ConfigError as error:
        problems += error.problems
        return None
    slices = {sheet.source.path: sheet.slice for sheet in sheets}
    counts = Counter(slices.get(source.path, source.folder_slice) for source in found)
    for name in Slice:
        if name is Slice.HIDDEN and config.hidden_note and not counts[name]:
            continue
        if card.slices[name] != counts[name]:
            reason = f"the card says {card.slices[name]}, the suite holds {counts[name]}"
            problems.append(card.problem(("slices", name), reason))
    for key, ours, theirs in (
        ("seeds", config.seeds, card.seeds),
        ("attempt_cap", config.attempt_cap, card.attempt_cap),
    ):
        if ours is not None and theirs is not None and ours != theirs:
            reason = f"the card says {theirs}, this run is set to {ours}; change both in one commit, or neither"
            problems.append(card.problem((key,), reason))
    return card


def _languages(card: Card, canaries: Iterable[Canary]) -> Iterator[Problem]:
    missing = {canary.language for canary in canaries} - {"other", *card.languages}
    for language in sorted(missing):
        yield card.problem(("languages",), f"the suite holds canaries in {language}, the card does not say so")
