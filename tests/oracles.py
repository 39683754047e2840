"""Plain, slow readings of the definitions, to compare the kernels with.

A place is a vector in metres, a row of an (n, 3) array: from the Earth's centre on the sphere, or
(x, y, 0) in the Mercator plane. Nothing here is shared with the kernels but the definitions.
"""

from __future__ import annotations

import math

import numpy as np

SPHERE_RADIUS_M = 6_371_008.8
MERCATOR_RADIUS_M = 6_367_000.0

_CHILDREN = ((0, 1, 3, 2), (0, 2, 3, 1), (3, 2, 0, 1), (3, 1, 0, 2))  # position → ij bits
_TURNS = (1, 0, 0, 3)


# — places and distances —


def vectors(geometry, lat, lon):
    """Return degrees as rows of vectors."""
    phi, lam = np.radians(np.asarray(lat, float)), np.radians(np.asarray(lon, float))
    if str(geometry) == "mercator":
        north = np.arcsinh(np.tan(phi))
        return MERCATOR_RADIUS_M * np.stack([lam, north, np.zeros_like(lam)], axis=-1)
    ring = np.cos(phi)
    unit = np.stack([ring * np.cos(lam), ring * np.sin(lam), np.sin(phi)], axis=-1)
    return SPHERE_RADIUS_M * unit


def rows(points):
    """Return the three columns of a trace as rows."""
    return np.stack(points, axis=-1)


def haversine(lat1, lon1, lat2, lon2):
    """Return the great-circle distance in metres."""
    phi1, phi2 = np.radians(lat1), np.radians(lat2)
    dlat, dlon = np.radians(np.subtract(lat2, lat1)), np.radians(np.subtract(lon2, lon1))
    h = np.sin(dlat / 2) ** 2 + np.cos(phi1) * np.cos(phi2) * np.sin(dlon / 2) ** 2
    return 2 * SPHERE_RADIUS_M * np.arcsin(np.sqrt(np.minimum(h, 1.0)))


def distance(geometry, p, q):
    """Return the distance between vectors: the angle between them, or a straight line."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    if str(geometry) == "mercator":
        return np.sqrt(straight_square(p, q))
    # The half-angle form is exact for near, far and opposite vectors alike.
    return 2 * SPHERE_RADIUS_M * np.arctan2(_norm(p - q), _norm(p + q))


def straight_square(p, q):
    """Return the squared straight distance, summed coordinate by coordinate."""
    d = np.asarray(p, float) - np.asarray(q, float)
    return d[..., 0] * d[..., 0] + d[..., 1] * d[..., 1] + d[..., 2] * d[..., 2]


def _norm(v):
    return np.sqrt(np.sum(v * v, axis=-1))


# — stays —


def stays(time, places, diameter_m, stay, geometry):
    """Return the stays as (start, end) pairs, by growing a candidate and popping its head."""
    found, candidate = [], []
    for index, place in enumerate(places):
        while candidate and (distance(geometry, places[candidate], place) > diameter_m).any():
            if _is_stay(time, candidate, stay):
                found.append((candidate[0], candidate[-1] + 1))
                candidate = []
            else:
                candidate.pop(0)
        candidate.append(index)
    if _is_stay(time, candidate, stay):
        found.append((candidate[0], candidate[-1] + 1))
    return found


def _is_stay(time, candidate, stay):
    return len(candidate) >= 2 and time[candidate[-1]] - time[candidate[0]] >= stay


def centroid(geometry, places):
    """Return the mean place, on the sphere if there is one."""
    mean = np.mean(places, axis=0)
    if str(geometry) == "mercator" or not mean.any():
        return mean
    return mean * (SPHERE_RADIUS_M / _norm(mean))


# — speed smoothing —


def step(geometry, p, q, length_m):
    """Return the place `length_m` from p on the way to q."""
    whole = distance(geometry, p, q)
    if str(geometry) == "mercator":
        return p + (q - p) * (length_m / whole)
    angle, part = whole / SPHERE_RADIUS_M, length_m / SPHERE_RADIUS_M
    mixed = p * (np.sin(angle - part) / np.sin(angle)) + q * (np.sin(part) / np.sin(angle))
    return mixed * (SPHERE_RADIUS_M / _norm(mixed))


def walk(time, places, alpha_m, geometry):
    """Return times and places emitted every `alpha_m`, and how near a decision came to a tie."""
    out, out_time, prev, margin = [places[0]], [time[0]], places[0], math.inf
    for when, place in zip(time[1:], places[1:], strict=True):
        left = distance(geometry, prev, place)
        margin = min(margin, abs(left / alpha_m - 1))
        while left >= alpha_m:
            prev = step(geometry, prev, place, alpha_m)
            out.append(prev)
            out_time.append(when)
            left = distance(geometry, prev, place)
            margin = min(margin, abs(left / alpha_m - 1))
    return np.array(out_time), np.array(out), margin


def promesse(time, places, alpha_m, geometry):
    """Return times and places of the smoothed trace."""
    if len(time) == 0 or alpha_m == 0:
        return time, places
    out_time, out, _ = walk(time, places, alpha_m, geometry)
    out_time, out = out_time[1:-1], out[1:-1]
    if len(out_time) >= 3:
        out_time = np.linspace(out_time[0], out_time[-1], len(out_time))
    return out_time, out


# — spatial distortion —


def distortion(real, protected, mode, geometry):
    """Return metres from each protected place to the real path."""
    one = {"vertex": _to_vertex, "segment_ref": _to_segment_ref, "polyline": _to_polyline}[mode]
    if len(real) == 1:
        one = _to_vertex
    return np.array([float(one(geometry, real, place)) for place in protected])


def _to_vertex(geometry, real, place):
    return distance(geometry, real, place).min()


def _to_segment_ref(geometry, real, place):
    squares = straight_square(real, place)
    vertex = int(np.argmin(squares))  # the first of equals
    before, after = vertex - 1, vertex + 1
    if before < 0:
        other = after
    elif after == len(real) or squares[before] <= squares[after]:
        other = before
    else:
        other = after
    return to_segments(geometry, real[[vertex]], real[[other]], place)[0]


def _to_polyline(geometry, real, place):
    return to_segments(geometry, real[:-1], real[1:], place).min()


def to_segments(geometry, a, b, place):
    """Return metres from one place to each segment a–b."""
    ends = np.minimum(distance(geometry, a, place), distance(geometry, b, place))
    if str(geometry) == "mercator":
        length = np.sum((b - a) ** 2, axis=1)
        share = np.sum((place - a) * (b - a), axis=1) / np.where(length > 0, length, 1)
        foot = a + np.clip(share, 0, 1)[:, None] * (b - a)
        return np.minimum(distance(geometry, foot, place), ends)
    # Walk the arc as a·cos s + R·tangent·sin s; the place is nearest at tan s = p·tangent / p·a.
    up = a / SPHERE_RADIUS_M
    tangent = (b - a) - np.sum((b - a) * up, axis=1)[:, None] * up
    tangent = tangent / np.maximum(_norm(tangent), 1e-300)[:, None]
    s = np.arctan2(np.sum(tangent * (place - a), axis=1), np.sum(up * place, axis=1))
    foot = a * np.cos(s)[:, None] + SPHERE_RADIUS_M * tangent * np.sin(s)[:, None]
    inside = (s > 0) & (s < distance(geometry, a, b) / SPHERE_RADIUS_M)
    return np.where(inside, np.minimum(distance(geometry, foot, place), ends), ends)


# — cells —


def s2_cell(lat, lon, level):
    """Return the S2 cell identifier of one location."""
    phi, lam = math.radians(lat), math.radians(lon)
    x, y, z = math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi)
    sizes = [abs(x), abs(y), abs(z)]
    face = sizes.index(max(sizes))
    face += 3 if (x, y, z)[face] < 0 else 0
    u, v = (
        lambda: (y / x, z / x),
        lambda: (-x / y, z / y),
        lambda: (-x / z, -y / z),
        lambda: (z / x, y / x),
        lambda: (z / y, -x / y),
        lambda: (-y / z, -x / z),
    )[face]()
    i, j = _unit_square(u), _unit_square(v)
    orientation, position = face & 1, 0
    for k in range(29, 29 - level, -1):
        digit = _CHILDREN[orientation].index(2 * (i >> k & 1) + (j >> k & 1))
        position, orientation = 4 * position + digit, orientation ^ _TURNS[digit]
    return (face << 61) | (position << (61 - 2 * level)) | (1 << (60 - 2 * level))


def _unit_square(w):
    st = 0.5 * math.sqrt(1 + 3 * w) if w >= 0 else 1 - 0.5 * math.sqrt(1 - 3 * w)
    return min(max(math.floor(2**30 * st), 0), 2**30 - 1)


def coverage(real, protected, level):
    """Return the Dice coefficient of the cells of two (lat, lon) pairs; None if both are empty."""
    first, second = (
        {s2_cell(lat, lon, level) for lat, lon in zip(*pair, strict=True)}
        for pair in (real, protected)
    )
    if not first and not second:
        return None
    return 2 * len(first & second) / (len(first) + len(second))


# — retrieval of points of interest —


def retrieval(reading, real, found, threshold_m, geometry):
    """Return the F-score of one of the four readings; 0 if either set is empty.

    >>> one, copies = np.zeros((1, 3)), np.array([[0, 0, 0], [9, 0, 0], [0, 9, 0]])
    >>> readings = ("literal", "accio", "symmetric", "matching")
    >>> [retrieval(reading, one, copies, 100, "mercator") for reading in readings]
    [1.5, 0.5, 1.0, 0.5]
    """
    if len(real) == 0 or len(found) == 0:
        return 0.0
    apart = np.array([[float(distance(geometry, p, q)) for p in real] for q in found])
    near = apart <= threshold_m  # a row per found place, a column per real one
    hits = sum(any(row) for row in near)
    if reading == "literal":
        return 2 * hits / (len(real) + len(found))
    if reading == "accio":
        exposed = {int(np.argmin(apart[q])) for q in range(len(found)) if any(near[q])}
        return 2 * len(exposed) / (len(real) + len(found))
    if reading == "matching":
        return 2 * _matching(near) / (len(real) + len(found))
    recall, precision = sum(any(column) for column in near.T) / len(real), hits / len(found)
    return 2 * recall * precision / (recall + precision) if hits else 0.0


def _matching(near):
    """Return the size of a maximum matching, one augmenting path at a time."""
    owner = {}

    def place(row, seen):
        for column in np.flatnonzero(near[row]):
            if column not in seen:
                seen.add(column)
                if column not in owner or place(owner[column], seen):
                    owner[column] = row
                    return True
        return False

    return sum(place(row, set()) for row in range(len(near)))
