"""Strict YAML: what a file says is what comes out, or one ConfigError with line and key."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import ConfigError
from gate.suite import yaml12

FILE = Path("x.yaml")


@pytest.fixture(params=["libyaml", "python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both parsers of PyYAML: the compiled one, and the one that stands in where it was not compiled."""
    if request.param == "libyaml":
        assert hasattr(yaml, "CBaseLoader"), "PyYAML's wheels carry libyaml"
    else:
        monkeypatch.delattr(yaml, "CBaseLoader")
    return str(request.param)


def problems(text: str | bytes) -> list[str]:
    """The problems of a text, without the name of the file."""
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(ConfigError) as caught:
        yaml12.load(FILE, data)
    return [str(problem).removeprefix("x.yaml") for problem in caught.value.problems]


SCALARS: list[tuple[str, Any]] = [
    ("on", "on"),
    ("No", "No"),
    ("yes", "yes"),
    ("y", "y"),
    ("1:30", "1:30"),
    ("0777", "0777"),
    ("-007", "-007"),
    ("00.5", "00.5"),
    ("2026-11-29", "2026-11-29"),
    ("1_000", "1_000"),
    ("0b11", "0b11"),
    ("=", "="),
    ("1.2.3", "1.2.3"),
    ("+", "+"),
    ("0x", "0x"),
    ("tRue", "tRue"),
    ("'true'", "true"),
    ('"12"', "12"),
    ("''", ""),
    ("true", True),
    ("FALSE", False),
    ("null", None),
    ("~", None),
    ("", None),
    ("0", 0),
    ("-0", 0),
    ("+12", 12),
    ("0x1F", 31),
    ("0o17", 15),
    ("1.", 1.0),
    (".5", 0.5),
    ("-1e3", -1000.0),
    ("6.02E+23", 6.02e23),
]


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(("written", "value"), SCALARS)
def test_scalars_follow_yaml_1_2(written: str, value: object) -> None:
    """A plain scalar is null, a truth value or a number by the core schema of YAML 1.2, else the text as it stands."""
    read = yaml12.load(FILE, f"a: {written}\n".encode()).data["a"]
    assert (read, type(read)) == (value, type(value))


REFUSED = [
    ("a: 1\nb: 2\na: 3\n", [":3: a: the key stands twice; first on line 1"]),
    ("a:\n  b: 1\n  'b': 2\n", [":3: a.b: the key stands twice; first on line 2"]),
    ("a: &x 1\n", [":1: a: the anchor `&x` is not accepted; write the value out"]),
    (
        "a: &x [1]\nb: *x\n",
        [
            ":1: a: the anchor `&x` is not accepted; write the value out",
            ":2: b: the alias `*x` is not accepted; write the value out",
        ],
    ),
    ("a: {<<: {b: 1}}\n", [":1: a.<<: the merge key `<<` is not accepted; write the keys out"]),
    ("a: !!str 5\n", [":1: a: the tag `tag:yaml.org,2002:str` is not accepted"]),
    ("a: !mine [1]\n", [":1: a: the tag `!mine` is not accepted"]),
    (
        "a: !!python/object/apply:os.system ['true']\n",
        [":1: a: the tag `tag:yaml.org,2002:python/object/apply:os.system` is not accepted"],
    ),
    ("a: ! x\n", [":1: a: the tag `!` is not accepted"]),
    ("a:\n  1: x\n", [":2: a: the key `1` is not text; put it in quotes"]),
    ("null: x\n", [":1: the key `null` is not text; put it in quotes"]),
    ("? [a]\n: x\n", [":1: a list or a mapping cannot be a key"]),
    ("a: 1\n---\nb: 2\n", [":2: holds a second document; one file is one document"]),
    ("", [":1: is empty"]),
    ("# only a comment\n", [":1: is empty"]),
    ("%YAML 1.1\n---\na: 1\n", [":1: is marked as another YAML version; files are read as YAML 1.2"]),
    ("%TAG ! tag:x,2000:\n---\na: 1\n", [":1: a %TAG directive is not accepted"]),
    (
        "a: .inf\nb: -.Inf\nc: .NaN\nd: 1e999\n",
        [
            ":1: a: `.inf` is not a finite number",
            ":2: b: `-.Inf` is not a finite number",
            ":3: c: `.NaN` is not a finite number",
            ":4: d: `1e999` is not a finite number",
        ],
    ),
    (f"a: {'9' * 5000}\n", [":1: a: the number has too many digits"]),
    ("a:\n\tb: 1\n", [":2: the line is indented with a tab; YAML allows only spaces"]),
    ("[" * 40 + "]" * 40, [":1: is nested more than 32 levels deep"]),
    (b"a: 1\nb: \xe9\n", [":2: is not UTF-8: byte 0xe9; save the file as UTF-8"]),
    ("a: 1\n".encode("utf-16"), [":1: is not UTF-8: byte 0xff; save the file as UTF-8"]),
    ("a: 1\nb: \0\n", [':2: holds the character U+0000, which YAML does not allow here; write "\\u0000"']),
    ("a: b\u2028c\n", [':1: holds the character U+2028, which YAML does not allow here; write "\\u2028"']),
    ("a: b\ufeffc\n", [':1: holds the character U+FEFF, which YAML does not allow here; write "\\ufeff"']),
]


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(("text", "expected"), REFUSED, ids=[str(index) for index in range(len(REFUSED))])
def test_what_could_be_read_in_two_ways_is_refused(text: str | bytes, expected: list[str]) -> None:
    """Each refusal names the line and the key, and all refusals of a file come at once."""
    assert problems(text) == expected


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "line"),
    [("a: [1\nb: 2\n", 2), ("a: 'x\n", 2), ("a: b: c\n", 1), ("a: @x\n", 1), ("- a\nb: 1\n", 2)],
)
def test_a_syntax_error_is_one_problem_with_its_line(text: str, line: int) -> None:
    """What is not YAML at all gives one problem, at the line where the parser stopped."""
    found = problems(text)
    assert len([one for one in found if "is not YAML" in one]) == 1
    assert found[-1].startswith(f":{line}: is not YAML: ")


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("text", ['a: "\\UFFFFFFFF"\n', 'a: "\\uD800"\n', 'a: "\\U00110000"\n'])
def test_an_escape_that_is_no_character_is_refused(text: str) -> None:
    """An escape beyond Unicode, or half of a surrogate pair, never becomes text."""
    assert len(problems(text)) == 1


@pytest.mark.usefixtures("parser")
def test_lines_point_at_keys() -> None:
    """The line of a value is the line of its key, that of a missing key the line of its nearest parent."""
    document = yaml12.load(FILE, b"a: 1\nb:\n  c: |\n    text\n    more\n  d:\n    - x\n    - {e: 1}\n")
    assert document.data == {"a": 1, "b": {"c": "text\nmore\n", "d": ["x", {"e": 1}]}}
    assert [document.line(key) for key in (("a",), ("b", "c"), ("b", "d"), ("b", "d", 1), ("b", "d", 1, "e"))] == [
        1,
        3,
        6,
        8,
        8,
    ]
    assert document.line(("b", "d", 7, "missing")) == 6
    assert document.line(("missing",)) == 1
    assert yaml12.key_text(("b", "d", 1, "e")) == "b.d[1].e"


@pytest.mark.usefixtures("parser")
def test_what_people_write_is_kept() -> None:
    """Tabs and braces inside a block of text, CRLF line ends, a leading byte order mark and emoji are content."""
    assert yaml12.load(FILE, "a: |\n  if x {\n  \ty := '😀'\n  }\n".encode()).data == {"a": "if x {\n\ty := '😀'\n}\n"}
    assert yaml12.load(FILE, b"a: 1\r\nb: 2\r\n").data == {"a": 1, "b": 2}
    assert yaml12.load(FILE, b"\xef\xbb\xbf%YAML 1.2\n---\na: 1\n").data == {"a": 1}


def test_no_more_problems_than_a_person_reads() -> None:
    """A file that is wrong everywhere gives its first problems and says that there are more."""
    found = problems("a: [" + "&x 1, " * 1000 + "]\n")
    assert len(found) == yaml12.MAX_PROBLEMS + 1
    assert found[0] == ":1: more problems follow; these come first"


@pytest.mark.usefixtures("parser")
def test_an_alias_bomb_costs_nothing() -> None:
    """A file of nine nested levels of aliases, a billion values when expanded, is refused in under a second."""
    rows = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    started = time.process_time()
    found = problems("\n".join(rows))
    assert time.process_time() - started < 1
    assert ":1: a0: the anchor `&a0` is not accepted; write the value out" in found


def test_ten_megabytes_are_refused_unparsed(tmp_path: Path) -> None:
    """A file of 10 MB is refused by its size in under a second, before a parser sees it."""
    path = tmp_path / "big.yaml"
    path.write_bytes(b"a: [" + b"1, " * (10 * 1024 * 1024 // 3) + b"]\n")
    started = time.process_time()
    with pytest.raises(ConfigError, match=r"big\.yaml: is larger than 1024 KiB and was not parsed"):
        yaml12.load_file(path)
    assert time.process_time() - started < 1


def test_a_megabyte_of_values_is_bounded() -> None:
    """The largest file that is parsed at all stops at its hundred thousandth value."""
    text = b"- a\n" * (yaml12.MAX_BYTES // 4)
    with pytest.raises(ConfigError, match="holds more than 100000 values"):
        yaml12.load(FILE, text)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A FIFO, a folder and a missing file are named; none of them is opened for reading and waited for."""
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(ConfigError, match=r"pipe\.yaml: is not a regular file"):
        yaml12.load_file(tmp_path / "pipe.yaml")
    with pytest.raises(ConfigError, match="is not a regular file"):
        yaml12.load_file(tmp_path)
    with pytest.raises(ConfigError, match="No such file"):
        yaml12.load_file(tmp_path / "none.yaml")


_PIECES = st.sampled_from(
    (
        *("a", ": ", "\n", "- ", "  ", "[", "]", "{", "}", ",", "&x ", "*x", "!!int ", "|", ">", "'", '"', "? "),
        *("\\U", "FFFFFFFF", "%YAML 1.", "%TAG ! x", "---\n", "...", "#", "\t", "0x", "1e9", "<<"),
        *("\ufeff", "\u2028", "\0", "é", "😀"),
    )
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.lists(_PIECES, max_size=40).map(lambda parts: "".join(parts).encode())))
def test_any_bytes_give_data_or_a_config_error(text: bytes) -> None:
    """Whatever the bytes are, the result is plain data or a ConfigError with at least one problem, by either parser."""
    for compiled in (True, False):
        with pytest.MonkeyPatch.context() as patched:
            if not compiled:
                patched.delattr(yaml, "CBaseLoader")
            assert _plain(_data_or_problems(text))


def _data_or_problems(text: bytes) -> object:
    try:
        return yaml12.load(FILE, text).data
    except ConfigError as error:
        return [str(problem) for problem in error.problems] or object()


def _plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(_plain, value))
    return value is None or isinstance(value, (str, int, float))


_TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Cn", "Zl", "Zp"], exclude_characters="\ufeff"),
    max_size=12,
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(_TEXTS, _VALUES, max_size=4))
def test_json_is_read_as_it_was_written(value: dict[str, object]) -> None:
    """JSON is YAML: what `json` writes comes back the same, numbers and quoted texts included."""
    read = yaml12.load(FILE, json.dumps(value, ensure_ascii=False).encode()).data
    assert read == value
