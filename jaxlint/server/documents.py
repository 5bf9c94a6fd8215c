"""What is open in the editor: its text, and what the engine says of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from jaxlint.configuration.config import Config
from jaxlint.project.resolver import edited, later
from jaxlint.run.importers import Importers
from jaxlint.run.job import Outcome
from jaxlint.run.pipeline import check_file, check_root, with_calls
from jaxlint.run.runner import report_at_calls
from jaxlint.run.session import together
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.notebook import Notebook
from jaxlint.source.reading import decoded
from jaxlint.source.text import NOTEBOOK, Source, SourceError

if TYPE_CHECKING:
    from jaxlint.run.reveal import Revealed

UNREADABLE = "JAX900"
_NOWHERE = 1 << 60  # the row of a cell that is not read


@dataclass(frozen=True)
class Piece:
    """A text document of the protocol: the whole file, or one cell of a notebook."""

    uri: str
    version: int | None
    text: str


@dataclass(frozen=True)
class Snapshot:
    """A file or notebook as it was at one moment, for the worker to look at."""

    uri: str
    filename: str
    pieces: tuple[Piece, ...]

    def source(self) -> Source:
        """The text as one source. Raises SourceError."""
        if not self.is_notebook:
            return Source.from_text(self.pieces[0].text, self.filename)
        cells = [{"cell_type": "code", "source": piece.text} for piece in self.pieces]
        return decoded(json.dumps({"cells": cells}).encode("ascii"), self.filename)

    @property
    def is_notebook(self) -> bool:
        return self.filename.endswith(NOTEBOOK)

    def texts(self, source: Source, text: str) -> list[str]:
        """What each piece is when ``text`` is that of the source."""
        if not self.is_notebook:
            return [text]
        return ["".join(cell["source"]) for cell in json.loads(source.encode(text))["cells"]]


@dataclass
class Checked:
    """A snapshot, and what was found in it. ``rows`` says at which row of the source each piece begins.

    ``root`` is what its own analysis has found, here and in the files that it imports. ``importers`` are those of its importers
    that show something in it.
    """

    snapshot: Snapshot
    source: Source
    config: Config
    root: Outcome
    rows: list[int] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    importers: list[Outcome] = field(default_factory=list)
    is_first: bool = True  # look at the document
    _revealed: tuple[list[Source], Revealed] | None = None  # with the roots that it was asked for

    def __post_init__(self) -> None:
        self.diagnostics = self.diagnostics or self.root.diagnostics

    def with_importers(self, outcomes: Iterable[Outcome]) -> list[Diagnostic]:
        """The findings with those that importers show; they are those of the snapshot from now on."""
        self.importers = [each for each in outcomes if each.elsewhere]
        self.diagnostics = together(self.root, self.importers)
        return self.diagnostics

    def keep_from(self, before: Checked) -> None:
        """Take over what importers showed in the text before it was changed, until they are looked at again."""
        self.is_first = False
        shown = {(each.code, each.start) for each in before.root.diagnostics}
        others = [each for each in before.diagnostics if (each.code, each.start) not in shown]
        known = {(each.code, each.start) for each in self.root.diagnostics}
        moved = [each for each in _moved(others, before.source, self.source) if (each.code, each.start) not in known]
        self.diagnostics = sorted([*self.root.diagnostics, *moved], key=lambda each: each.sort_key)

    def piece_at(self, row: int) -> int:
        """Which piece a row of the source belongs to."""
        return max((at for at, first in enumerate(self.rows) if first <= row), default=0)

    def as_edited(self) -> AbstractContextManager[None]:
        """Within this, other files that import the document see its text as it was looked at, saved or not."""
        return edited({os.path.realpath(self.source.filename): self.source})

    def revealed(self, roots: Sequence[Source] = ()) -> Revealed:
        """What the model knows of every expression, also where one of the roots calls the code. Raises SourceError."""
        roots = list(roots)
        if self._revealed is None or self._revealed[0] != roots:
            from jaxlint.run.reveal import Revealed

            self._revealed = roots, Revealed(self.source, roots, self.config.project, self.config.conventions)
        return self._revealed[1]


def _moved(diagnostics: Sequence[Diagnostic], before: Source, after: Source) -> Iterator[Diagnostic]:
    """Findings in lines that have not changed, where these lines are now. Offsets have changed, so that they have no fix."""
    if before.text == after.text:
        yield from diagnostics
        return
    old, new = before.text.splitlines(), after.text.splitlines()
    first = next((at for at, (one, other) in enumerate(zip(old, new)) if one != other), min(len(old), len(new)))
    last = next((at for at, (one, other) in enumerate(zip(old[:first:-1], new[:first:-1])) if one != other), None)
    same = min(len(old), len(new)) - first - 1 if last is None else last
    by = len(new) - len(old)
    for each in diagnostics:
        if each.end.row <= first:
            yield replace(each, fix=None, related=())
        elif each.start.row > len(old) - same:
            start, end = each.start._replace(row=each.start.row + by), each.end._replace(row=each.end.row + by)
            yield replace(each, fix=None, related=(), start=start, end=end, noqa_row=start.row)


def check_importer(path: str, config: Config, checked: Checked) -> Outcome:
    """Look at a file as a root that imports what was checked, as the editor holds it."""
    with checked.as_edited():
        result = check_file(path, config, later(config.project))
    return Outcome(path, result.diagnostics, elsewhere=result.elsewhere, silenced=result.silenced)


def check(snapshot: Snapshot, config: Config, importers: Importers | None = None) -> Checked:
    """Lint a snapshot. What cannot be read has the one finding that says so, and no source to speak of.

    Without ``importers`` what fails in another file is reported at the call that leads there.
    """
    try:
        source = snapshot.source()
    except SourceError as error:
        from jaxlint.run.pipeline import syntax_error

        empty = Source.from_text("", snapshot.filename)
        return Checked(snapshot, empty, config, Outcome(snapshot.filename, [syntax_error(error)]), [1])
    result = check_root(source, config, later(config.project))
    root = Outcome(source.filename, result.diagnostics, source, elsewhere=result.elsewhere, silenced=result.silenced)
    if importers is None:
        root.diagnostics, root.elsewhere = with_calls(root.diagnostics, root.elsewhere), []
    else:
        report_at_calls(root, importers)
    return Checked(snapshot, source, config, root, _rows(snapshot, source))


def _rows(snapshot: Snapshot, source: Source) -> list[int]:
    if not isinstance(source, Notebook):
        return [1]
    rows = {cell.number: row + 1 for cell, row in zip(source.cells, source.rows)}  # the marker stands above the cell
    return [rows.get(number, _NOWHERE) for number in range(1, len(snapshot.pieces) + 1)]


def is_unreadable(diagnostics: Sequence[Diagnostic]) -> bool:
    """Whether the text does not parse, which while someone types is no news."""
    return any(each.code == UNREADABLE for each in diagnostics)


def filename_of(uri: str) -> str:
    """The path of a file, or the bare name of what has none, such as an unsaved buffer."""
    parts = urlsplit(uri)
    path = unquote(parts.path)
    if parts.scheme == "file":
        return path[1:] if len(path) > 2 and path[2] == ":" else path
    return path.rpartition("/")[2] or "untitled.py"
