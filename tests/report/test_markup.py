from __future__ import annotations

from xml.etree import ElementTree

import pytest

from alp.report.markup import Markup, element, joined, number, table, text

HOSTILE = "<script>alert('1')</script>&\"\x00\ud800"


def test_text_and_attributes_are_escaped():
    made = element("p", HOSTILE, title=HOSTILE)
    assert "<script" not in made
    read = ElementTree.fromstring(made)
    assert read.text == "<script>alert('1')</script>&\"\ufffd\ufffd"
    assert read.get("title").startswith("<script>")


def test_markup_is_not_escaped_twice():
    inner = element("b", "a & b")
    assert element("p", inner) == "<p><b>a &amp; b</b></p>"
    assert text(inner) is inner
    assert joined(["<", inner], " & ") == "&lt; &amp; <b>a &amp; b</b>"


def test_only_elements_without_content_close_themselves():
    assert element("path", d="M0 0") == '<path d="M0 0"/>'
    assert element("td") == "<td></td>"
    assert element("svg", view_box="0 0 1 1", aria_hidden="true", role=None) == (
        '<svg viewBox="0 0 1 1" aria-hidden="true"></svg>'
    )


def test_a_table_names_its_rows_and_columns():
    made = ElementTree.fromstring(table(["", "a"], [["<x>", 1]]))
    assert [cell.text for cell in made.iter("th")] == [None, "a", "<x>"]
    assert [cell.text for cell in made.iter("td")] == ["1"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0.0, "0"),
        (0.5, "0.5"),
        (0.0012345, "0.00123"),
        (36.52, "36.5"),
        (1e4, "10,000"),
    ],
)
def test_numbers_have_three_digits_that_count(value, shown):
    assert number(value) == shown


def test_words_stay_words():
    assert number("auto") == "auto"
    assert isinstance(element("p"), Markup)
