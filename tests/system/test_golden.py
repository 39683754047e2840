"""The authors' own numbers, through the command line."""

import json
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

import alp
from alp.cli import run
from alp.places import find_pois

GOLDEN = Path(__file__).parents[3] / "shared" / "design" / "golden_day.csv"
pytestmark = [
    pytest.mark.golden,
    pytest.mark.skipif(not GOLDEN.is_file(), reason="the golden day is not beside the repository"),
]

# α, records, first lat, first lon, first and last time (ms), POI F, coverage, vertex, segment_ref
TABLE = """
0 2880 39.9000652 116.4000756 1467331200000 1467417570000 1 1 0 0
50 426 39.9001532 116.4005107 1467360030000 1467400320000 0 0.974684 26.595303 1.728574
100 211 39.9002413 116.4009457 1467360030000 1467400290000 0 0.974026 28.173086 1.853094
200 104 39.9005486 116.4017615 1467360060000 1467400230000 0 0.917808 27.034278 3.247964
300 68 39.9007965 116.4026014 1467360090000 1467400170000 0 0.855072 27.734813 3.350237
500 39 39.9013544 116.4042495 1467360150000 1467400140001 0 0.666667 29.362334 2.733253
"""
METRICS = (
    "poi-retrieval(reading=literal)",
    "area-coverage",
    "spatial-distortion",
    "spatial-distortion(mode=segment_ref)",
)


@pytest.mark.parametrize("line", TABLE.strip().splitlines(), ids=lambda line: line.split()[0])
def test_promesse_gives_the_authors_numbers(tmp_path, capsys, line):
    alpha, records, lat, lon, first, last, *values = line.split()
    out = str(tmp_path / "out.csv")
    mercator = ("--geometry", "mercator")
    arguments = ("-m", "promesse", "--set", f"alpha={alpha}", *mercator, "--quiet")
    assert run(["protect", str(GOLDEN), out, *arguments]) == 0
    rows = [row.split(",") for row in Path(out).read_text().splitlines()[1:]]
    assert len(rows) == int(records)
    assert [f"{float(x):.7f}" for x in rows[0][2:]] == [lat, lon]
    times = [datetime.fromisoformat(row[1]) for row in (rows[0], rows[-1])]
    assert [round(t.timestamp() * 1000) for t in times] == [int(first), int(last)]
    metrics = [word for m in METRICS for word in ("--metric", m)]
    assert run(["evaluate", str(GOLDEN), out, *mercator, "--json", *metrics]) == 0
    (trace,) = json.loads(capsys.readouterr().out)["traces"]
    for label, value in zip(METRICS, values, strict=True):
        digits = len(value.partition(".")[2])
        assert round(trace["values"][label], digits) == float(value)


def test_the_pois_are_the_authors():
    pois = find_pois(alp.read(GOLDEN).using("mercator")["u"])
    assert pois.sizes.tolist() == [962, 411, 111, 527, 99, 577]
    lat, lon = pois.degrees()
    expected = [39.9000015, 39.9224951, 39.9251691, 39.9224993, 39.9359829, 39.9000015]
    assert np.round(lat, 7).tolist() == expected
    expected = [116.4000016, 116.4727244, 116.4785435, 116.4727323, 116.4351931, 116.3999996]
    assert np.round(lon, 7).tolist() == expected


@pytest.mark.parametrize("domain", [None, {"alpha": "0,linear(50,500,1)"}])
def test_auto_reaches_the_exhaustive_optimum_in_each_of_40_seeds(domain):
    trace = alp.read(GOLDEN)["u"]
    best = alp.tune(trace, "promesse", domain=domain, search="grid", seed=0)
    for seed in range(40):
        found = alp.tune(trace, "promesse", domain=domain, seed=seed)
        assert (found.parameters, found.cost) == (best.parameters, best.cost)
