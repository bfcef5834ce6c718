"""The pages of docs/: what they show is what happens, and what they list is what there is."""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gate.errors import ConfigError
from gate.policy import Policy
from gate.suite import schema, yaml12
from gate.suite.card import parse_card
from gate.suite.config import load_config
from gate.suite.load import load_suite
from gate.verdict.ruling import decimal
from tests.docs.pages import PAGES, ROOT, Block, Terminal, agrees, blocks, code, commands, tables

CANARY = ROOT / "docs/canary.md"
LINKING = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def name(page: Path) -> str:
    """A page as the list of tests calls it."""
    return page.name


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_terminals_show_what_is_printed(page: Path, tmp_path: Path) -> None:
    """Played from top to bottom in an empty folder, every command prints what the page shows below it."""
    terminal = Terminal(tmp_path)
    for block in blocks(page):
        if block.title is not None:
            terminal.write(block)
        for number, command in enumerate(commands(block), 1):
            status, printed = terminal.run(command.text)
            where = f"{page.name}:{block.line}, command {number}: $ {command.text}"
            assert agrees(command.shown, printed), "\n".join([f"{where} printed", *printed])
            assert status == 0, f'{where}: exit {status}; show it with `; echo "exit $?"`'


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_terminal_escapes_the_player(page: Path) -> None:
    """A command of gate is shown in a `sh` block after a prompt, and its output is never only `...`."""
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        if re.search(r"^\$ .*\bgate ", block.text, re.MULTILINE):
            assert block.language == "sh", f"{where}: would not be run"
            assert commands(block), f"{where}: has to start with `$ `"
        for command in commands(block):
            assert not command.shown or set(command.shown) != {"..."}, f"{where}: shows nothing that could be wrong"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_python_sessions_show_what_is_computed(page: Path) -> None:
    """Every `pycon` block gives the values shown; the blocks of a page are one session."""
    session: dict[str, Any] = {}
    for block in blocks(page):
        if block.language == "pycon":
            example = doctest.DocTestParser().get_doctest(block.text, session, page.name, str(page), block.line)
            assert example.examples, f"{page.name}:{block.line}: holds no prompt"
            failed = doctest.DocTestRunner(verbose=False).run(example, clear_globs=False).failed
            assert not failed, f"{page.name}:{block.line}"
            session = example.globs


def yaml_problems(block: Block, folder: Path) -> list[str]:
    """What the real loaders have against a YAML file by itself; the suite as a whole is loaded elsewhere."""
    assert block.title is not None
    path = folder / block.title
    try:
        if path.name == "card.yaml":
            parse_card(path, block.text.encode())
            return []
        document = yaml12.load(path, block.text.encode())
        if path.name == "gate.yml":
            return [str(problem) for problem in schema.problems("gate", document)]
        return [str(problem) for problem in schema.problems("canary", document)]
    except ConfigError as error:
        return [str(problem) for problem in error.problems]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_yaml_file_loads(page: Path, tmp_path: Path) -> None:
    """A YAML block is a file that loads, a file that is marked as refused, or a fragment that is at least YAML."""
    for block in blocks(page):
        if block.language not in {"yaml", "yml"}:
            continue
        where = f"{page.name}:{block.line}"
        if "fragment" in block.words:
            yaml12.load(Path(where), block.text.encode())
        else:
            assert block.title is not None, f"{where}: give it title=PATH, or mark it as a fragment"
            if "refused" not in block.words:
                assert yaml_problems(block, tmp_path) == [], where


def test_the_suite_of_the_page_loads_and_holds_its_canaries(tmp_path: Path) -> None:
    """At the end of canary.md its suite loads, with every canary that the page shows; each refused file is refused."""
    terminal = Terminal(tmp_path)
    shown: set[Path] = set()
    for block in blocks(CANARY):
        if block.title is None or "refused" not in block.words:
            shown |= {terminal.write(block)} if block.title is not None else set()
            for command in commands(block):
                if not re.search(r"\bgate (run|freeze)\b", command.text):
                    terminal.run(command.text)
    environ = {"GATE_HIDDEN_DIR": str(tmp_path / "ours-hidden")}
    suite = load_suite(load_config(terminal.folder / "gate.yml", environ))
    assert {path for path in shown if path.parent.parent.name == "canaries"} < {one.source for one in suite.canaries}
    refused = [block for block in blocks(CANARY) if "refused" in block.words]
    assert len(refused) == 3
    for block in refused:
        path = terminal.write(block)
        with pytest.raises(ConfigError, match=path.name):
            load_suite(load_config(terminal.folder / "gate.yml", environ))
        path.unlink()


def resolved(node: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """A part of a schema, its reference followed."""
    reference = node.get("$ref")
    return whole["$defs"][reference.rpartition("/")[2]] if reference else node


def key_paths(node: Any, whole: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Every key that a schema knows, as `a.b`, `a[].b` in a list, `a.*.b` below names that are free."""
    node = resolved(node, whole) if isinstance(node, dict) else {}
    for key, value in node.get("properties", {}).items():
        path = f"{prefix}.{key}" if prefix else key
        yield path
        yield from key_paths(value, whole, path)
    if isinstance(node.get("items"), dict):
        yield from key_paths(node["items"], whole, f"{prefix}[]")
    if isinstance(node.get("additionalProperties"), dict):
        yield from key_paths(node["additionalProperties"], whole, f"{prefix}.*")


@pytest.mark.parametrize(
    ("file", "sections"),
    [("canary", ["The keys of a canary", "Traps"]), ("card", ["The card"]), ("gate", ["gate.yml"])],
)
def test_the_tables_list_every_key_and_no_other(file: str, sections: list[str]) -> None:
    """Each key of the schema stands once in the table of its section."""
    whole = json.loads((ROOT / f"schemas/{file}.schema.json").read_text())
    listed = [
        key for section in sections for row in tables(CANARY, first="key", under=section) for key in code(row["key"])
    ]
    assert sorted(listed) == sorted(key_paths(whole, whole))


def test_the_defaults_of_the_policy() -> None:
    """The table of gate.yml names the default of every threshold as the code has it."""
    listed = {
        key.removeprefix("policy."): code(row["default"])[0]
        for row in tables(CANARY, first="key", under="gate.yml")
        for key in code(row["key"])
        if key.startswith("policy.")
    }
    policy = Policy()
    assert listed == {field: _written(getattr(policy, field)) for field in Policy.__slots__}


def _written(value: Any) -> str:
    return decimal(value) if isinstance(value, Fraction) else json.dumps(value)


_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")


def prose(page: Path) -> list[tuple[int, str]]:
    """The lines outside of fences, without what stands between backticks."""
    lines = []
    inside = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            lines.append((number, re.sub(r"`[^`]*`", "", line)))
    return lines


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = [line.lstrip("#").strip() for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "#"]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKING, ids=name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file of the repository, and its anchor a heading of that file."""
    lost = []
    for number, line in prose(page):
        for target in _LINK.findall(line):
            path, _, anchor = target.partition("#")
            if _SCHEME.match(target):
                continue
            file = (page.parent / path).resolve() if path else page
            if not file.is_relative_to(ROOT) or not file.exists() or (anchor and anchor not in anchors(file)):
                lost.append(f"{page.name}:{number}: {target}")
    assert lost == []


def test_what_is_shown_has_to_agree() -> None:
    """`...` stands for lines and `…` for a part of one; all else has to be there, and nothing more."""
    printed = ("one", "two 3f2a", "three", "")
    good: list[tuple[str, ...]] = [printed, ("...",), ("one", "..."), ("...", "three", ""), ("o…", "two …", "...")]
    bad: list[tuple[str, ...]] = [(), ("one",), ("...", "four"), ("...", "two", "..."), ("one", "three", "..."), ("…",)]
    assert [shown for shown in good if not agrees(shown, printed)] == []
    assert [shown for shown in bad if agrees(shown, printed)] == []
    assert agrees((), ())
    assert not agrees(("one",), ())
