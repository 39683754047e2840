"""A page: one HTML file that needs nothing else, neither a network nor a script."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from alp.io import written_whole
from alp.report.markup import Markup, element, joined

# The browser itself then refuses whatever a page is not meant to load.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(title: str, lead: Iterable[object], sections: Iterable[Markup], foot: object) -> Markup:
    """Return a whole document: a title, what was done in plain words, the sections, a last line."""
    style = Markup((files("alp.report") / "page.css").read_text(encoding="utf-8"))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("title", title),
        element("style", style),
    )
    header = element("header", element("h1", title), *(element("p", words) for words in lead))
    body = element(
        "body", header, element("main", *sections), element("footer", element("p", foot))
    )
    return joined((Markup("<!DOCTYPE html>\n"), element("html", head, body, lang="en-GB")))


def write_page(
    path: str | Path,
    title: str,
    lead: Iterable[object],
    sections: Iterable[Markup],
    foot: object = "",
) -> None:
    """Write a page, whole or not at all; what was there is replaced."""
    content = page(title, lead, sections, foot)
    with written_whole(path) as temporary:
        Path(temporary).write_text(content + "\n", encoding="utf-8")
