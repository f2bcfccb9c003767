"""Measures queries like our benchmarks: the fastest round of each query, then percentiles over the queries."""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from data import Question


@dataclass
class Times:
    p50: float
    p99: float
    found: float | None = None


def percentile(ascending: list[float], part: float) -> float:
    return ascending[min(max(math.ceil(len(ascending) * part) - 1, 0), len(ascending) - 1)]


def times(questions: list, ask: Callable, rounds: int = 5, seconds: float = 15) -> Times:
    """Microseconds per query. Uses fewer queries, but at least thirty, if all would take longer than `seconds`."""
    start = time.perf_counter()
    for question in questions[:5]:
        ask(question)
    each = (time.perf_counter() - start) / 5
    questions = questions[: max(30, int(seconds / max(each, 1e-9) / rounds))]
    best = [math.inf] * len(questions)
    order = list(range(len(questions)))
    shuffler = random.Random(7)
    clock = time.perf_counter_ns
    for _ in range(rounds):
        shuffler.shuffle(order)
        for place in order:
            question = questions[place]
            begin = clock()
            ask(question)
            took = clock() - begin
            if took < best[place]:
                best[place] = took
    ascending = sorted(value / 1000 for value in best)
    return Times(percentile(ascending, 0.5), percentile(ascending, 0.99))


def asked(
    questions: list[Question], ask: Callable[[str], list[int]], names: list[str], counts: bool, most: int = 200
) -> Times:
    """Measures a kind of query. With `counts`, also the share of at most `most` queries with the target in the first ten."""
    result = times([question.text for question in questions], ask)
    if counts:
        some = questions[:most]
        hits = sum(any(names[record] == question.meant for record in ask(question.text)) for question in some)
        result.found = hits / len(some)
    return result
