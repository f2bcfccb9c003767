"""Estimates the popularity of airports from several signals."""

from math import log10

from liveness import is_scheduled
from sources import Point, by_hand

PASSENGERS = {row["code"]: row for row in by_hand("passengers.tsv")}

#: The minimum passengers per year of a capital's main airport (capitals.tsv).
CAPITAL_FLOOR = 250_000
#: The maximum estimate by type. The page rank of small airfields with many air taxis (Alaska, Papua) is far above their
#: traffic.
UNKNOWN_CEILING = {"large_airport": 600_000.0, "medium_airport": 400_000.0, "small_airport": 20_000.0}
UNSCHEDULED_CEILING = 5_000.0


def known_passengers(code: str) -> float | None:
    row = PASSENGERS.get(code)
    if row is None:
        return None
    millions = float(row["millions"])
    return millions * 1e6 * (0.2 if row["note"] == "suspended" else 1.0)


def signals(point: Point, city: Point | None, airports_py: dict) -> list[float]:
    """The signals of an airport at a similar scale; the first is the constant."""
    row = airports_py.get(point.code, {})
    runway = str(row.get("runway_length") or "0").replace(",", "")
    try:
        runway = min(max(float(runway), 0.0), 16_000.0)
    except ValueError:
        runway = 0.0
    kind = row.get("type", "")
    languages = len({name.language for name in point.names})
    population = city.population if city else point.population
    return [
        1.0,
        log10(max(point.page_rank, 0.002) / 0.002),
        1.0 if kind == "large_airport" else 0.0,
        1.0 if kind == "medium_airport" else 0.0,
        1.0 if is_scheduled(point.code, airports_py) else 0.0,
        runway / 10_000.0,
        log10(max(population, 1000) / 1000.0),
        log10(1 + languages),
    ]


def fit(examples: list[tuple[list[float], float]]) -> list[float]:
    """The least-squares weights from the normal equations with a small ridge term."""
    n = len(examples[0][0])
    matrix = [[sum(x[i] * x[j] for x, _ in examples) + (0.5 if i == j else 0.0) for j in range(n)] for i in range(n)]
    vector = [sum(x[i] * y for x, y in examples) for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(matrix[r][i]))
        matrix[i], matrix[pivot], vector[i], vector[pivot] = matrix[pivot], matrix[i], vector[pivot], vector[i]
        for r in range(i + 1, n):
            factor = matrix[r][i] / matrix[i][i]
            matrix[r] = [a - factor * b for a, b in zip(matrix[r], matrix[i])]
            vector[r] -= factor * vector[i]
    weights = [0.0] * n
    for i in reversed(range(n)):
        weights[i] = (vector[i] - sum(matrix[i][j] * weights[j] for j in range(i + 1, n))) / matrix[i][i]
    return weights


class Model:
    """Estimates passengers per year from the signals, fitted to airports with known figures.

    Known airports are mostly large. Airfields without scheduled service are therefore added as examples of 100
    passengers, and airports with scheduled service but a minimal page rank as examples of 10,000.
    """

    def __init__(self, airports: dict[str, Point], cities: dict[str, Point | None], airports_py: dict):
        self.airports_py = airports_py
        examples = []
        for code in sorted(airports):
            known = known_passengers(code)
            x = signals(airports[code], cities[code], airports_py)
            if known:
                examples.append((x, log10(known)))
            elif not is_scheduled(code, airports_py):
                examples.append((x, 2.0))
            elif x[1] == 0.0:
                examples.append((x, 4.0))
        self.weights = fit(examples)
        mean = sum(y for _, y in examples) / len(examples)
        residual = sum((y - self.logarithm(x)) ** 2 for x, y in examples)
        self.explained = 1.0 - residual / sum((y - mean) ** 2 for _, y in examples)

    def logarithm(self, x: list[float]) -> float:
        return sum(w * v for w, v in zip(self.weights, x))

    def passengers(self, point: Point, city: Point | None) -> float:
        known = known_passengers(point.code)
        if known:
            return known
        scheduled = is_scheduled(point.code, self.airports_py)
        estimate = 10.0 ** self.logarithm(signals(point, city, self.airports_py))
        kind = self.airports_py.get(point.code, {}).get("type", "")
        return min(estimate, UNKNOWN_CEILING.get(kind, 20_000.0) if scheduled else UNSCHEDULED_CEILING)


def popularity(passengers: float, most: float) -> float:
    """0…1 on a logarithmic scale from ten passengers per year to those of the busiest airport."""
    return round(min(max((log10(max(passengers, 10.0)) - 1.0) / (log10(most) - 1.0), 0.0), 1.0), 4)
