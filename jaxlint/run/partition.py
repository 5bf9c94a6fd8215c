"""The jobs of a run, dealt out to workers in parts that become smaller towards the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from jaxlint.run.job import Job, Outcome

Part = Sequence[int]  # the numbers of jobs that a worker is given at once
Work = Callable[[Sequence[Job]], list[Outcome]]

# Bytes of files in a part that has more than one: less, the less is left.
LARGEST, SMALLEST = 40_000, 4_000
ROUNDS = 8  # parts that a worker would still get if they stayed as large
MOST = 32  # files of a part


@dataclass(frozen=True)
class Lots:
    """The jobs of a run, dealt out: for each worker that is of use the parts that are its own."""

    jobs: Sequence[Job]
    parts: Sequence[Sequence[Part]]

    def __len__(self) -> int:
        """How many parts there are."""
        return sum(map(len, self.parts))


Done = Future[tuple[Part, list[Outcome]]]


def deal(jobs: Sequence[Job], workers: int) -> Lots:
    """A lot of files that lie beside one another for each worker, as these import the same modules.

    One works to the end of its lot and the next one to the beginning, so that what they do for one another in the end
    lies between them.
    """
    sizes = [job.size for job in jobs]
    share = sum(sizes) / workers
    lots: list[list[int]] = [[] for _ in range(workers)]
    before = 0
    for at in sorted(range(len(jobs)), key=lambda at: os.path.split(jobs[at].filename)):
        lots[min(int((before + sizes[at] / 2) / share), workers - 1) if share else 0].append(at)
        before += sizes[at]
    return Lots(jobs, [_parts(lot[::-1] if number % 2 else lot, sizes) for number, lot in enumerate(lots) if lot])


def _parts(lot: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """A lot in parts that become smaller, so that no worker is still busy long after the others."""
    parts: list[list[int]] = []
    left = sum(sizes[at] for at in lot)
    room = 0.0
    for at in lot:
        if not parts or room < sizes[at] or len(parts[-1]) == MOST:
            parts.append([])
            room = min(LARGEST, max(SMALLEST, left / ROUNDS))
        parts[-1].append(at)
        room -= sizes[at]
        left -= sizes[at]
    return parts
