"""Many files: lint or fix each, here or in worker processes, with one outcome for each in the order given.

A worker can die (the parser is native code, and the system may run out of memory). Which file it
was reading is then found by giving what is left to a new worker one file at a time; that file gets
a JAX902, all others their outcome.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Callable, Collection, Iterable, Optional, Sequence

from jaxlint import cache
from jaxlint.cache import Answers
from jaxlint.diagnostic import Diagnostic
from jaxlint.engine import UNUSED, Result, check_file, check_root, internal_error, with_calls
from jaxlint.job import Job, Outcome
from jaxlint.modules import Loader
from jaxlint.source import Source, SourceError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Tick = Callable[[int], None]

CHUNK = 8  # files a worker is given at once
SMALL_RUN = 12  # up to so many files are done before a pool has started
COLLECT_AFTER = 64  # files between two collections of garbage


def run(jobs: Sequence[Job], workers: int = 1, others: Collection[str] = (), tick: Tick = lambda count: None) -> list[Outcome]:
    """Do all jobs. The outcomes do not depend on ``workers``. ``tick`` is told how many more are done.

    ``others`` are files that another machine reads. What is found in them from here has outcomes of its own,
    behind those of the jobs, which name the file from which it was found.
    """
    global _answers
    _loaders.clear()
    _answers = Answers(time.time_ns())
    known = {at: outcome for at, job in enumerate(jobs) if job.cached and not job.fix and (outcome := _earlier(job))}
    tick(len(known))
    left = [job for at, job in enumerate(jobs) if at not in known]
    workers = 1 if any(job.asked is not None for job in left) else workers
    few = workers <= 1 or len(left) <= SMALL_RUN
    done = iter(_do_all(left, tick) if few else run_in_processes(left, workers, _do_all, tick))
    outcomes = [known[at] if at in known else next(done) for at in range(len(jobs))]
    for folder in sorted({job.config.cache for job in left if job.cached}):
        cache.prune(folder)
    if any(job.fix for job in jobs):
        from jaxlint import joint_fixes

        joint_fixes.apply(jobs, outcomes)
        for job, outcome in zip(jobs, outcomes):
            _write(job, outcome)
    return outcomes + _merge(outcomes, others)


_answers = Answers(0)
_loaders: dict[str, Loader] = {}


def _loader(root: str) -> Loader:
    """The one that serves all files of a project in this run."""
    if root not in _loaders:
        _loaders[root] = Loader(root)
    return _loaders[root]


def _merge(outcomes: list[Outcome], others: Collection[str] = ()) -> list[Outcome]:
    """Put what fails in an imported module where it fails, or at the call if that module is not in the run.

    Gives the outcomes of the files among ``others`` in which something fails.
    """
    away = {os.path.realpath(name): Outcome(name, []) for name in others}
    by_path = {os.path.realpath(outcome.filename): outcome for outcome in outcomes}
    _keep_what_is_needed(outcomes, by_path)
    for outcome in sorted(outcomes, key=lambda outcome: outcome.filename):  # whose reasons are told is no accident
        calls = []
        for each in outcome.elsewhere:
            home = by_path.get(place := os.path.realpath(each.diagnostic.filename), away.get(place))
            if home is None:
                calls.append(each)
                continue
            found = replace(each.diagnostic, filename=home.filename)
            key = found.code, found.start
            known = next((other for other in home.diagnostics if (other.code, other.start) == key), None)
            if known is None:
                home.diagnostics = sorted([*home.diagnostics, found], key=lambda diagnostic: diagnostic.sort_key)
                home.source = home.source or _source(home.filename)
                home.callers[key] = outcome.filename
            elif key in home.callers:
                home.diagnostics[home.diagnostics.index(known)] = known.agreed(found)
        outcome.diagnostics = with_calls(outcome.diagnostics, calls)
        outcome.elsewhere = []
    return [outcome for outcome in away.values() if outcome.diagnostics]


def _keep_what_is_needed(outcomes: list[Outcome], by_path: dict[str, Outcome]) -> None:
    """A comment that silences what another file of the run finds is of use."""
    silenced: dict[str, set[tuple[int, str]]] = {}
    for outcome in outcomes:
        for each in outcome.silenced:
            silenced.setdefault(os.path.realpath(each.filename), set()).add((each.row, each.code))
    for path, what in silenced.items():
        home = by_path.get(path)
        if home is not None and home.source is not None and any(each.code == UNUSED for each in home.diagnostics):
            from jaxlint.unused_suppressions import still_unused

            home.diagnostics = still_unused(home.source, home.diagnostics, what)


def _source(filename: str) -> Optional[Source]:
    try:
        return Source.read(filename)
    except SourceError:
        return None


def _earlier(job: Job) -> Optional[Outcome]:
    """What an earlier run found, if it is still true."""
    try:
        result = cache.load(job.config.cache, Source.read(job.filename), job.config, _answers)
    except SourceError:
        return None
    return None if result is None else _outcome(result)


def process(job: Job) -> Outcome:
    """Do one job. Raises nothing: whatever goes wrong is part of the outcome."""
    try:
        return _fix(job) if job.fix else _lint(job)
    except Exception as error:  # one file never ends a run
        return Outcome(job.filename, [internal_error(job.filename, "the run", error)])


def _lint(job: Job) -> Outcome:
    loader = _loader(job.config.root)
    loader.asked = set()
    if job.source is None:
        result = check_file(job.filename, job.config, loader)
    else:
        result = check_root(job.source, job.config, loader)
    if job.cached:
        cache.store(job.config.cache, result, job.config, loader.asked, _answers)
    return _outcome(result)


def _outcome(result: Result) -> Outcome:
    source = result.source if result.diagnostics or result.elsewhere else None
    return Outcome(
        result.filename, result.diagnostics, source, budget_reached=result.budget_reached, elsewhere=result.elsewhere,
        silenced=result.silenced,
    )  # fmt: skip


def _fix(job: Job) -> Outcome:
    """The file with its fixes, which nothing has written yet: other files are still to be read as they were."""
    from jaxlint.fixing import fix_source  # a run that only reports does without

    try:
        source = Source.read(job.filename) if job.source is None else job.source
    except SourceError:
        return _lint(job)
    loader = _loader(job.config.root)
    loader.asked = set()
    last: list[Result] = []

    def check(text: Source) -> list[Diagnostic]:
        last[:] = [check_root(text, job.config, loader)]
        return last[0].diagnostics

    done = fix_source(source, check, job.levels, job.asked, job.config.line_length)
    outcome = _outcome(last[0])
    outcome.diagnostics, outcome.source = done.remaining, done.source
    outcome.problem, outcome.banned, outcome.read = done.error, done.banned, loader.read_files
    if done.fixed:
        outcome.before, outcome.fixed, outcome.removed = source, done.fixed, done.removed
    return outcome


def _write(job: Job, outcome: Outcome) -> None:
    """Put the fixed text on the disk; where that fails, the outcome is that of the file as it was."""
    if not job.write or outcome.before is None or outcome.source is None:
        return
    from jaxlint.atomic import leads_out, write_atomic

    before = outcome.before
    try:
        if os.path.islink(job.filename) and leads_out(job.filename, job.config.root):
            real = os.path.realpath(job.filename)  # which may be anybody's: the link is part of what is linted
            raise SourceError(f"a link out of the project is not written through; fix {real} itself", job.filename)
        write_atomic(job.filename, outcome.source.encode(outcome.source.text), expected=before.raw)
    except SourceError as error:
        result = check_root(before, job.config, _loader(job.config.root))
        outcome.source, outcome.before, outcome.fixed, outcome.removed = before, None, [], []
        outcome.diagnostics, outcome.elsewhere, outcome.problem = result.diagnostics, result.elsewhere, error.message


def _do_all(jobs: Iterable[Job], tick: Tick = lambda count: None) -> list[Outcome]:
    # What a file leaves behind is mostly freed by reference counts; a full collection after every
    # few allocations would walk the parser and the rules each time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        outcomes = []
        for count, job in enumerate(jobs, 1):
            outcomes.append(process(job))
            tick(1)
            if count % COLLECT_AFTER == 0:
                gc.collect()
        return outcomes
    finally:
        if collecting:
            gc.enable()


def run_in_processes(
    jobs: Sequence[Job],
    workers: int,
    work: Callable[[list[Job]], list[Outcome]],
    tick: Tick = lambda count: None,
) -> list[Outcome]:
    """Like ``work(jobs)``, in ``workers`` processes; a process that dies costs its file alone."""
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    import jaxlint.semantics.interpret  # noqa: F401  (so that the workers that are forked need not)

    outcomes: dict[int, Outcome] = {}
    chunks = [range(start, min(start + CHUNK, len(jobs))) for start in range(0, len(jobs), CHUNK)]
    with _pool(min(workers, len(chunks))) as pool:
        futures = {}
        try:
            with suppress(BrokenProcessPool):  # a worker may die before all is handed out
                for chunk in chunks:
                    futures[pool.submit(work, [jobs[at] for at in chunk])] = chunk
            for future in as_completed(futures):
                try:
                    outcomes.update(zip(futures[future], future.result(), strict=True))
                    tick(len(futures[future]))
                except BrokenProcessPool:
                    pass  # which of the chunks in progress was the cause, the pool does not know
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    left = [at for at in range(len(jobs)) if at not in outcomes]
    while left:
        with _pool(1) as pool:
            try:
                while left:
                    (outcomes[left[0]],) = pool.submit(work, [jobs[left[0]]]).result()
                    left.pop(0)
                    tick(1)
            except BrokenProcessPool:
                at = left.pop(0)
                error = RuntimeError("the process that read this file died")
                outcomes[at] = Outcome(jobs[at].filename, [internal_error(jobs[at].filename, "the parser", error)])
    return [outcomes[at] for at in range(len(jobs))]


def _pool(workers: int) -> "ProcessPoolExecutor":
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Forked workers share what is imported. Where fork is not the system's own way it is not safe.
    method = "fork" if sys.platform == "linux" else None
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context(method), initializer=_start_worker)


def _start_worker() -> None:
    import signal

    # An interrupt goes to the whole process group; the parent ends the run.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
