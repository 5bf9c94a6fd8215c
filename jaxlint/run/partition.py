"""The jobs of a run, divided among workers in chunks that become smaller towards the end (guided scheduling)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from jaxlint.run.job import Job, Outcome

Chunk = Sequence[int]  # the numbers of jobs that a worker is given at once
Work = Callable[[Sequence[Job]], list[Outcome]]

# Bounds in bytes for a chunk of several files; a chunk is smaller, the less is left.
MAX_BYTES, MIN_BYTES = 40_000, 4_000
ROUNDS = 8  # chunks that a worker would still get if they stayed as large
MAX_FILES = 32  # of a chunk


@dataclass(frozen=True)
class Partition:
    """The jobs of a run and, for each worker that has any, its chunks of them."""

    jobs: Sequence[Job]
    chunks: Sequence[Sequence[Chunk]]

    def __len__(self) -> int:
        """The number of chunks."""
        return sum(map(len, self.chunks))


Done = Future[tuple[Chunk, list[Outcome]]]


def partition(jobs: Sequence[Job], workers: int) -> Partition:
    """Neighbouring files for each worker, as these tend to import the same modules.

    Every second share is reversed: two workers finish at their common border, where the chunks are that one takes over from
    the other.
    """
    sizes = [job.size for job in jobs]
    bytes_per_worker = sum(sizes) / workers
    shares: list[list[int]] = [[] for _ in range(workers)]
    before = 0
    for number in sorted(range(len(jobs)), key=lambda number: os.path.split(jobs[number].filename)):
        middle = before + sizes[number] / 2
        shares[min(int(middle / bytes_per_worker), workers - 1) if bytes_per_worker else 0].append(number)
        before += sizes[number]
    return Partition(
        jobs, [_chunks(share[::-1] if at % 2 else share, sizes) for at, share in enumerate(shares) if share]
    )


def _chunks(share: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Chunks that become smaller, so that no worker is still busy long after the others."""
    chunks: list[list[int]] = []
    left = sum(sizes[number] for number in share)
    room = 0.0
    for number in share:
        if not chunks or room < sizes[number] or len(chunks[-1]) == MAX_FILES:
            chunks.append([])
            room = min(MAX_BYTES, max(MIN_BYTES, left / ROUNDS))
        chunks[-1].append(number)
        room -= sizes[number]
        left -= sizes[number]
    return chunks
