"""The code that a traceback quotes, as a source that can be linted where the file itself cannot be read.

A notebook's cells are in no file, and the files of another machine are not here. IPython and pytest quote the lines
around each frame; these stand in the source one piece after the other, cell by cell, below the imports that people
write of the names they use.
"""

from __future__ import annotations

import ast
import builtins
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from jaxlint.analysis.model import DEFAULT_ALIASES
from jaxlint.explain.traceback import Frame
from jaxlint.source.libraries import OF_JAX
from jaxlint.source.relevance import is_plain_python
from jaxlint.source.text import Place, Position, Source

_CELL = re.compile(r"In ?\[(\d{1,9})\]|<i?python-input-(\d{1,9})\b.*>")
_KERNEL = re.compile(r"(.*[\\/]ipykernel_\d+)[\\/](\d{1,18})\.py")
# What a name stands for by custom, where the quoted lines do not say it.
_CUSTOMS = {
    **{alias: f"import {module} as {alias}" for module, alias in DEFAULT_ALIASES.items()},
    **{name: f"from jax import {name}" for name in ("lax", "jit", "grad", "vmap", "value_and_grad", "pmap")},
    **{name: f"import {name}" for name in (*OF_JAX, "numpy", "functools", "math", "operator")},
    "nnx": "from flax import nnx", "partial": "from functools import partial",
}  # fmt: skip
_AROUND = 40  # lines of a quote that are looked at, on each side of its own
_ALWAYS = ("jax", "jnp")  # fixes write them


class Quoted(Source):
    """Pieces of cells or of a file. ``places`` are the rows of the text that begin a piece, and where each stands."""

    __slots__ = ("places", "head")

    def __init__(self, filename: str, imports: str, pieces: Sequence[tuple[int | None, int, Sequence[str]]]) -> None:
        text, row = f"{imports}\n", imports.count("\n") + 2
        self.head = len(text)  # where what is quoted begins
        self.places: list[tuple[int, Place]] = []
        for cell, first, lines in pieces:
            self.places.append((row, Place(cell, Position(first, 1))))
            text += "\n".join(lines) + "\n\n"
            row += len(lines) + 1
        super().__init__(filename, text.encode("utf-8", "surrogatepass"), text, "utf-8", False)

    def place(self, position: Position) -> Place:
        at = bisect_right(self.places, position.row, key=lambda each: each[0]) - 1
        row, (cell, first) = self.places[max(at, 0)]
        return Place(cell, Position(first.row + max(0, position.row - row), position.column))

    def row_of(self, cell: int | None, row: int) -> int | None:
        """The row of the text in which a quoted row stands; None for one that is not quoted."""
        for (begin, (of, first)), end in zip(self.places, [*(begin for begin, _ in self.places[1:]), 10**9]):
            if of == cell and 0 <= row - first.row < end - begin - 1:
                return begin + row - first.row
        return None


def cell_of(filename: str) -> tuple[str, int | None]:
    """The name under which a frame's file is told, and the cell where it is that of a notebook."""
    found = _CELL.match(filename)
    if found:
        return "notebook", int(found[1] or found[2])
    found = _KERNEL.match(filename)
    return (found[1], int(found[2])) if found else (filename, None)


def quoted(frames: Iterable[Frame]) -> dict[str, Quoted]:
    """By name the sources that the quoted lines of the frames make; ``frames`` go from the outside in."""
    read: dict[str, dict[int | None, dict[int, str]]] = {}
    for frame in frames:
        name, cell = cell_of(frame.filename)
        if frame.quoted:
            rows = read.setdefault(name, {}).setdefault(cell, {})
            rows.update(_added(rows, frame))
    return {name: _source(name, cells) for name, cells in read.items() if any(cells.values())}


def _source(name: str, cells: Mapping[int | None, Mapping[int, str]]) -> Quoted:
    # The numbers of cells are the order in which they ran; of the files of a kernel, the outermost frame's ran last.
    order = sorted(cells, key=lambda cell: cell or 0) if name == "notebook" else reversed(list(cells))
    pieces = [(cell, *piece) for cell in order for piece in _pieces(cells[cell])]
    return Quoted(name, _imports("\n".join(line for _, _, lines in pieces for line in lines)), pieces)


def _pieces(rows: Mapping[int, str]) -> Iterator[tuple[int, list[str]]]:
    """First row and lines of what stands together."""
    piece: list[str] = []
    last = 0
    for row in sorted(rows):
        if piece and row != last + 1:
            yield last - len(piece) + 1, piece
            piece = []
        piece.append(rows[row])
        last = row
    if piece:
        yield last - len(piece) + 1, piece


def _added(known: Mapping[int, str], frame: Frame) -> dict[int, str]:
    """``known`` with the lines that a frame quotes, as far as both are Python together."""
    new = dict(frame.quoted)
    # IPython takes away the indentation that all quoted lines have: a function in a function tells how much.
    shift = next((_indent(known[row]) - _indent(new[row]) for row in new if row in known and new[row].strip()), 0)
    rows = sorted(row for row in new if abs(row - frame.row) <= _AROUND)
    at = rows.index(frame.row) if frame.row in new else 0
    for first in range(at + 1):  # the end of a block whose beginning is cut off
        for last in range(len(rows), at, -1):
            part = {row: " " * shift + new[row] if shift > 0 else new[row] for row in rows[first:last]}
            for each in (part, {**part, rows[last - 1] + 1: " " * (_indent(part[rows[last - 1]]) + 4) + "..."}):
                kept = {row: line for row, line in known.items() if line.strip() != "..." or row not in each}
                merged = {**each, **kept}
                if is_plain_python("\n".join(merged[row] for row in sorted(merged))):
                    return merged
    return dict(known)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _imports(text: str) -> str:
    """The imports of what the text uses and does not assign, as is the custom: its own can stand below their use."""
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    assigned = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    wanted = {*_ALWAYS, *(node.id for node in names)} - assigned
    return "".join(f"{_CUSTOMS[name]}\n" for name in sorted(_CUSTOMS) if name in wanted)


def traced(code: str) -> tuple[Source, int] | None:
    """A line as the only one of a function whose arguments are traced, and its row; None where it is no statement.

    It says which rule reports such a line, where the exception says already that something in it is traced.
    """
    code = code.strip()
    code = code[2:] if code.startswith("elif ") else code
    lines = next((lines for lines in ([code], [code, "    ..."]) if is_plain_python("\n".join(lines))), None)
    if lines is None:
        return None
    nodes = list(ast.walk(ast.parse("\n".join(lines))))
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    # What a name's attribute is cannot be known, but for an array's own.
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    values = sorted(names - called - {*_CUSTOMS, "self", "cls"} - set(dir(builtins)))
    imports = _imports("\n".join(lines))
    # A parameter could be a list or another tree of arrays; what is raised is about an array.
    arrays = "".join(f"    {value} = jnp.asarray({value})\n" for value in values)
    head = f"{imports}@jax.jit\ndef quoted({', '.join(values)}):\n{arrays}"
    return Source.from_text(head + "".join(f"    {line}\n" for line in lines), "quoted.py"), head.count("\n") + 1
