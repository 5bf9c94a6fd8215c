"""What a word that is not known was probably meant to be."""

from __future__ import annotations

import os
from collections.abc import Iterable

# Above what two different words of the same kind have in common: one wrong letter in a code of six, not two.
LIKENESS = 0.75


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that ``word`` is a misspelling of; None where none is close."""
    return next((choice for choice, _ in near(word, choices)), None)


def near(word: str, choices: Iterable[str]) -> list[tuple[str, float]]:
    """The choices that are close to ``word`` with their likeness, the closest first, and of equally close ones that which begins most alike."""
    found = [(choice, each) for choice in dict.fromkeys(choices) if (each := _likeness(word, choice)) >= LIKENESS]
    return sorted(found, key=lambda pair: (-pair[1], -len(os.path.commonprefix([word, pair[0]])), pair[0]))


def _likeness(one: str, other: str) -> float:
    """Similarity of two words: 1 less their edit distance (with transpositions) as a share of the longer word."""
    longest = max(len(one), len(other), 1)
    if abs(len(one) - len(other)) > (1 - LIKENESS) * longest:
        return 0.0
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one):
        earlier, before, row = before, row, [at + 1]
        for place, theirs in enumerate(other):
            cost = min(before[place + 1] + 1, row[place] + 1, before[place] + (letter != theirs))
            if at and place and letter == other[place - 1] and one[at - 1] == theirs:
                cost = min(cost, earlier[place - 1] + 1)
            row.append(cost)
    return 1 - row[-1] / longest
