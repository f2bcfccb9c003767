"""Searches of the ten nearest places."""

import math
import sqlite3

import numpy
from scipy.spatial import cKDTree

Place = tuple[float, float]


def on_sphere(place: Place) -> tuple[float, float, float]:
    latitude, longitude = math.radians(place[0]), math.radians(place[1])
    return (
        math.cos(latitude) * math.cos(longitude),
        math.cos(latitude) * math.sin(longitude),
        math.sin(latitude),
    )


class KDTree:
    title = "scipy cKDTree"

    def __init__(self, places: list[Place]):
        self.tree = cKDTree(numpy.array([on_sphere(place) for place in places]))

    def ask(self, place: Place):
        return self.tree.query(on_sphere(place), k=10)[1]


class RTree:
    """SQLite's R*Tree: a growing box until it contains ten places, sorted by distance."""

    title = "SQLite R*Tree"

    def __init__(self, places: list[Place]):
        self.places = places
        self.database = sqlite3.connect(":memory:", isolation_level=None)
        self.database.execute("CREATE VIRTUAL TABLE place USING rtree(id, south, north, west, east)")
        self.database.executemany(
            "INSERT INTO place VALUES (?, ?, ?, ?, ?)", ((n, a, a, o, o) for n, (a, o) in enumerate(places))
        )

    def ask(self, place: Place):
        latitude, longitude = place
        half = 1.0
        while True:
            wide = half / max(math.cos(math.radians(latitude)), 0.05)
            rows = self.database.execute(
                "SELECT id FROM place WHERE south >= ? AND north <= ? AND west >= ? AND east <= ?",
                (latitude - half, latitude + half, longitude - wide, longitude + wide),
            ).fetchall()
            if len(rows) >= 10 or half > 64:
                break
            half *= 2
        stretch = math.cos(math.radians(latitude))
        near = sorted(
            (self.places[row[0]][0] - latitude) ** 2 + ((self.places[row[0]][1] - longitude) * stretch) ** 2
            for row in rows
        )
        return near[:10]


PEERS = [KDTree, RTree]
