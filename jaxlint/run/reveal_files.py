"""Claims on the expressions of many files: each file is lowered once, and each root analysed once for all of them."""

from __future__ import annotations

import contextlib
import os
import pickle
import tempfile
from array import array
from collections import defaultdict
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from jaxlint.project import resolver
from jaxlint.project.custom_names import Conventions
from jaxlint.project.resolver import Disk, looking_at
from jaxlint.project.sources import Project
from jaxlint.run.pipeline import internal_error
from jaxlint.run.reveal import Analysis, Claim, Expression
from jaxlint.run.runner import one_by_one
from jaxlint.source.text import Source, SourceError, Spans, deep_recursion, uncollected

if TYPE_CHECKING:
    from jaxlint.ir import nodes as ir

Rows = Collection[int]
# Where modules of a project are looked for, and what the project says of its names.
Settings = tuple[Project, Conventions]


class FileClaims(NamedTuple):
    """A file and the claims on its expressions, in the order of the text."""

    source: Source
    claims: list[Claim]


def claims_on(
    files: Mapping[str, Rows | None], roots: Sequence[str], settings: Mapping[str, Settings]
) -> Generator[FileClaims | SourceError]:
    """The claims on each file in the order given, and what keeps a file or a root from being analysed.

    ``files`` come with the rows that are asked about, None for all. ``roots`` are files whose calls give activations
    too. ``settings`` are those of each file and root.
    """
    run = _Run(files, roots, settings)
    with looking_at(run.disk), contextlib.closing(run.shelf):
        yield from filter(None, one_by_one(run.analyse_root, run.roots))
        yield from filter(None, one_by_one(run.claims_on, files))


class _Run:
    """The analyses of one run. They share the IR of modules, and what modules hold."""

    def __init__(
        self, files: Mapping[str, Rows | None], roots: Sequence[str], settings: Mapping[str, Settings]
    ) -> None:
        self.disk = _SharedDisk(files)
        self.shelf = _Shelf()
        self._rows = {os.path.realpath(name): rows for name, rows in files.items()}
        self._settings = settings
        self._analysed_as_root = {os.path.realpath(name) for name in roots} & self._rows.keys()
        self._failed: set[str] = set()
        self._called: dict[str, set[int]] = defaultdict(set)  # by file: the bodies that calls of roots run
        # A root of a project without files that are asked about is analysed as one of each project that has some.
        asked = dict.fromkeys(settings[name] for name in files)
        self.roots = [
            (name, each) for name in roots for each in ([settings[name]] if settings[name] in asked else asked)
        ]

    def analyse_root(self, pair: tuple[str, Settings]) -> SourceError | None:
        """Analyse a root as part of a project, and put its claims on the shelf."""
        filename, settings = pair
        root = os.path.realpath(filename)
        try:
            with self._analysis(filename, settings) as analysis:
                if root in self._rows:
                    self.shelf.put(root, self._own(analysis, root))
                for name in analysis.imported:
                    file = os.path.realpath(name)
                    if file in self._rows and file != root:
                        with contextlib.suppress(SourceError):  # reported where the file itself is analysed
                            self.shelf.put(file, self._called_in(analysis, name, file))
        except Exception as error:  # whatever it is, the other files are still to be read
            self._failed.add(root)
            return _problem(filename, error)
        return None

    def claims_on(self, filename: str) -> FileClaims | SourceError | None:
        """The claims on a file, after those of the roots; None where it is a root that could not be analysed."""
        file = os.path.realpath(filename)
        found: list[_Shelved] = []
        try:
            if file in self._failed:
                return None
            if file not in self._analysed_as_root:
                with self._analysis(filename, self._settings[filename]) as analysis:
                    found += self._own(analysis, file)
            found += self.shelf.take(file)
        except Exception as error:  # whatever it is, the other files are still to be read
            return _problem(filename, error)
        # A function that nothing in its own file calls is analysed for any caller; the roots show real ones.
        claims = [claim for scope, claim in found if scope is None or scope not in self._called[file]]
        claims.sort(key=lambda each: (each.start, each.end, each.activation))
        return FileClaims(self.disk.read(filename), list(dict.fromkeys(claims)))

    @contextlib.contextmanager
    def _analysis(self, filename: str, settings: Settings) -> Iterator[Analysis]:
        """A file, analysed as a root. Raises SourceError."""
        project, conventions = settings
        loader = resolver.loader(project)
        with deep_recursion(), uncollected(), loader.borrowing():
            source = self.disk.read(filename)
            known = resolver.kept(filename)
            unit = self.disk.lower(filename) if known is None else known
            yield Analysis(source, project, conventions, unit=unit, loader=loader)
            if known is None:
                resolver.keep(filename, unit)

    def _own(self, analysis: Analysis, file: str) -> list[_Shelved]:
        """The claims of an analysis on the root itself."""
        asked = self._asked(analysis.own(), file)
        return [(each.scope if each.is_generic else None, claim) for each, claim in asked]

    def _called_in(self, analysis: Analysis, name: str, file: str) -> list[_Shelved]:
        """The claims of an analysis on a module that the root imports."""
        expressions = analysis.of(name)
        self._called[file] |= {each.scope for each in expressions}
        return [(None, claim) for _, claim in self._asked(expressions, file)]

    def _asked(self, expressions: list[Expression], file: str) -> Iterator[tuple[Expression, Claim]]:
        """Those that begin on a row that is asked about, with the claims that they are."""
        rows, source = self._rows[file], self.disk.read(file)
        for each in expressions:
            if rows is None or source.position(each.start).row in rows:
                yield each, Claim.of(each, source.filename)


def _problem(filename: str, error: Exception) -> SourceError:
    """What kept a file from being analysed."""
    if isinstance(error, SourceError):
        return error
    if isinstance(error, OSError):  # of the shelf: what a file cannot be read for is a SourceError
        message = f"cannot keep its claims in a temporary file: {error.strerror}; set TMPDIR to a folder with room"
        return SourceError(message, filename)
    return SourceError(internal_error(filename, "the analysis", error).message, filename)


class _SharedDisk(Disk):
    """The disk of this machine, with the texts of the files that are asked about and the positions of nodes at hand."""

    def __init__(self, files: Collection[str]) -> None:
        super().__init__()
        self._names = {os.path.realpath(name): name for name in files}
        self._sources: dict[str, Source] = {}
        self._spans: dict[str, Spans] = {}

    def read(self, path: str) -> Source:
        file = os.path.realpath(path)
        if file not in self._names:
            return super().read(path)
        if file not in self._sources:
            self._sources[file] = super().read(self._names[file])
        return self._sources[file]

    def lower(self, path: str) -> ir.Unit:
        unit = super().lower(path)
        file = os.path.realpath(path)
        if file in self._names and file not in self._spans:
            with contextlib.suppress(SourceError):  # raised again where the positions are asked for
                self._spans[file] = _CompactSpans(super().spans(self.read(path), unit))
        return unit

    def spans(self, source: Source, unit: ir.Unit | None) -> Spans:
        file = os.path.realpath(source.filename)
        if file in self._spans:
            return self._spans[file]
        found = super().spans(source, unit)
        if unit is None:  # a module that others import as well
            self._spans[file] = found = _CompactSpans(found)
        return found


class _CompactSpans(Sequence["tuple[int, int] | None"]):
    """Start and end of each node, in eight bytes."""

    def __init__(self, spans: Spans) -> None:
        self._offsets = array("i", (offset for span in spans for offset in span or (-1, -1)))

    def __len__(self) -> int:
        return len(self._offsets) // 2

    def __getitem__(self, site: Any) -> Any:
        start, end = self._offsets[2 * site : 2 * site + 2]
        return None if start < 0 else (start, end)


# A claim, with the scope of the body where calls that a root shows take its place.
_Shelved = tuple[int | None, Claim]


class _Shelf:
    """Claims of roots, in a temporary file until the file is told about that they are on."""

    def __init__(self) -> None:
        self._stored: IO[bytes] | None = None
        self._places: dict[str, list[int]] = defaultdict(list)

    def put(self, file: str, claims: list[_Shelved]) -> None:
        """Keep claims. Raises OSError."""
        if self._stored is None:
            self._stored = tempfile.TemporaryFile()  # noqa: SIM115  open to the end
        self._places[file].append(self._stored.seek(0, os.SEEK_END))
        pickle.dump(claims, self._stored)
        self._stored.flush()

    def take(self, file: str) -> Iterator[_Shelved]:
        """The claims on a file, in the order in which they were put."""
        for place in self._places.pop(file, ()):
            assert self._stored is not None
            self._stored.seek(place)
            yield from pickle.load(self._stored)

    def close(self) -> None:
        if self._stored is not None:
            self._stored.close()
