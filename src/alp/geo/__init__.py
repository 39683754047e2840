"""Pure geometry on arrays: no users, no time."""

from alp.geo.geometry import GEOMETRIES, MERCATOR, SPHERE, Geometry, Points, geometry_named

__all__ = ["GEOMETRIES", "MERCATOR", "SPHERE", "Geometry", "Points", "geometry_named"]
