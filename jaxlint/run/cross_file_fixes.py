"""Fixes that take more than one file: what fails in a module because of how another file of the run calls it.

The file that calls is the one whose analysis finds it, and the file that is called is the one to change. So
the files of a run are first fixed each for itself, and then together, pass by pass, until nothing is left: the
fixes that any file has found go into the file where they stand, and what has read that file is linted anew.
Nothing is written meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.fixing.apply import MAX_PASSES, Step, take, without_unused_imports
from jaxlint.fixing.picked import of_places
from jaxlint.project import resolver
from jaxlint.run.job import Job, Outcome
from jaxlint.run.pipeline import check_root
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.reading import read_source

if TYPE_CHECKING:
    from jaxlint.run.importers import Importers
    from jaxlint.run.pipeline import CrossFileDiagnostic


def apply(jobs: Sequence[Job], outcomes: Sequence[Outcome], importers: Importers | None) -> None:
    """Apply the fixes of findings that other files have made. The outcomes are changed in place."""
    _Together(jobs, outcomes, importers).run()


class _Together:
    def __init__(self, jobs: Sequence[Job], outcomes: Sequence[Outcome], importers: Importers | None) -> None:
        self.jobs = jobs
        self.importers = importers
        self.outcomes = outcomes
        self.at = {os.path.realpath(job.filename): at for at, job in enumerate(jobs) if job.source is None}

    def run(self) -> None:
        """Pass after pass; where they come to no end, the files stay as they are each for itself."""
        own = [(outcome.source, outcome.before, outcome.fixed[:], outcome.removed[:]) for outcome in self.outcomes]
        changed = {path for path, at in self.at.items() if self.outcomes[at].before is not None}
        stale = self._readers(changed)
        codes: set[str] = set()
        for _ in range(MAX_PASSES):
            self._lint(stale)
            changed, codes = self._pass(stale)
            if not changed:
                return
            stale = self._readers(changed) | {self.at[path] for path in changed}
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
                outcome.diagnostics, outcome.elsewhere, outcome.silenced = (
                    result.diagnostics,
                    result.elsewhere,
                    result.silenced,
                )
                outcome.budget_reached, outcome.read = result.budget_reached, loader.read_files

    def _pass(self, stale: set[int]) -> tuple[set[str], set[str]]:
        """Apply what goes together; says which files changed, and by fixes of which rules."""
        found: dict[int, dict[tuple[str, object], Diagnostic]] = {}
        for at in stale:
            if self.jobs[at].is_importer:
                continue
            found[at] = {(each.code, each.start): each for each in self.outcomes[at].diagnostics}
        own = [set(found.get(at, ())) for at in range(len(self.jobs))]
        for outcome in sorted(self.outcomes, key=lambda outcome: outcome.filename):
            for each in outcome.elsewhere:
                home = self.at.get(os.path.realpath(each.diagnostic.filename))
                if home is None or not self.jobs[home].fix or not self._is_reported_there(outcome, each):
                    continue
                here, key = found.setdefault(home, {}), (each.diagnostic.code, each.diagnostic.start)
                if key in here and key not in own[home]:
                    here[key] = here[key].agreed(each.diagnostic)
                here.setdefault(key, each.diagnostic)
        changed: set[str] = set()
        codes: set[str] = set()
        for at, diagnostics in sorted(found.items()):
            applied = self._fix(self.jobs[at], self.outcomes[at], list(diagnostics.values()))
            if applied:
                changed.add(os.path.realpath(self.jobs[at].filename))
                codes |= applied
        return changed, codes

    def _is_reported_there(self, outcome: Outcome, found: CrossFileDiagnostic) -> bool:
        return self.importers is None or os.path.realpath(outcome.filename) in self.importers.of(
            found.diagnostic.filename
        )

    def _fix(self, job: Job, outcome: Outcome, found: list[Diagnostic]) -> set[str]:
        """One pass over one file; the codes of the fixes it applied."""
        source = outcome.source if outcome.source is not None else read_source(job.filename)
        usable = [each for each in found if each.code not in outcome.banned]
        if job.places:
            usable = of_places(job.places, usable, outcome.before or source, source)

        def taken() -> Step:
            return take(source, usable, job.levels, job.asked, job.config.width)

        step = job.asked.through(taken) if job.asked else taken()
        for said in step.taken_back:
            if said not in (outcome.problem or ""):
                outcome.problem = "; ".join(filter(None, [outcome.problem, said]))
        if not step.applied:
            return set()
        outcome.before = outcome.before or source
        outcome.source, removed = without_unused_imports(outcome.before, step.source)
        outcome.fixed = [*outcome.fixed, *step.applied]
        outcome.removed = [*outcome.removed, *removed]
        return {each.code for each in step.applied}
