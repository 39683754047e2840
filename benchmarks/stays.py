"""Stays, beside trackintel's staypoints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alp.places import find_pois
from alp.trace import Trace
from benchmarks.clock import cpu_s
from benchmarks.data import copied, fresh_day, real_users, repeated_day
from benchmarks.table import Row, absent, compared, duration

MILLION = 1_000_000


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the time per million records: on the day repeated, and on real users."""
    size = MILLION // 5 if quick else MILLION
    yield from _beside_trackintel("the day repeated", [repeated_day(size)], fresh_day())
    users = list(real_users(size))
    if users:
        most = max(users, key=len)
        yield from _beside_trackintel("Geolife users", users, most.select(slice(2_880)))


def _beside_trackintel(name: str, traces: Sequence[Trace], few: Trace) -> Iterator[Row]:
    def find_all(given: Sequence[Trace]) -> None:
        for trace in given:
            find_pois(trace)

    records = sum(len(trace) for trace in traces)
    what = f"stays per million records, {name}"
    degrees_s = cpu_s(find_all, 3, lambda: [copied(t) for t in traces]) * MILLION / records
    ours_s = cpu_s(lambda: find_all(traces), 3) * MILLION / records
    yield Row(f"{what}, metre columns known", duration(ours_s))
    try:
        import trackintel
    except ImportError:
        yield absent(what, "trackintel", duration(degrees_s))
        return
    fixes = _positionfixes(trackintel, few)

    def theirs() -> int:
        # 15 minutes within 200 m, and a gap counts as presence: ours as nearly as it can be said.
        _, found = fixes.generate_staypoints(
            dist_threshold=200, time_threshold=15, gap_threshold=1e9, include_last=True
        )
        return len(found)

    peer_s = cpu_s(theirs, 2) * MILLION / len(few)
    both = f"{what}; {len(find_pois(few))} stays in {len(few):,} records, trackintel {theirs()}"
    yield compared(both, degrees_s, "trackintel", peer_s)


def _positionfixes(trackintel, trace: Trace):
    import geopandas
    import pandas

    table = geopandas.GeoDataFrame(
        {"user_id": 0, "tracked_at": pandas.to_datetime(trace.time_us, unit="us", utc=True)},
        geometry=geopandas.points_from_xy(trace.lon, trace.lat),
        crs="EPSG:4326",
    )
    return trackintel.Positionfixes(table)
