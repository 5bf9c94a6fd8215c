"""The importers of a file: the files of its project whose analysis decides what is reported in it.

A function that looks harmless where it is defined may be staged by the file that imports it. So each file is analysed
together with its importers, direct or not, and the same ones are taken whichever files a run names.
"""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from jaxlint.project.resolver import ImportedName, Loader, imported_names, read
from jaxlint.project.sources import Project
from jaxlint.run.job import Job
from jaxlint.source.relevance import touches_jax
from jaxlint.source.text import SourceError

if TYPE_CHECKING:
    from jaxlint.configuration.config import Configs

# Importers of a file that are analysed: the nearest in the import graph, by path where they are equally near.
MAX_IMPORTERS = 50


_FEW = 50  # files of a project that are read in less time than it takes to open the cache


class Importers:
    """Who imports the files of a run. ``cached``: the import statements of files are kept on disk for later runs.

    ``folders`` are those that the run reads whole: the importers of their files are part of the run.
    """

    def __init__(self, configs: Configs, folders: Sequence[str] = (), *, cached: bool = True) -> None:
        self._configs = configs.quiet()
        self._cached = cached
        self._folders = [
            os.path.realpath(folder).rstrip(os.sep) + os.sep for folder in folders if os.path.isdir(folder)
        ]
        self._graphs: dict[str, ImportGraph] = {}
        self._known: dict[str, list[str]] = {}

    def of(self, filename: str) -> list[str]:
        """Real paths of the importers of a file that are analysed with it, the nearest first."""
        path = os.path.realpath(filename)
        if path not in self._known:
            self._known[path] = self._graph(path).importers(path, MAX_IMPORTERS) if os.path.isfile(path) else []
        return self._known[path]

    def left_out(self, filename: str) -> set[str]:
        """Real paths of the importers of a file that are not analysed with it."""
        path = os.path.realpath(filename)
        nearest = self.of(path)
        return self._graph(path).all_importers(path).difference(nearest) if len(nearest) == MAX_IMPORTERS else set()

    def jobs(self, jobs: Sequence[Job]) -> list[Job]:
        """The work on the importers of files that are not themselves among the files of a run."""
        named = {os.path.realpath(job.filename): job for job in jobs}
        cached = all(job.cached and not job.fix and job.source is None for job in jobs)
        found: dict[str, Job] = {}
        for path, job in named.items():
            if f"{self._project(path)}{os.sep}".startswith(tuple(self._folders)):
                continue
            for importer in self.of(path):
                if importer not in named and importer not in found:
                    name = importer if os.path.isabs(job.filename) else os.path.relpath(importer)
                    found[importer] = Job(name, self._configs.for_file(importer), cached=cached, is_importer=True)
        return list(found.values())

    def _graph(self, path: str) -> ImportGraph:
        project = self._project(path)
        if project not in self._graphs:
            self._graphs[project] = ImportGraph.of(project, self._configs, self._cached)
        return self._graphs[project]

    def _project(self, path: str) -> str:
        return self._configs.for_file(path).sources.folder


class ImportGraph:
    """The files of a project, by their real paths, and the files that each imports.

    ``concerned`` are those that name JAX or another library of interest.
    """

    def __init__(self, imported: Mapping[str, Sequence[str]], concerned: Iterable[str]) -> None:
        self._files = imported.keys()
        self._importers: dict[str, list[str]] = {}
        for file, others in imported.items():
            for other in others:
                self._importers.setdefault(other, []).append(file)
        self._reaching = set(concerned)  # JAX, by what they import
        todo = list(self._reaching)
        while todo:
            new = set(self._importers.get(todo.pop(), ())) - self._reaching
            self._reaching |= new
            todo += new

    @classmethod
    def of(cls, folder: str, configs: Configs, cached: bool) -> ImportGraph:
        """The graph of the project in ``folder``."""
        return _Index(folder, configs, cached).graph()

    def importers(self, file: str, most: int) -> list[str]:
        """At most so many files that import ``file`` and JAX, both directly or not: the nearest first, then by path."""
        if file not in self._files:
            return []
        seen, level, found = {file}, [file], list[str]()
        while level and len(found) < most:
            level = sorted({each for near in level for each in self._importers.get(near, ())} - seen)
            seen.update(level)
            found += [each for each in level if each in self._reaching]
        return found[:most]

    def all_importers(self, file: str) -> set[str]:
        """The files that import ``file`` and JAX, both directly or not."""
        found, todo = {file}, [file]
        while todo:
            new = [each for each in self._importers.get(todo.pop(), ()) if each not in found]
            found.update(new)
            todo += new
        return found & self._reaching - {file}


class _Index:
    """The import statements of a project's files and where they lead, kept from run to run.

    The statements of a file count while its time and size are the same, and where they lead while the project has the same
    files.
    """

    def __init__(self, folder: str, configs: Configs, cached: bool) -> None:
        self._files = configs.files_of(folder)
        self._configs = configs
        self._folder = folder
        self._cache = configs.for_folder(folder).cache if cached and len(self._files) > _FEW else None

    def graph(self) -> ImportGraph:
        """The graph of the project as its files are now."""
        kept = self._load()
        texts: dict[
            str, Any
        ] = {}  # of each file: what tells whether it has changed, whether it names JAX, what it imports
        same = list(kept["texts"]) == self._files and kept["settings"] == self._settings
        for file in self._files:
            with suppress(OSError):
                status = os.stat(file)
                known = kept["texts"].get(file)
                stamp = [status.st_mtime_ns, status.st_ctime_ns, status.st_size]
                if known is None or known[0] != stamp or not same:
                    known = [stamp, *self._read(file)]
                    same = same and list(known[1:]) == list(kept["texts"][file][1:])
                texts[file] = known
        edges: dict[str, list[int]] = kept["edges"] if same else self._edges(texts)
        concerned = [file for file, (_, names_jax, _) in texts.items() if names_jax]
        if concerned and (not same or texts != kept["texts"]):
            self._store({"texts": texts, "settings": self._settings, "edges": edges})
        return ImportGraph({file: [self._files[at] for at in edges.get(file, ())] for file in self._files}, concerned)

    def _read(self, file: str) -> tuple[bool, list[ImportedName]]:
        """Whether a file names JAX, and what it imports."""
        try:
            text = read(file).text
        except SourceError:
            return False, []
        return touches_jax(text) or self._configs.for_file(file).conventions.may_be_in(text), imported_names(text)

    def _edges(self, texts: dict[str, Any]) -> dict[str, list[int]]:
        """The places in the list of files of what each file imports."""
        at = {file: place for place, file in enumerate(self._files)}
        loaders: dict[Project, Loader] = {}
        edges = {}
        real = functools.cache(os.path.realpath)  # many files import the same ones
        for file, (_, _, names) in texts.items():
            project = self._configs.for_file(file).project
            found = loaders.setdefault(project, Loader(project)).imported_files(file, names)
            edges[file] = sorted({at[path] for path in map(real, found) if path in at and path != file})
        return edges

    @functools.cached_property
    def _settings(self) -> list[str]:
        """What says where imports lead, beside the files, and what has to do with JAX: of the project, and folder by folder."""
        configs = map(self._configs.for_folder, dict.fromkeys(map(os.path.dirname, self._files)))
        packages = self._configs.for_folder(self._folder).sources.packages
        sources = Counter(folder for folders in packages.values() for folder in folders)
        return [repr(sorted(sources.items())), *(f"{config.root}\0{config.conventions!r}" for config in configs)]

    def _load(self) -> dict[str, Any]:
        """What an earlier run has kept; nothing where it is not as it was written."""
        if self._cache is not None:
            from jaxlint.run import cache

            with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
                kept = cache.read(cache.path_of(self._cache, "imports", self._folder))
                size = len(kept["texts"])
                for stamp, names_jax, names in kept["texts"].values():
                    (
                        [*map(int, stamp), bool(names_jax)],
                        [(int(level), str(module), str(name)) for level, module, name in names],
                    )
                if all(0 <= at < size for places in kept["edges"].values() for at in places):
                    return dict(kept)
        return {"texts": {}, "settings": [], "edges": {}}

    def _store(self, kept: dict[str, Any]) -> None:
        if self._cache is not None:
            from jaxlint.run import cache

            cache.write(self._cache, cache.path_of(self._cache, "imports", self._folder), kept)
