"""Degrees ↔ metre columns: the sphere, and the authors' Mercator plane."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from alp.errors import UnknownNameError

Floats: TypeAlias = NDArray[np.float64]
Points: TypeAlias = tuple[Floats, Floats, Floats]
"""Three columns in metres."""


class Geometry(ABC):
    """How degrees become metre columns, and what distance means between them.

    Kernels compare straight distances between columns; `chord` turns a distance into one, and
    `lengths` turns squared straight distances back.
    """

    name: str
    radius_m: float
    """The sphere's radius for kernels; 0 says that the columns lie in a plane."""

    @abstractmethod
    def to_points(self, lat: Floats, lon: Floats) -> Points:
        """Return the metre columns of locations in degrees."""

    @abstractmethod
    def to_degrees(self, points: Points) -> tuple[Floats, Floats]:
        """Return (latitudes, longitudes), longitudes in [−180, 180)."""

    @abstractmethod
    def chord(self, distance_m: float) -> float:
        """Return the straight distance between points that are `distance_m` apart."""

    @abstractmethod
    def directions(self, points: Points, east: Floats, north: Floats) -> Points:
        """Return displacements (east, north) at each point as columns, for `travel`."""

    @abstractmethod
    def travel(self, points: Points, directions: Points, scale: float = 1.0) -> Points:
        """Return each point moved by `scale` times its direction."""

    @abstractmethod
    def vectors(self, points: Points) -> Points:
        """Return vectors from the centre of the Earth, for S2 cells."""

    def ground_scale(self, lat: Floats) -> Floats:
        """Return how many ground metres one unit is at each latitude."""
        return np.ones_like(lat)

    def lengths(self, squares: Floats) -> Floats:
        """Return distances from squared straight distances."""
        from alp.kernels.metres import ground_lengths

        return ground_lengths(squares, self.radius_m)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return geometry_named, (self.name,)


class Sphere(Geometry):
    """Vectors from the Earth's centre: right at any latitude, with no seam and no pole."""

    name = "sphere"
    radius_m = 6_371_008.8

    def to_points(self, lat: Floats, lon: Floats) -> Points:
        """Return vectors of length `radius_m`."""
        from alp.kernels.metres import vectors

        return vectors(lat, lon, self.radius_m)

    def to_degrees(self, points: Points) -> tuple[Floats, Floats]:
        """Return degrees; a pole has longitude 0."""
        x, y, z = points
        return np.degrees(np.arctan2(z, np.hypot(x, y))), wrap(np.degrees(np.arctan2(y, x)))

    def chord(self, distance_m: float) -> float:
        """Return 2R·sin(d/2R), or infinity beyond half the circumference: nothing is that far."""
        half = distance_m / (2.0 * self.radius_m)
        return 2.0 * self.radius_m * math.sin(half) if half < math.pi / 2 else math.inf

    def directions(self, points: Points, east: Floats, north: Floats) -> Points:
        """Return tangent vectors."""
        from alp.kernels.laplace import tangents

        return tangents(*points, east, north, self.radius_m)

    def travel(self, points: Points, directions: Points, scale: float = 1.0) -> Points:
        """Return points moved along great circles."""
        from alp.kernels.laplace import travel

        return travel(*points, *directions, scale, self.radius_m)

    def vectors(self, points: Points) -> Points:
        """Return the points: they are vectors already."""
        return points


class Mercator(Geometry):
    """The authors' plane: spherical Mercator whose units are taken for metres.

    One unit is cos(latitude) ground metres. Use it to reproduce published numbers.
    """

    name = "mercator"
    radius_m = 0.0
    earth_m = 6_367_000.0
    max_lat = 89.9999  # the poles are infinitely far away

    def to_points(self, lat: Floats, lon: Floats) -> Points:
        """Return plane coordinates and a column of zeros."""
        phi = np.radians(np.clip(lat, -self.max_lat, self.max_lat))
        x = self.earth_m * np.radians(lon)
        return x, self.earth_m * np.log(np.tan(np.pi / 4 + phi / 2)), np.zeros_like(x)

    def to_degrees(self, points: Points) -> tuple[Floats, Floats]:
        """Return degrees."""
        x, y, _ = points
        lat = np.degrees(2.0 * np.arctan(np.exp(y / self.earth_m)) - np.pi / 2)
        return lat, wrap(np.degrees(x / self.earth_m))

    def chord(self, distance_m: float) -> float:
        """Return the distance itself."""
        return distance_m

    def directions(self, points: Points, east: Floats, north: Floats) -> Points:
        """Return (east, north, 0)."""
        return east, north, np.zeros_like(east)

    def travel(self, points: Points, directions: Points, scale: float = 1.0) -> Points:
        """Return points moved in straight lines."""
        x, y, z = points
        return x + scale * directions[0], y + scale * directions[1], z

    def vectors(self, points: Points) -> Points:
        """Return unit vectors by way of degrees."""
        return SPHERE.to_points(*self.to_degrees(points))

    def ground_scale(self, lat: Floats) -> Floats:
        """Return cos(latitude)."""
        return np.cos(np.radians(lat))


def wrap(lon: Floats) -> Floats:
    """Return longitudes in [−180, 180)."""
    inside = (lon >= -180.0) & (lon < 180.0)
    if inside.all():
        return lon
    # The remainder of a number just below −180 rounds up to 180 itself.
    turned = np.where(inside, lon, (lon + 180.0) % 360.0 - 180.0)
    return np.where(turned >= 180.0, -180.0, turned)


SPHERE = Sphere()
MERCATOR = Mercator()
GEOMETRIES: dict[str, Geometry] = {g.name: g for g in (SPHERE, MERCATOR)}


def geometry_named(name: str | Geometry) -> Geometry:
    """Return the geometry of that name."""
    if isinstance(name, Geometry):
        return name
    try:
        return GEOMETRIES[name]
    except KeyError:
        raise UnknownNameError("geometry", name, GEOMETRIES) from None
