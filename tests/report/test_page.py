from __future__ import annotations

from xml.etree import ElementTree

import pytest

from alp.adapt import Settings, tune_batch
from alp.adapt.summary import summarise_batches
from alp.errors import OutputError
from alp.report import Treatment, sections, words, write_page
from alp.report.demo import portraits_of, whom_to_draw, write_demo_page
from alp.report.markup import element
from alp.report.treatment import metric_labels
from alp.town import Town
from alp.trace import Dataset, Trace

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def people(day, make_walk) -> Dataset:
    """Return two users, one of a hostile name, one without any stay."""
    return Dataset.of([Trace(HOSTILE, day.time_us, day.lat, day.lon), make_walk(user="bob")])


@pytest.fixture(scope="module")
def released(people) -> dict[str, list]:
    """Return both users protected by both mechanisms, with fixed parameters to be quick."""
    fixed = {"geo-i": {"domain": {"epsilon": "0.005,0.01"}}, "promesse": {"fixed": {"alpha": 200}}}
    return {
        name: [tune_batch(people[user], Settings.of(name, seed=1, **how)) for user in people]
        for name, how in fixed.items()
    }


@pytest.fixture(scope="module")
def treatments(released) -> list[Treatment]:
    """Return what was done, as reports take it."""
    made = []
    for name, tuned in released.items():
        rows = [t.as_row() for t in tuned]
        summary = summarise_batches(rows, rows) | {"mechanism": name, "per": "user", "seeded": True}
        made.append(Treatment(name, rows, summary))
    return made


@pytest.fixture(scope="module")
def demo_page(people, released, treatments, tmp_path_factory) -> str:
    """Return the text of a whole page."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    protected = {name: Dataset.of([t.protected for t in ts]) for name, ts in released.items()}
    portraits = portraits_of(whom_to_draw(treatments), people, protected)
    write_demo_page(path, Town(users=2), treatments, portraits, ["alp demo <x> --seed 0"], "1.2.3")
    return path.read_text(encoding="utf-8")


def test_a_page_needs_no_network_and_no_script(demo_page):
    lowered = demo_page.lower()
    for forbidden in ("http://", "https://", "<script", "url(", "@import", "javascript:", " src="):
        assert forbidden not in lowered


def test_a_page_is_well_formed_with_a_description_of_each_figure(demo_page):
    root = ElementTree.fromstring(demo_page.removeprefix("<!DOCTYPE html>\n"))
    drawings = [svg for svg in root.iter("svg") if svg.get("role") == "img"]
    assert len(drawings) == 3 + 2 + 2 * 3 + 3
    assert all(svg.find("title").text and svg.find("desc").text for svg in drawings)
    assert len(list(root.iter("details"))) == 3 + 2 + 2


def test_a_page_says_what_must_be_known(demo_page):
    for sentence in (
        "1 (50\u00a0%) had no POI to hide",
        "were released raw",
        "were suppressed",
        "Seeded: for experiments only",
        "voids formal guarantees",
        "moving average",
        "These people do not exist",
        "no theorem: only what was measured",
        "alp 1.2.3",
        "alp demo &lt;x&gt; --seed 0",
    ):
        assert sentence in demo_page


def test_sections_work_for_no_treatment_at_all():
    for made in (
        sections.summary_section([]),
        sections.cdf_section([]),
        sections.parameter_section([]),
        sections.guarantee_section([]),
        sections.map_section([], "Maps", "none"),
        sections.command_section(["alp"]),
    ):
        assert ElementTree.fromstring(made).tag == "section"
    assert whom_to_draw([]) == {}


def test_the_users_drawn_are_a_typical_one_and_the_least_hidden(treatments):
    assert set(whom_to_draw(treatments)) == {HOSTILE, "bob"}
    alone = Treatment("m", treatments[0].rows[:1], treatments[0].summary)
    assert list(whom_to_draw([alone])) == [HOSTILE]


def test_a_user_of_whom_nothing_was_released_has_an_empty_trace(people):
    (portrait,) = portraits_of({"bob": "why"}, people, {"m": Dataset.of([])})
    assert len(portrait.raw)
    assert len(portrait.protected["m"]) == 0


def test_treatments_know_units_domains_and_axes(treatments):
    geo_i, promesse = treatments
    assert geo_i.unit("epsilon") == "1/m"
    assert geo_i.axis("epsilon").log
    assert (promesse.axis("alpha").low, promesse.axis("alpha").high) == (5.0, 500.0)
    assert promesse.chosen("alpha") == [200.0, 200.0]
    stranger = Treatment("mine", geo_i.rows, geo_i.summary | {"mechanism": "not registered"})
    assert stranger.domain("epsilon") is None
    assert metric_labels(treatments)[:2] == ["poi-retrieval", "spatial-distortion"]


def test_the_words_for_several_labels_and_shares(treatments):
    summary = treatments[0].summary | {
        "guarantees": {"conditional": 1, "none": 1},
        "infeasible": 1,
        "suppressed": 1,
        "per": "day",
    }
    mixed = Treatment("m", treatments[0].rows, summary)
    assert words.guarantee_label(mixed) == "conditional (1), none (1)"
    assert "1 of 2 batches: published as it is" in " ".join(words.guarantees(mixed))
    assert "broke a limit" in " ".join(words.honest_sentences(mixed))
    assert "nothing of them is released" in " ".join(words.honest_sentences(mixed))


def test_a_page_replaces_the_one_before_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "p.html"
    for number in range(2):
        write_page(path, f"page {number}", ["lead"], [element("section")])
    assert "page 1" in path.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_that_cannot_be_written_is_an_output_error(tmp_path):
    with pytest.raises(OutputError, match=r"p\.html"):
        write_page(tmp_path / "missing" / "p.html", "t", [], [])
