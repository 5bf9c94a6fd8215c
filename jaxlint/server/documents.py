"""What is open in the editor: its text, and what the engine says of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.notebook import Notebook
from jaxlint.source.reading import decoded, read_source
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
    """A snapshot, and what was found in it. ``row`` says at which row of the source each piece begins."""

    snapshot: Snapshot
    source: Source
    config: Config
    diagnostics: list[Diagnostic]
    rows: list[int] = field(default_factory=list)
    _revealed: tuple[list[Source], Revealed] | None = None  # with the roots that it was asked for

    def piece_at(self, row: int) -> int:
        """Which piece a row of the source belongs to."""
        return max((at for at, first in enumerate(self.rows) if first <= row), default=0)

    def is_saved(self) -> bool:
        """Whether the file on disk holds the text that was looked at."""
        try:
            return read_source(self.source.filename).text == self.source.text
        except (OSError, SourceError):
            return False

    def revealed(self, roots: Sequence[Source] = ()) -> Revealed:
        """What the model knows of every expression, also where one of the roots calls the code. Raises SourceError."""
        roots = list(roots)
        if self._revealed is None or self._revealed[0] != roots:
            from jaxlint.run.reveal import Revealed

            self._revealed = roots, Revealed(self.source, roots, self.config.root, self.config.conventions)
        return self._revealed[1]


def check(snapshot: Snapshot, config: Config) -> Checked:
    """Lint a snapshot. What cannot be read has the one finding that says so, and no source to speak of."""
    try:
        source = snapshot.source()
    except SourceError as error:
        from jaxlint.run.pipeline import syntax_error

        return Checked(snapshot, Source.from_text("", snapshot.filename), config, [syntax_error(error)], [1])
    return Checked(
        snapshot, source, config, check_source(source, config, remember=True).diagnostics, _rows(snapshot, source)
    )


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
