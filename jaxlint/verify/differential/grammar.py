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


# --- programs -----------------------------------------------------------------------------------------------------

REVERSE = {"grad", "value_and_grad", "vjp", "jacrev", "hessian"}
FORWARD = {"jvp", "jacfwd", "hessian", "linearize"}
BATCHED = {"vmap", "vectorize"}
LOOPS = {"while_loop", "loop_condition"}
CARRIES = {*LOOPS, "fori_loop"}
LAX = {"cond", "switch", *LOOPS}


def is_declared(program: Program) -> bool:
    """Whether the grammar allows this order of constructs: those left out fail in a construct, whatever it holds."""
    kinds = [item.kind for item in program]
    if not program or kinds[-1] != OPERATION:
        return False
    if Item(OPERATION, "v.delete()") in program and kinds.count(OPERATION) > 1:
        return False  # nothing can be done with it afterwards, nor before it in a loop
    transforms = TRANSFORMS | {name for name, transforms in FORMS.items() if transforms}
    for index, kind in enumerate(kinds):
        inside = set(kinds[index + 1 :])
        if kind in REVERSE and inside & LOOPS:
            return False  # has no reverse mode
        if kind in FORWARD and "custom_vjp" in inside:
            return False  # has no other mode
        if kind == "disable_jit" and inside & (LAX | BATCHED | {"shard_map", "eval_shape", "make_jaxpr"}):
            return False  # decides its condition in Python, which mapped values do not allow
        if kind == "shard_map" and "shard_map" in inside:
            return False  # over one mesh
        if kind == "shard_map" and "change" in inside and inside & CARRIES:
            return False  # what varies over the mesh must vary in every step
        if kind == "shard_map" and "constants" in inside:
            return False  # some of JAX's own functions fail there, with constants of their own
        if (kind == "disable_jit" and "other_file" in inside) or (
            kind == "other_file" and inside & {"disable_jit", "guard"}
        ):
            return False  # a file is also judged for how it runs by itself
        if kind == "guard" and inside & transforms:
            return False  # what is transformed and never called is judged as if it were
        if kind == "constants" and inside & transforms:
            return False
    return True


def random_program(rng: random.Random, around: Program, forms: bool = False) -> Program:
    """A program with ``around`` among other constructs and operations; ``forms``: of the language, too."""
    others = sorted(CONSTRUCTS.keys() - TRANSFORMS - (set() if forms else FORMS.keys()))
    while True:
        items = list(around)
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            items.insert(0, Item(rng.choice(sorted(TRANSFORMS)), rng.randrange(1000)))
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            items.insert(rng.randrange(len(items)), Item(rng.choice(others), rng.randrange(1000)))
        if rng.random() < 0.2:
            items.insert(rng.randrange(len(items)), Item(OPERATION, rng.choice(OPERATIONS).name))
        program = tuple(items)
        if is_declared(program):
            return program


ROUTES = ("direct", "helper", "closure", "method", "container", "other_file")


def whole_table() -> int:
    """How many programs of ``numbered_program`` hold every operation in every transform by every route."""
    return len(OPERATIONS) * (len(TRANSFORMS) + 1) * len(ROUTES)


def pair_of(turn: int, operation: int) -> tuple[str | None, str]:
    """The transform and the route that an operation meets in a turn: each pair once in as many turns as there are pairs."""
    choices = [None, *sorted(TRANSFORMS)]
    # A factor without a common divisor leads through all pairs, and neighbours differ in both.
    pair = (turn * 47 + operation * 5) % (len(choices) * len(ROUTES))
    return choices[pair // len(ROUTES)], ROUTES[pair % len(ROUTES)]


def numbered_program(seed: int, number: int) -> Program:
    """The operations take turns, and with each of them the transforms and the ways into them."""
    rng = random.Random(f"{seed}/{number}")
    turn, operation = divmod(number, len(OPERATIONS))
    around = [Item(kind, rng.randrange(1000)) for kind in pair_of(turn, operation) if kind and kind != "direct"]
    return random_program(rng, (*around, Item(OPERATION, OPERATIONS[operation].name)))


def form_program(seed: int, number: int) -> Program:
    """The operations take turns, and with each of them the forms of ``language``."""
    rng = random.Random(f"language/{seed}/{number}")
    turn, operation = divmod(number, len(OPERATIONS))
    forms = sorted(FORMS)
    around = Item(forms[(turn + operation) % len(forms)], rng.randrange(1000))
    return random_program(rng, (around, Item(OPERATION, OPERATIONS[operation].name)), forms=True)


from jaxlint.verify.differential import language, routes, transforms  # noqa: E402, F401  their constructs belong to the grammar
