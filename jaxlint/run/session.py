"""Files that are looked at one by one in a process that stays, as an editor's or flake8's: each is analysed once."""

from __future__ import annotations

import os
from collections.abc import Iterable

from jaxlint.configuration.config import Configs
from jaxlint.run.importers import Importers
from jaxlint.run.job import Job, Outcome
from jaxlint.run.runner import placed, run_apart
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.reading import read_source
from jaxlint.source.text import Source, SourceError


class Session:
    """What is found in files that do not change meanwhile; ``noqa`` as for a job."""

    def __init__(self, configs: Configs, *, noqa: bool = True) -> None:
        self.importers = Importers(configs)
        self._configs = configs
        self._noqa = noqa
        self._outcomes: dict[str, Outcome] = {}  # of files as they are on the disk, by their real paths

    def diagnostics(self, source: Source) -> list[Diagnostic]:
        """The findings in a source, which need not be what its file holds, sorted by place."""
        path = os.path.realpath(source.filename)
        importers = self.importers.of(path)
        if _is_saved(source):
            self._analyse([path, *importers], source.filename)
            own, others = self._outcomes[path], [self._outcomes[each] for each in importers]
        else:
            own, *others = run_apart(
                [self._job(source.filename, source), *self._jobs(importers)], importers=self.importers
            )
        return together(own, others)

    def _analyse(self, paths: Iterable[str], named: str) -> None:
        """Look at the files at ``paths`` that were not looked at before; the first one is called ``named``."""
        paths = list(paths)
        names = {paths[0]: named}
        missing = [path for path in paths if path not in self._outcomes]
        done = run_apart([self._job(names.get(path, path)) for path in missing], importers=self.importers)
        self._outcomes.update(zip(missing, done))

    def _jobs(self, paths: Iterable[str]) -> list[Job]:
        return [self._job(path)._replace(cached=False) for path in paths]

    def _job(self, filename: str, source: Source | None = None) -> Job:
        return Job(filename, self._configs.for_file(filename), source=source, cached=source is None, noqa=self._noqa)


def together(own: Outcome, importers: Iterable[Outcome]) -> list[Diagnostic]:
    """The findings in a file: its own, and those that its importers show in it."""
    path = os.path.realpath(own.filename)
    outcomes = [Outcome(own.filename, own.diagnostics[:], own.source, silenced=own.silenced[:])]
    for each in importers:
        shown = [found for found in each.elsewhere if os.path.realpath(found.diagnostic.filename) == path]
        outcomes.append(Outcome(each.filename, [], elsewhere=shown, silenced=each.silenced[:]))
        outcomes[-1].is_importer = True
    return placed(outcomes)[0].diagnostics


def _is_saved(source: Source) -> bool:
    """Whether the file holds the text of the source."""
    try:
        return read_source(source.filename).text == source.text
    except SourceError:
        return False
