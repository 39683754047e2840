from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from alp.report import figures
from alp.report.axes import Axis, across, round_below, upward

HOSTILE = "<script>alert(1)</script>"
SERIES = {
    "plain": {"a": [0.0, 0.5, 1.0], "b": [0.2, None, 0.9]},
    "hostile": {HOSTILE: [1.0, 2.0]},
    "empty": {"a": []},
    "undefined": {"a": [None, None], "b": [1.0]},
    "constant": {"a": [0.0, 0.0]},
    "negative": {"a": [-3.0, 4.0]},
    "none at all": {},
    "many": {"a": list(np.linspace(0.0, 1.0, 5_000))},
}


def parsed(drawing):
    """Return a drawing read as XML, with the words that every one must have."""
    root = ElementTree.fromstring(drawing)
    assert root.tag == "svg"
    assert root.find("title").text
    assert root.find("desc").text
    return root


@pytest.mark.parametrize("series", SERIES.values(), ids=SERIES)
def test_a_distribution_is_well_formed_whatever_the_series(series):
    drawing = figures.cdf(HOSTILE, series, unit="m")
    root = parsed(drawing)
    assert "<script" not in drawing
    assert "nan" not in drawing
    drawn = [name for name, values in series.items() if any(v is not None for v in values)]
    assert len(root.findall("path")) == len(drawn)
    ElementTree.fromstring(figures.deciles(series))
    ElementTree.fromstring(figures.legend(list(series)))


def test_a_curve_with_undefined_values_ends_below_all():
    path = ElementTree.fromstring(figures.cdf("x", {"a": [1.0, None]})).find("path").get("d")
    top = float(path.rsplit("V", 1)[1].split("H")[0])
    assert top == pytest.approx(upward(Axis(0.0, 1.0), np.array([0.5]))[0], abs=0.1)


def test_a_long_curve_is_thinned_with_its_ends_kept():
    path = ElementTree.fromstring(figures.cdf("x", SERIES["many"])).find("path").get("d")
    assert path.count("V") == figures.MOST_STEPS
    assert path.endswith(f"H{across(Axis(0.0, 1.0), np.array([1.0]))[0]:.1f}")


def test_deciles_tell_least_median_most_and_how_many():
    made = ElementTree.fromstring(figures.deciles({"a": [3.0, None, 1.0, 2.0]}))
    cells = {row.find("th").text: row.find("td").text for row in made.find("table/tbody")}
    assert (cells["least"], cells["median"], cells["most"]) == ("1", "2", "3")
    assert cells["defined"] == "3 of 4"


@pytest.mark.parametrize("values", [[], [0.001], [0.1] * 4, [0.001, 0.01, 0.1, 5.0]])
@pytest.mark.parametrize("axis", [Axis(0.001, 0.1, log=True), Axis(0.0, 0.1)])
def test_a_histogram_counts_every_value_once(values, axis):
    _, counts = figures.binned(values, axis)
    assert counts.sum() == len(values)
    root = parsed(figures.histogram(HOSTILE, values, axis))
    assert len(root.findall("rect")) == np.count_nonzero(counts)
    made = ElementTree.fromstring(figures.bin_table(HOSTILE, values, axis))
    assert sum(int(cell.text) for cell in made.iter("td")) == len(values)


def test_a_value_on_an_edge_belongs_to_the_bin_above_it():
    edges, _ = figures.binned([], Axis(0.001, 0.1, log=True))
    _, counts = figures.binned(edges[:-1], Axis(0.001, 0.1, log=True))
    assert (counts == 1).all()


@pytest.mark.parametrize(
    ("axis", "ticks"),
    [
        (Axis(0.0, 1.0), [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (Axis(5.0, 500.0), [100, 200, 300, 400, 500]),
        (Axis(0.001, 0.1, log=True), [0.001, 0.003, 0.01, 0.03, 0.1]),
        (Axis(1.0, 1e6, log=True), [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
    ],
)
def test_ticks_are_round_and_within_the_axis(axis, ticks):
    assert axis.ticks() == pytest.approx(ticks)


def test_an_axis_around_nothing_still_has_a_length():
    assert Axis.around(np.empty(0)) == Axis(0.0, 1.0)
    assert Axis.around(np.array([5.0, 7.0]), (6.0, 6.0)) == Axis(5.0, 7.0)


@pytest.mark.parametrize("value", [1e-9, 0.99, 1.0, 3.3, 5.0, 12_345.0])
def test_round_numbers_are_below_but_not_far(value):
    assert value / 2.5 < round_below(value) * (1 + 1e-12)
    assert round_below(value) <= value * (1 + 1e-12)
