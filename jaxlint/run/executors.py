"""Where the work of a run is done: in processes of this machine or on a cluster, each a ``concurrent.futures.Executor``.

A worker can die (the parser is native code, and the system may run out of memory). Which file it
was reading is then found by giving what is left to a new worker one file at a time; that file gets
a JAX902, all others their outcome.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from jaxlint.configuration.config import Config
from jaxlint.run.job import Job, Outcome
from jaxlint.run.partition import Chunk, Done, Partition, Work, partition
from jaxlint.run.pipeline import check_source, internal_error
from jaxlint.source.text import Source

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self


class Workers(Protocol):
    """An executor whose ``submit`` does work on a chunk that no worker has taken yet."""

    def submit(self, work: Work, /) -> Done: ...

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...


Start = Callable[[Partition], Workers]

# To lint this loads the parser, the rules and most of what is known of JAX.
_FIRST = (
    "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return jax.numpy.sum(x)\n    return jax.lax.exp(x)\n"
)


def named(executor: str | None) -> Start:
    """What starts the executor of an address such as ``dask://HOST:PORT``; without one, processes of this machine."""
    if executor is None:
        return Processes
    from jaxlint.run.cluster import Cluster

    return functools.partial(Cluster, executor)


def run(
    start: Start,
    jobs: Sequence[Job],
    workers: int,
    work: Work,
    arrived: Callable[[Sequence[int], Sequence[Outcome]], None],
) -> None:
    """Do ``work`` on all jobs; ``arrived`` is told the numbers of jobs that are done, and their outcomes."""
    left = set(range(len(jobs)))
    divided = partition(jobs, workers)
    for sources in {job.config.sources for job in jobs}:
        sources.of("")  # looked for here once, and not by each worker
    with start(divided) as executor:
        try:
            futures: list[Done] = []
            with suppress(BrokenExecutor):  # a worker may die before all is handed out
                for _ in range(len(divided)):
                    futures.append(executor.submit(work))
            for future in as_completed(futures):
                # Which of the chunks in progress was the cause, the executor does not know.
                with suppress(BrokenExecutor):
                    chunk, outcomes = future.result()
                    arrived(chunk, outcomes)
                    left.difference_update(chunk)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
    while left:
        remaining = sorted(left)
        with start(Partition(jobs, [[[at] for at in remaining]])) as executor, suppress(BrokenExecutor):
            for at in remaining:
                left.remove(at)
                try:
                    _, outcomes = executor.submit(work).result()
                except BrokenExecutor:
                    error = RuntimeError("the process that read this file died")
                    arrived(
                        [at], [Outcome(jobs[at].filename, [internal_error(jobs[at].filename, "the parser", error)])]
                    )
                    raise
                arrived([at], outcomes)


class Processes(ProcessPoolExecutor):
    """Processes of this machine: one for each share, which takes over chunks of the others once its own are done."""

    def __init__(self, divided: Partition) -> None:
        import multiprocessing

        # Forked workers share what is loaded. Where fork is not the system's own way it is not safe.
        method = "fork" if sys.platform == "linux" else None
        if method == "fork":
            check_source(Source.from_text(_FIRST, "first.py"), Config())
        context = multiprocessing.get_context(method)
        left = context.Array("l", [edge for chunks in divided.chunks for edge in (0, len(chunks))])
        super().__init__(len(divided.chunks), context, _start_worker, (divided, left, context.Value("l")))

    def submit(self, work: Work, /) -> Done:  # type: ignore[override]
        """Do ``work`` on a chunk. Raises BrokenProcessPool where a worker has died."""
        future = super().submit(_do_next, work)
        # Before Python 3.12.1 nothing ends a future that is added while the executor gives up the others.
        if self._broken:
            raise BrokenProcessPool(str(self._broken))
        return future


# Of a worker: the partition, the bounds of the chunks in each share that no worker has taken yet, and its own share.
_divided: Partition
_left: Any
_own: int


def _start_worker(divided: Partition, left: Any, workers: Any) -> None:
    import signal

    global _divided, _left, _own
    _divided, _left = divided, left
    with workers.get_lock():
        _own = workers.value
        workers.value += 1
    # An interrupt goes to the whole process group; the parent ends the run.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.disable()  # between two parts of the work as well: `do_all` collects now and then


def _do_next(work: Work) -> tuple[Chunk, list[Outcome]]:
    """Do work on the next chunk of the own share; where none is left, on the last one of the share that has most."""
    with _left.get_lock():
        counts = [end - start for start, end in zip(_left[::2], _left[1::2])]
        share = _own if counts[_own] else counts.index(max(counts))
        if share == _own:
            at = _left[2 * share]
            _left[2 * share] += 1
        else:
            at = _left[2 * share + 1] = _left[2 * share + 1] - 1
    chunk = _divided.chunks[share][at]
    return chunk, work([_divided.jobs[number] for number in chunk])
