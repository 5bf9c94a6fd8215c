"""Where the work of a run is done: in processes of this machine or on a cluster, each a ``concurrent.futures.Executor``.

A worker can die (the parser is native code, and the system may run out of memory). Which file it
was reading is then found by giving what is left to a new worker one file at a time; that file gets
a JAX902, all others their outcome.
"""

from __future__ import annotations

import functools
import gc
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import suppress
from typing import Callable, Optional, Sequence

from jaxlint.config import Config
from jaxlint.engine import check_source, internal_error
from jaxlint.job import Job, Outcome
from jaxlint.source import Source

Work = Callable[[Sequence[Job]], list[Outcome]]
Start = Callable[[int], Executor]  # is told how many workers are of use

# Bytes of files that a worker is given at once, where there is more than one: less, the less is left.
LARGEST, SMALLEST = 100_000, 4_000
ROUNDS = 3  # parts that each worker would still get if they stayed as large
MOST = 32  # files that a worker is given at once

# To lint this loads the parser, the rules and most of what is known of JAX.
_FIRST = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return jax.numpy.sum(x)\n    return jax.lax.exp(x)\n"


def named(executor: Optional[str]) -> Start:
    """What starts the executor of an address such as ``dask://HOST:PORT``; without one, processes of this machine."""
    if executor is None:
        return processes
    from jaxlint.cluster import Cluster

    return functools.partial(Cluster, executor)


def run(
    start: Start, jobs: Sequence[Job], workers: int, work: Work, arrived: Callable[[Sequence[int], Sequence[Outcome]], None]
) -> None:
    """Do ``work`` on all jobs; ``arrived`` is told the numbers of jobs that are done, and their outcomes."""
    left = set(range(len(jobs)))
    parts = _parts([job.size for job in jobs], workers)
    with start(min(workers, len(parts))) as executor:
        futures: dict[Future[list[Outcome]], list[int]] = {}
        try:
            with suppress(BrokenExecutor):  # a worker may die before all is handed out
                for part in parts:
                    futures[executor.submit(work, [jobs[at] for at in part])] = part
            for future in as_completed(futures):
                with suppress(BrokenExecutor):  # which of the parts in progress was the cause, the executor does not know
                    arrived(futures[future], future.result())
                    left.difference_update(futures[future])
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
    while left:
        with start(1) as executor, suppress(BrokenExecutor):
            for at in sorted(left):
                left.remove(at)
                try:
                    outcomes = executor.submit(work, [jobs[at]]).result()
                except BrokenExecutor:
                    error = RuntimeError("the process that read this file died")
                    arrived([at], [Outcome(jobs[at].filename, [internal_error(jobs[at].filename, "the parser", error)])])
                    raise
                arrived([at], outcomes)


def _parts(sizes: Sequence[int], workers: int) -> list[list[int]]:
    """The numbers of the jobs in parts, the largest first, so that no worker is still busy long after the others."""
    parts: list[list[int]] = []
    left = sum(sizes)
    room = 0.0
    for at in sorted(range(len(sizes)), key=lambda at: -sizes[at]):
        if not parts or room < sizes[at] or len(parts[-1]) == MOST:
            parts.append([])
            room = min(LARGEST, max(SMALLEST, left / (workers * ROUNDS)))
        parts[-1].append(at)
        room -= sizes[at]
        left -= sizes[at]
    return parts


def processes(workers: int) -> ProcessPoolExecutor:
    """Processes of this machine."""
    import multiprocessing

    # Forked workers share what is loaded. Where fork is not the system's own way it is not safe.
    method = "fork" if sys.platform == "linux" else None
    if method == "fork":
        check_source(Source.from_text(_FIRST, "first.py"), Config())
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context(method), initializer=_start_worker)


def _start_worker() -> None:
    import signal

    # An interrupt goes to the whole process group; the parent ends the run.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.disable()  # between two parts of the work as well: `do_all` collects now and then
