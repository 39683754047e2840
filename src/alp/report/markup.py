"""Markup: elements of HTML and SVG whose text is escaped unless it is markup itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_EMPTY = frozenset({"circle", "line", "meta", "path", "rect"})
# What XML does not allow even escaped: most control characters, and halves of pairs.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Markup(str):
    """Text that is markup already; any other string is escaped when it becomes a child."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Return a value as escaped text.

    >>> text("<u&i>")
    '&lt;u&amp;i&gt;'
    """
    if isinstance(value, Markup):
        return value
    return Markup(escape(_FORBIDDEN.sub("\ufffd", str(value)), quote=True))


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """Return an element; `class_` is the attribute class, other underscores become hyphens.

    >>> element("p", "1 < 2", class_="note")
    '<p class="note">1 &lt; 2</p>'
    """
    given = "".join(
        f' {_attribute_name(name)}="{escape(_FORBIDDEN.sub(" ", str(value)), quote=True)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _EMPTY and not children:
        return Markup(f"<{tag}{given}/>")
    return Markup(f"<{tag}{given}>{joined(children)}</{tag}>")


def joined(parts: Iterable[object], between: str = "") -> Markup:
    """Return parts one after another, each escaped unless it is markup."""
    return Markup(text(between).join(text(part) for part in parts))


def table(head: Sequence[object], rows: Iterable[Sequence[object]], **attributes: object) -> Markup:
    """Return a table; the first cell of each row names it."""
    body = (
        element("tr", element("th", row[0], scope="row"), *(element("td", c) for c in row[1:]))
        for row in rows
    )
    top = element("tr", *(element("th", cell, scope="col") for cell in head))
    whole = element("table", element("thead", top), element("tbody", *body), **attributes)
    return element("div", whole, class_="wide")


def number(value: object) -> str:
    """Return a value as people read it: three digits that count, – for what is undefined.

    >>> number(0.00630957), number(182.43), number(16500.0), number(None)
    ('0.00631', '182', '16,500', '–')
    """
    if value is None:
        return "–"
    if not isinstance(value, int | float):
        return str(value)
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def count(things: int, name: str) -> str:
    """Return how many there are, one or several.

    >>> count(1, "user"), count(2000, "batch")
    ('1 user', '2,000 batches')
    """
    plural = name + ("es" if name.endswith("ch") else "s")
    return f"{things:,} {name if things == 1 else plural}"


def share(part: int, whole: int) -> str:
    """Return a part as a percentage that no line end divides.

    >>> share(3, 20).split(), share(0, 0)
    (['15', '%'], '–')
    """
    return f"{100 * part / whole:.0f}\u00a0%" if whole else "–"


def _attribute_name(name: str) -> str:
    # SVG spells this one in camel case and minds it.
    return "viewBox" if name == "view_box" else name.rstrip("_").replace("_", "-")
