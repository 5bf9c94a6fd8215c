"""What generated programs are made of, and their text.

A program is a list of *items*, outermost first: constructs, each with a seed for its own choices, and operations of
``knowledge.operations``. The last item is an operation. Each item stands inside the one before it, so any construct can be
taken away and a program remains. In each block ``x`` is a positive float scalar, ``v`` a float vector of three and ``n`` an int
scalar of the value 1, and the block binds ``out`` to a float scalar.
"""

from __future__ import annotations

import random
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from jaxlint.knowledge.harnesses import HEADER
from jaxlint.knowledge.operations import OPERATIONS

BY_NAME = {operation.name: operation for operation in OPERATIONS}
OPERATION = "operation"
OPERANDS = ("x", "v", "n")
ROOT = "program.py"


class Item(NamedTuple):
    """A construct and the seed of its choices, or ``OPERATION`` and the name of one."""

    kind: str
    choice: int | str = 0

    def __str__(self) -> str:
        return str(self.choice) if self.kind == OPERATION else f"{self.kind}:{self.choice}"


Program = tuple[Item, ...]


class Line(NamedTuple):
    text: str
    operation: int | None = None  # index of the item the line belongs to


Block = list[Line]


def lines(*texts: str) -> Block:
    return [Line(text) for text in texts]


def indented(block: Block) -> Block:
    return [Line("    " + line.text, line.operation) for line in block]


@dataclass
class Text:
    """The files of a program, and the rows of its operations."""

    files: dict[str, str]
    rows: dict[tuple[str, int], int]  # file, row -> index of the item

    @property
    def root(self) -> str:
        return self.files[ROOT]


@dataclass
class Writer:
    """Where the text of a program comes together."""

    rng: random.Random = field(default_factory=random.Random)
    files: dict[str, Block] = field(default_factory=lambda: {ROOT: []})
    imports: dict[str, list[str]] = field(default_factory=lambda: {ROOT: []})
    file: str = ROOT
    early: Block = field(default_factory=list)  # statements of ``main`` before everything else
    count: int = 0

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def define(self, block: Block) -> None:
        """Put a definition at the top level of the file at hand."""
        self.files[self.file] += [*block, Line(""), Line("")]

    def flip(self, share: float = 0.5) -> bool:
        return self.rng.random() < share

    @contextmanager
    def choosing(self, seed: int) -> Iterator[None]:
        before, self.rng = self.rng, random.Random(seed)
        try:
            yield
        finally:
            self.rng = before

    @contextmanager
    def other_file(self) -> Iterator[str]:
        before = self.file
        self.file = f"part{len(self.files)}.py"
        self.files[self.file], self.imports[self.file] = [], []
        try:
            yield self.file[:-3]
        finally:
            self.file = before


Inner = Callable[[], Block]
Construct = Callable[[Writer, Inner], Block]
CONSTRUCTS: dict[str, Construct] = {}
TRANSFORMS: set[str] = set()  # of the table
FORMS: dict[str, bool] = {}  # of ``language``, and whether it transforms


def construct(write: Construct) -> Construct:
    CONSTRUCTS[write.__name__.rstrip("_")] = write
    return write


def transform(write: Construct) -> Construct:
    TRANSFORMS.add(write.__name__.rstrip("_"))
    return construct(write)


def form(write: Construct, transforms: bool = False) -> Construct:
    FORMS[write.__name__.rstrip("_")] = transforms
    return construct(write)


def write(program: Program) -> Text:
    """The text of a program."""
    writer = Writer()
    block = _block(writer, program, 0)
    writer.define([
        Line("def main():"),
        *indented(writer.early),
        *indented(lines("x = jnp.array(1.5)", "v = jnp.array([1.0, 2.0, 3.0])", "n = jnp.array(1)")),
        *indented(block),
        Line("    return out"),
    ])  # fmt: skip
    writer.files[ROOT].append(Line("main()"))
    files, rows = {}, {}
    for file, body in writer.files.items():
        head = [*HEADER.splitlines(), *writer.imports[file], "", ""]
        for row, line in enumerate(body, len(head) + 1):
            if line.operation is not None:
                rows[file, row] = line.operation
        files[file] = "\n".join([*head, *(line.text for line in body)]).rstrip() + "\n"
    return Text(files, rows)


def _block(writer: Writer, program: Program, index: int) -> Block:
    if index == len(program):
        return lines("out = x * 2.0")
    item = program[index]

    def inner() -> Block:
        return _block(writer, program, index + 1)

    if item.kind == OPERATION:
        source = BY_NAME[str(item.choice)].source
        return [*(Line(text, index) for text in source.splitlines()), *inner()]
    with writer.choosing(int(item.choice)):
        # The choices of what stands inside are its own: ``inner`` comes back to this generator.
        return CONSTRUCTS[item.kind](writer, inner)


# --- functions ----------------------------------------------------------------------------------------------------


class Function(NamedTuple):
    """A function that holds a block: what stands before its use, its name, and the operands it takes."""

    before: Block
    name: str
    parameters: tuple[str, ...]

    @property
    def arguments(self) -> str:
        return ", ".join(self.parameters)


def function(
    writer: Writer, inner: Inner, *, closing: bool = True, decorators: tuple[str, ...] = (), parameters: str = "",
    body: Callable[[Block], Block] = lambda block: [*block, Line("return out")],
) -> Function:  # fmt: skip
    """A function around a block, beside its use or at the top level; what it does not take it closes over."""
    local = writer.flip()
    taken = tuple(name for name in OPERANDS if not (local and closing and writer.flip(0.25))) or ("x",)
    name = writer.name("step")
    held = indented(body(inner()))
    taken = tuple(each for each in OPERANDS if each in taken or each in assigned(held))
    text = [*lines(*decorators, f"def {name}({parameters or ', '.join(taken)}):"), *held]
    if local:
        return Function(text, name, taken)
    writer.define(text)
    return Function([], name, taken)


def assigned(body: Block) -> tuple[str, ...]:
    """Names that the body of a function binds."""
    code = compile("\n".join(["def step():", *(line.text for line in body)]), "step", "exec")
    step = next(each for each in code.co_consts if isinstance(each, types.CodeType))
    return step.co_varnames + step.co_cellvars


def dead(writer: Writer) -> str:
    return writer.rng.choice(["out = x * 1.0", "out = jnp.sin(x)"])
