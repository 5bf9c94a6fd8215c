"""Fixes across files: a module fails because of the way another file of the run calls it.

The analysis of the calling file finds the hazard, and the called file is the one to change. So
the files of a run are first fixed each on its own, and then together, pass by pass, until no fix is left: the
fixes that any file has found are applied to the file that they edit, and the files that read it are linted again.
Fixes that lead to a finding without a fix are undone; if a file has several, they are then applied one by one. No file
is written meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.fixing.apply import MAX_PASSES, MAX_TRIALS, Refused, Step, is_offered, take, without_unused_imports
from jaxlint.fixing.picked import of_places
from jaxlint.fixing.trial import leads_to, new_findings, objection
from jaxlint.project import resolver
from jaxlint.run.job import Job, Outcome
from jaxlint.run.pipeline import check_root
from jaxlint.source.diagnostic import Applicability, Diagnostic, RemoteFix
from jaxlint.source.reading import read_source
from jaxlint.source.text import SourceError

if TYPE_CHECKING:
    from jaxlint.configuration.config import Config
    from jaxlint.run.importers import Importers
    from jaxlint.run.pipeline import CrossFileDiagnostic
    from jaxlint.source.text import Source


def apply(jobs: Sequence[Job], outcomes: Sequence[Outcome], importers: Importers | None) -> None:
    """Apply the fixes of findings that other files have made. The outcomes are changed in place."""
    _CrossFileFixes(jobs, outcomes, importers).run()


def tried(
    source: Source, found: Sequence[Diagnostic], config: Config, only: Collection[Diagnostic] | None = None
) -> list[Diagnostic]:
    """The findings of a source as a report shows them: a fix of another file that does not stand its trial is shown only.

    With ``only``, the fixes of some findings are tried.
    """
    return [
        each
        if each.remote is None or (only is not None and each not in only)
        else replace(each, remote=_tried(source, found, each, each.remote, config))
        for each in found
    ]


def _tried(
    source: Source, found: Sequence[Diagnostic], each: Diagnostic, remote: RemoteFix, config: Config
) -> RemoteFix:
    moved, levels = _moved(each, remote), {Applicability.SAFE, Applicability.UNSAFE}
    try:
        other = resolver.read(remote.filename)
    except SourceError:
        return remote
    step = take(other, [moved] if is_offered(moved, levels) else [], levels, None, config.width)
    if not step.applied:
        return remote
    own = {os.path.realpath(source.filename): source}

    def checked(edited: Source) -> tuple[list[Diagnostic], list[Diagnostic]]:
        with resolver.edited({**own, os.path.realpath(remote.filename): edited}):
            roots = [check_root(root, config, resolver.loader(config.project)) for root in (edited, source)]
            return roots[0].diagnostics, roots[1].diagnostics

    (before, _), (after, left) = checked(other), checked(step.source)
    new = new_findings(source, found, [each], source, left)
    why = objection(other, [*before, moved], [moved], step.source, after, levels)
    if new or why:
        refused = Refused()
        refused.add(other, moved, why or leads_to(source, new[0]))
        (moved,) = refused.shown(other, [moved])
    return remote if moved.fix is None else remote._replace(fix=moved.fix)


def _moved(each: Diagnostic, remote: RemoteFix) -> Diagnostic:
    """A finding whose fix edits another file, as one of that file, where the fix begins."""
    filename, start, fix = remote
    return replace(each, filename=filename, start=start, end=start, fix=fix, remote=None)


class _CrossFileFixes:
    def __init__(self, jobs: Sequence[Job], outcomes: Sequence[Outcome], importers: Importers | None) -> None:
        self.jobs = jobs
        self.importers = importers
        self.outcomes = outcomes
        self.at = {os.path.realpath(job.filename): at for at, job in enumerate(jobs) if job.source is None}
        self.refused = [Refused() for _ in jobs]
        self.alone: set[int] = set()  # files whose fixes are made one by one
        self.trials = 0

    def run(self) -> None:
        """Pass after pass; where they come to no end, the files stay as they are each for itself."""
        own = [(outcome.source, outcome.before, outcome.fixed[:], outcome.removed[:]) for outcome in self.outcomes]
        changed = {path for path, at in self.at.items() if self.outcomes[at].before is not None}
        stale = self._readers(changed)
        codes: set[str] = set()
        passes = 0
        self._lint(stale)
        while passes < MAX_PASSES:
            made = self._pass(stale)
            if not made:
                self._show_refused()
                return
            codes = {each.code for one in made for each in one.applied}
            stale = self._linted(made)
            taken_back = [one for one in made if self._is_taken_back(one)]
            self._linted(taken_back)
            passes += len(taken_back) < len(made)
        for at, outcome in enumerate(self.outcomes):
            if outcome.source is not own[at][0]:
                outcome.source, outcome.before, outcome.fixed, outcome.removed = own[at]
                why = f"the fixes of {', '.join(sorted(codes))} were taken back: they do not come to an end in {MAX_PASSES} passes"
                outcome.problem = "; ".join(filter(None, [outcome.problem, why]))
        self._lint(set(self.at.values()))

    def _readers(self, changed: set[str]) -> set[int]:
        """The files that were linted with what other files held before they changed."""
        return {at for at, outcome in enumerate(self.outcomes) if outcome.read & changed}

    def _lint(self, stale: set[int]) -> None:
        texts = {
            path: source
            for path, at in self.at.items()
            if self.outcomes[at].before is not None and (source := self.outcomes[at].source) is not None
        }
        with resolver.edited(texts):
            for at in sorted(stale):
                job, outcome = self.jobs[at], self.outcomes[at]
                if outcome.source is None:
                    continue
                loader = resolver.loader(job.config.project)
                result = check_root(outcome.source, job.config, loader)
                outcome.diagnostics, outcome.elsewhere = result.diagnostics, result.elsewhere
                outcome.silenced, outcome.budget_reached = result.silenced, result.budget_reached
                outcome.read = loader.read_files

    def _pass(self, stale: set[int]) -> list[_FilePass]:
        """Apply what goes together."""
        made = []
        for at in range(len(self.jobs)):
            found = self._found(at)
            own = () if at in stale and not self.jobs[at].is_importer else set(self.outcomes[at].diagnostics)
            usable = [each for each in found if each not in own and is_offered(each, self.jobs[at].levels)]
            one = self._fix(at, found, usable) if usable else None
            if one is not None:
                made.append(one)
        return made

    def _found(self, at: int) -> list[Diagnostic]:
        """All findings in a file: its own, and those that others show."""
        found = {(each.code, each.start): each for each in self.outcomes[at].diagnostics}
        own = set(found)
        for outcome in sorted(self.outcomes, key=lambda outcome: outcome.filename):
            for each in outcome.elsewhere:
                if self.at.get(os.path.realpath(each.diagnostic.filename)) != at or not self.jobs[at].fix:
                    continue
                if not self._is_reported_there(outcome, each):
                    continue
                key = (each.diagnostic.code, each.diagnostic.start)
                if key in found and key not in own:
                    found[key] = found[key].agreed(each.diagnostic)
                found.setdefault(key, each.diagnostic)
        return [*found.values(), *self._from_afar(at)]

    def _from_afar(self, at: int) -> list[Diagnostic]:
        """Findings of other files that this one is to be fixed for, put where their fixes begin."""
        findings = [
            each for outcome in self.outcomes
            for each in (*outcome.diagnostics, *(other.diagnostic for other in outcome.elsewhere))
        ]  # fmt: skip
        return [
            _moved(each, remote._replace(filename=self.jobs[at].filename))
            for each in findings
            if (remote := each.remote) is not None
            and self.jobs[at].fix
            and self.at.get(os.path.realpath(remote.filename)) == at
        ]

    def _linted(self, made: list[_FilePass]) -> set[int]:
        """Lints what has changed, and what reads it."""
        stale = self._readers({os.path.realpath(self.jobs[one.at].filename) for one in made}) | {one.at for one in made}
        self._lint(stale)
        return stale

    def _is_taken_back(self, one: _FilePass) -> bool:
        """Takes the fixes of a pass back if they lead to something new."""
        outcome, job = self.outcomes[one.at], self.jobs[one.at]
        assert outcome.source is not None
        why = objection(one.source, one.found, one.applied, outcome.source, self._found(one.at), job.levels)
        if not why:
            return False
        outcome.source, outcome.before, outcome.fixed, outcome.removed = one.earlier
        self.trials += 1
        if len(one.applied) > 1 and self.trials < MAX_TRIALS:
            self.alone.add(one.at)
        else:
            for each in one.applied:
                self.refused[one.at].add(one.source, each, why)
        return True

    def _show_refused(self) -> None:
        if not self.trials:
            return
        for at, outcome in enumerate(self.outcomes):
            if outcome.source is not None:
                outcome.diagnostics = self.refused[at].shown(outcome.source, outcome.diagnostics)
            outcome.elsewhere = [
                each
                if (home := self.at.get(os.path.realpath(each.diagnostic.filename))) is None
                else each._replace(diagnostic=self.refused[home].shown(self._source(home), [each.diagnostic])[0])
                for each in outcome.elsewhere
            ]

    def _source(self, at: int) -> Source:
        source = self.outcomes[at].source
        return source if source is not None else read_source(self.jobs[at].filename)

    def _is_reported_there(self, outcome: Outcome, found: CrossFileDiagnostic) -> bool:
        return self.importers is None or os.path.realpath(outcome.filename) in self.importers.of(
            found.diagnostic.filename
        )

    def _fix(self, at: int, found: list[Diagnostic], offered: list[Diagnostic]) -> _FilePass | None:
        """One pass over one file."""
        job, outcome, source = self.jobs[at], self.outcomes[at], self._source(at)
        usable = self.refused[at].without(source, [each for each in offered if each.code not in outcome.banned])
        if job.places:
            usable = of_places(job.places, usable, outcome.before or source, source)
        if at in self.alone:
            usable = usable[:1]

        def taken() -> Step:
            return take(source, usable, job.levels, job.asked, job.config.width)

        step = job.asked.through(taken) if job.asked else taken()
        for said in step.taken_back:
            if said not in (outcome.problem or ""):
                outcome.problem = "; ".join(filter(None, [outcome.problem, said]))
        if not step.applied:
            return None
        earlier = outcome.source, outcome.before, outcome.fixed, outcome.removed
        outcome.before = outcome.before or source
        outcome.source, removed = without_unused_imports(outcome.before, step.source)
        outcome.fixed = [*outcome.fixed, *step.applied]
        outcome.removed = [*outcome.removed, *removed]
        return _FilePass(at, source, found, step.applied, earlier)


class _FilePass(NamedTuple):
    """The fixes of one file in one pass, and what the file was before."""

    at: int
    source: Source
    found: list[Diagnostic]
    applied: list[Diagnostic]
    earlier: tuple[Source | None, Source | None, list[Diagnostic], list[str]]
