"""What an agent wrote cannot move the cursor, hide itself, or speak to the runner."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.report.text import cut, encodable, pad, plain, width, wrapped

ESCAPED = [
    ("a\x1b[2Jb", "a\\x1b[2Jb"),
    ("one\ntwo", "one\\ntwo"),
    ("over\rwritten", "over\\rwritten"),
    ("\u202ereversed", "\\u202ereversed"),
    ("zero\u200bwidth", "zero\\u200bwidth"),
    ("line\u2028separator", "line\\u2028separator"),
    ("\x85", "\\x85"),
    ("half \ud800", "half \\ud800"),
    ("::error file=x::boo", "\\::error file=x::boo"),
    ("  ::set-output name=a::b", "  \\::set-output name=a::b"),
    ("##[error]boo", "#\\#[error]boo"),
    ("text ##vso[task.complete]", "text #\\#vso[task.complete]"),
]
UNTOUCHED = ["", "plain", "häslein 兎", "tests/x.py::test_y: failed", "a :: b", "## heading", "100 %", ":colon"]


@pytest.mark.parametrize(("text", "shown"), ESCAPED)
def test_what_could_act_is_spelt_out(text: str, shown: str) -> None:
    """Control, bidirectional and invisible characters, and a runner's commands."""
    assert plain(text) == shown


@pytest.mark.parametrize("text", UNTOUCHED)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    """Nothing else is changed, test ids included."""
    assert plain(text) == text


@given(st.text())
@settings(max_examples=200, deadline=None)
def test_plain_text_is_one_printable_line(text: str) -> None:
    """Whatever goes in; and making it plain twice changes nothing."""
    shown = plain(text)
    assert shown.isprintable()
    assert not shown.lstrip().startswith("::")
    assert "##[" not in shown
    assert plain(shown) == shown


@given(st.lists(st.sampled_from(["::error::x", "word", "a-longer-word", "\x1b[31m", "##[x]"]), max_size=40))
@settings(max_examples=100, deadline=None)
def test_wrapping_does_not_let_a_command_to_the_start_of_a_line(words: list[str]) -> None:
    """Every line of a long text is as plain as the whole, within its columns."""
    for line in wrapped(" ".join(words), "  ", "-", columns=30):
        assert not line.lstrip("- ").startswith("::")
        assert line.isprintable()
        assert width(line) <= 31


def test_columns_are_counted_as_a_terminal_does() -> None:
    """A wide character takes two columns and a combining one none."""
    assert [width(text) for text in ("abc", "兎", "e\u0301", "")] == [3, 2, 1, 0]
    assert pad("兎", 4, ".") == "兎.."
    assert cut("abcdefgh", 6) == "abc..."
    assert cut("兎兎兎兎", 7) == "兎兎..."
    assert cut("abc", 3) == "abc"


def test_a_narrow_encoding_gets_escapes() -> None:
    """A stream that knows ASCII only, or does not say, still gets the whole text."""
    assert encodable("bü", "ascii") == encodable("bü", None) == "b\\xfc"
    assert encodable("bü", "utf-8") == "bü"
