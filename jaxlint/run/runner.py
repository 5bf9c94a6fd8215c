"""Many files: lint or fix each, here or where an executor does the work, with one outcome for each in the order given."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from jaxlint.project import resolver
from jaxlint.project.resolver import Disk, looking_at
from jaxlint.run.job import Job, Outcome
from jaxlint.source.reading import read_source
from jaxlint.source.text import Source, SourceError

if TYPE_CHECKING:
    from jaxlint.run.cache import Entry
    from jaxlint.run.importers import Importers
    from jaxlint.run.pipeline import Result
    from jaxlint.source.text import Position

Tick = Callable[[int], None]
_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")

SMALL_RUN = 30_000  # bytes of files that are looked through before a cache is open
LARGE_RUN = 120_000  # bytes of files from which on processes gain more than it takes to start them
# So many objects (some hundred bytes each) lie between two collections of garbage.
COLLECT_OBJECTS = 500_000
# Each so many collections also look at what outlived the last ones: files are forgotten where there are too many.
LOOK_AT_ALL = 4
PRUNE_EVERY = 60  # seconds between two looks for old entries of a cache, in a process that runs many files one by one


def run(
    jobs: Sequence[Job],
    workers: int = 1,
    tick: Tick = lambda count: None,
    executor: str | None = None,
    importers: Importers | None = None,
) -> list[Outcome]:
    """Do all jobs. The outcomes depend neither on ``workers`` nor on ``executor``. ``tick`` is told how many more are done.

    ``executor`` is the address of a cluster; without one, jobs that pay for it go to as many processes as ``workers``
    says. ``importers`` says which other files decide what is reported in a file; without it, only files of the run do.
    Behind the outcomes of the jobs come those of other files in which something fails because of them. Raises ConfigError
    for a cluster that cannot be used.
    """
    others = [] if importers is None else importers.jobs(jobs)
    return merge(run_apart([*jobs, *others], workers, tick, executor, importers), anywhere=importers is not None)


def run_apart(
    jobs: Sequence[Job],
    workers: int = 1,
    tick: Tick = lambda count: None,
    executor: str | None = None,
    importers: Importers | None = None,
) -> list[Outcome]:
    """Do all jobs as ``run`` does; what fails in one file because of another one is still to be merged."""
    edited = {os.path.realpath(job.filename): job.source for job in jobs if job.source is not None}
    with resolver.edited(edited) if edited else looking_at(Disk()):
        earlier = _Earlier(jobs)
        outcomes = dict(earlier.outcomes)
        left = [at for at in range(len(jobs)) if at not in outcomes]

        def arrived(places: Sequence[int], found: Sequence[Outcome]) -> None:
            for place, outcome in zip(places, found, strict=True):
                earlier.keep(left[place], outcome)
                outcomes[left[place]] = outcome
            tick(len(found))

        tick(len(outcomes))
        todo = [jobs[at] for at in left]
        asks = any(job.asked is not None for job in todo)
        if not todo or asks or (executor is None and (workers <= 1 or _is_small(todo))):
            for place, outcome in enumerate(one_by_one(process, todo)):
                arrived([place], [outcome])
        else:
            from jaxlint.run import executors

            executors.run(executors.named(executor), todo, workers, do_all, arrived)
        earlier.prune()
        done = [outcomes[at] for at in range(len(jobs))]
        for job, outcome in zip(jobs, done):
            outcome.is_importer = job.is_importer
        if any(job.fix for job in jobs):
            from jaxlint.run import cross_file_fixes

            cross_file_fixes.apply(jobs, done, importers)
            for job, outcome in zip(jobs, done):
                _write(job, outcome)
        if importers is not None:
            asked = any(outcome.elsewhere for outcome in done)
            paths = {each.filename: os.path.realpath(each.filename) for each in done} if asked else {}
            own = {
                (paths[each.filename], found.code, found.start) for each in done if asked for found in each.diagnostics
            }
            for outcome in done:
                report_at_calls(outcome, importers, own)
        return done


def report_at_calls(
    outcome: Outcome, importers: Importers, own: Container[tuple[str, str, Position]] = frozenset()
) -> None:
    """Move what fails in files that are not of the project, or do not seem to be imported, to the calls that lead there.

    What an importer shows that is not among those that are analysed with a file is left out, and so is what files of the run
    show of themselves: ``own``, by their real paths, codes and places.
    """
    if not outcome.elsewhere:
        return
    from jaxlint.run.pipeline import with_calls

    root = os.path.realpath(outcome.filename)
    calls = [each for each in outcome.elsewhere if root not in importers.of(each.diagnostic.filename)]
    if calls:
        outcome.elsewhere = [each for each in outcome.elsewhere if each not in calls]
        calls = [
            each
            for each in calls
            if root not in importers.left_out(found := each.diagnostic.filename)
            and (os.path.realpath(found), each.diagnostic.code, each.diagnostic.start) not in own
        ]
        outcome.diagnostics = with_calls(outcome.diagnostics, calls)


class _Earlier:
    """What earlier runs found and is still true, by the number of the job; and what later runs are to find."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.outcomes: dict[int, Outcome] = {}
        self._jobs = jobs
        self._entries: dict[int, Entry] = {}  # of what is to be kept
        self._fixes = any(job.fix for job in jobs)
        began = time.time_ns()
        asked = [at for at, job in enumerate(jobs) if job.cached and not job.fix]
        # A few files are looked through in less time than it takes to open the cache.
        if asked and sum(job.size for job in jobs) <= SMALL_RUN and all(map(_is_skipped, jobs)):
            self.outcomes = {at: Outcome(job.filename, []) for at, job in enumerate(jobs)}
        elif asked:
            from jaxlint.run import cache

            self._answers = cache.Answers(began)
            for at in asked:
                self._look_up(at, jobs[at])

    def _look_up(self, at: int, job: Job) -> None:
        try:
            source = read_source(job.filename)
        except SourceError:
            return
        from jaxlint.run import cache

        entry = cache.entry_of(source, job.config, job.noqa, job.tried)
        outcome = cache.load(entry, source, self._answers)
        if outcome is None:
            self._entries[at] = entry
        else:
            outcome.is_known = True
            self.outcomes[at] = outcome

    def keep(self, at: int, outcome: Outcome) -> None:
        """Keep the outcome of a job, unless jaxlint failed, and forget what it was found with."""
        if at in self._entries and outcome.asked is not None:
            from jaxlint.run import cache

            cache.store(self._jobs[at].config.cache, self._entries[at], outcome, self._answers)
        if self._fixes:
            outcome.read = frozenset(
                os.path.realpath(path) for question, path in outcome.asked or () if question == "text"
            )
        outcome.asked = None

    def prune(self) -> None:
        for folder in sorted({self._jobs[at].config.cache for at in self._entries}):
            if time.monotonic() >= _next_pruning.get(folder, 0):
                from jaxlint.run import cache

                cache.prune(folder)
                _next_pruning[folder] = time.monotonic() + PRUNE_EVERY


def _is_small(jobs: Sequence[Job]) -> bool:
    """Whether to do the jobs takes hardly longer than with processes that are started for them."""
    return len(jobs) == 1 or sum(job.size for job in jobs) <= LARGE_RUN


def merge(outcomes: list[Outcome], others: Collection[str] = (), *, anywhere: bool = False) -> list[Outcome]:
    """The outcomes of a run: each finding where it fails, as ``placed`` puts it, with the fixes that the run can make."""
    done = placed(outcomes, others, anywhere)
    if any(each.remote is not None for outcome in done for each in outcome.diagnostics):
        from dataclasses import replace

        from jaxlint.source.diagnostic import Applicability

        own = {
            os.path.realpath(name) for name in (*others, *(each.filename for each in outcomes if not each.is_importer))
        }
        for outcome in done:
            outcome.diagnostics = [
                each
                if (remote := each.remote) is None or os.path.realpath(remote.filename) in own
                else replace(each, remote=remote._replace(fix=remote.fix.lowered(Applicability.DISPLAY)))
                for each in outcome.diagnostics
            ]
    return done


def placed(outcomes: list[Outcome], others: Collection[str] = (), anywhere: bool = False) -> list[Outcome]:
    """Put what fails in an imported module where it fails, or at the call if that module is not in the run.

    ``others`` are files of the run that another machine reads. ``anywhere``: what files of the run show is put into files
    that are not part of it as well. Gives the outcomes of the files of the run, and behind them those of the others in which
    something fails.
    """
    run = [outcome for outcome in outcomes if not outcome.is_importer]
    if not others and not any(outcome.diagnostics or outcome.elsewhere or outcome.silenced for outcome in outcomes):
        return run
    from dataclasses import replace

    from jaxlint.run.pipeline import with_calls
    from jaxlint.source.diagnostic import Applicability

    by_path = {os.path.realpath(outcome.filename): outcome for outcome in run}
    away = {os.path.realpath(name): Outcome(name, []) for name in others}
    unread: set[str] = set()
    _keep_what_is_needed(outcomes, by_path)
    called = set()  # what was put into a file: whose, and what
    for outcome in sorted(outcomes, key=lambda outcome: outcome.filename):  # whose reasons are told is no accident
        calls = []
        for each in outcome.elsewhere:
            home = by_path.get(place := os.path.realpath(each.diagnostic.filename), away.get(place))
            if home is None and anywhere and not outcome.is_importer:
                home = away[place] = Outcome(each.diagnostic.filename, [])
                unread.add(place)
            if home is None:
                calls.append(each)
                continue
            found = replace(each.diagnostic, filename=home.filename)
            if place in unread and found.fix is not None:  # a run changes its own files alone
                found = replace(found, fix=found.fix.lowered(Applicability.DISPLAY))
            key = found.code, found.start
            known = next((other for other in home.diagnostics if (other.code, other.start) == key), None)
            if known is None:
                home.diagnostics = sorted([*home.diagnostics, found], key=lambda diagnostic: diagnostic.sort_key)
                home.source = home.source or _source(home.filename)
                called.add((id(home), *key))
            elif known.convention and not found.convention:  # the file that is linted as a root only presumes it
                home.diagnostics[home.diagnostics.index(known)] = found
                called.add((id(home), *key))
            elif (id(home), *key) in called:
                home.diagnostics[home.diagnostics.index(known)] = known.agreed(found)
        outcome.diagnostics = with_calls(outcome.diagnostics, calls)
        outcome.elsewhere = []
    if any(outcome.silenced for outcome in outcomes):
        _count_silenced(outcomes, by_path)
    return [*run, *(outcome for outcome in away.values() if outcome.diagnostics)]


def _keep_what_is_needed(outcomes: list[Outcome], by_path: dict[str, Outcome]) -> None:
    """A comment that silences what another file of the run finds is of use."""
    from jaxlint.run.pipeline import UNUSED

    used: dict[str, set[tuple[int, int]]] = {}
    for outcome in outcomes:
        for each in outcome.silenced:
            for spot in each.by:
                used.setdefault(os.path.realpath(spot.filename), set()).add((spot.row, spot.column))
    for path, places in used.items():
        home = by_path.get(path)
        if home is not None:
            home.diagnostics = [each for each in home.diagnostics if each.code != UNUSED or each.start not in places]
            home.silenced = [each for each in home.silenced if each.code != UNUSED or each.place[1:] not in places]


def _count_silenced(outcomes: list[Outcome], by_path: dict[str, Outcome]) -> None:
    """Keep one record of each finding that comments silence, and none of one that is found on another way as well."""
    found = {
        (each.code, os.path.realpath(each.filename), *each.start)
        for outcome in outcomes
        for each in outcome.diagnostics
    }
    for outcome in outcomes:
        kept = []
        for each in outcome.silenced:
            is_in_run = os.path.realpath(each.place.filename) in by_path
            if outcome.is_importer and not is_in_run:
                continue
            place = each.place if each.call is None or is_in_run else each.call
            key = (each.code, os.path.realpath(place.filename), place.row, place.column)
            if key not in found:
                found.add(key)
                kept.append(each)
        outcome.silenced = kept


def _source(filename: str) -> Source | None:
    try:
        return read_source(filename)
    except SourceError:
        return None


def process(job: Job) -> Outcome:
    """Do one job. Raises nothing: whatever goes wrong is part of the outcome."""
    try:
        return _fix(job) if job.fix else _lint(job)
    except Exception as error:  # one file never ends a run
        from jaxlint.run.pipeline import internal_error

        return Outcome(job.filename, [internal_error(job.filename, "the run", error)])


def _lint(job: Job) -> Outcome:
    loader = resolver.loader(job.config.project)
    if _is_skipped(job):
        outcome = Outcome(job.filename, [])
        outcome.asked = loader.asked
        return outcome
    from jaxlint.run.pipeline import check_file, check_root  # and with it what knows JAX

    if job.source is None:
        result = check_file(job.filename, job.config, loader, job.noqa)
    else:
        result = check_root(job.source, job.config, loader, noqa=job.noqa)
    source = result.source
    if job.tried and source is not None and any(each.shown_fix is not None for each in result.diagnostics):
        from jaxlint.fixing.apply import tried
        from jaxlint.run import cross_file_fixes
        from jaxlint.run.on_trial import OnTrial

        texts = OnTrial(job.config, loader, job.noqa, result)
        found = cross_file_fixes.tried(source, result.diagnostics, job.config)
        result.diagnostics = tried(source, found, texts.check, job.config.width, judge=texts.judge, values=texts.values)
    outcome = _outcome(result)
    if result.source is not None and not result.error:
        outcome.asked = loader.asked
    return outcome


def _is_skipped(job: Job) -> bool:
    """Whether the file can be read, and there is nothing to be found in it."""
    try:
        source = resolver.read(job.filename) if job.source is None else job.source
    except SourceError:
        return False
    return resolver.is_of_no_concern(source, job.config.conventions, resolver.loader(job.config.project))


def _outcome(result: Result) -> Outcome:
    source = result.source if result.diagnostics or result.elsewhere else None
    return Outcome(
        result.filename, result.diagnostics, source, budget_reached=result.budget_reached, elsewhere=result.elsewhere,
        silenced=result.silenced, presumed=result.presumed,
    )  # fmt: skip


def _fix(job: Job) -> Outcome:
    """The file with its fixes, which nothing has written yet: other files are still to be read as they were."""
    from jaxlint.fixing.apply import fix_source  # a run that only reports does without
    from jaxlint.run.on_trial import OnTrial

    try:
        source = resolver.read(job.filename) if job.source is None else job.source
    except SourceError:
        return _lint(job)
    loader = resolver.loader(job.config.project)
    texts = OnTrial(job.config, loader)
    done = fix_source(
        source,
        texts.check,
        job.levels,
        job.asked,
        job.config.width,
        texts.judge,
        values=texts.values,
        places=job.places,
    )
    outcome = _outcome(texts.result(done.source))
    outcome.diagnostics, outcome.source = done.remaining, done.source
    outcome.problem, outcome.banned, outcome.asked = done.error, done.banned, loader.asked
    if done.fixed:
        outcome.before, outcome.fixed, outcome.removed = source, done.fixed, done.removed
    return outcome


def _write(job: Job, outcome: Outcome) -> None:
    """Put the fixed text on the disk; where that fails, the outcome is that of the file as it was."""
    if not job.write or outcome.before is None or outcome.source is None:
        return
    from jaxlint.source.files import write_atomic

    before = outcome.before
    try:
        write_atomic(job.filename, outcome.source.encode(outcome.source.text), job.config.root, expected=before.raw)
    except SourceError as error:
        from jaxlint.run.pipeline import check_root

        result = check_root(before, job.config, resolver.loader(job.config.project))
        outcome.source, outcome.before, outcome.fixed, outcome.removed = before, None, [], []
        outcome.diagnostics, outcome.elsewhere, outcome.problem = result.diagnostics, result.elsewhere, error.message
        outcome.silenced = result.silenced


def do_all(jobs: Iterable[Job]) -> list[Outcome]:
    """The outcomes of the jobs, in this process."""
    return list(one_by_one(process, jobs))


def one_by_one(do: Callable[[_Piece], _Result], pieces: Iterable[_Piece]) -> Iterator[_Result]:
    """Do each piece of work, and look for garbage now and then."""
    # What a file leaves behind is mostly freed by reference counts; a full collection after every
    # few allocations would walk the parser and the rules each time.
    global _collections
    collecting = gc.isenabled()
    gc.disable()
    begun = frozen = False
    try:
        for piece in pieces:
            yield do(piece)
            if gc.get_count()[0] > COLLECT_OBJECTS:
                if not begun:
                    # To count takes as long as to collect; where the collector was off, others have frozen.
                    begun, frozen = True, not collecting or gc.get_freeze_count() > 0
                _collections += 1
                if _collections % LOOK_AT_ALL == 0:
                    gc.unfreeze()
                    gc.collect()
                else:
                    gc.collect(0)  # what has been made since
                gc.freeze()  # what is left are files that are kept, and modules
    finally:
        if not begun:
            frozen = not collecting or gc.get_freeze_count() > 0
        if not frozen:
            # What is left counts as old from here on: the collector does not look through it as soon as it is on again.
            gc.freeze()
            gc.unfreeze()
        if collecting:
            gc.enable()


_collections = 0
_next_pruning: dict[str, float] = {}
