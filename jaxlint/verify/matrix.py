"""The operation matrix: what the semantic model says of each operation against what JAX did.

    python -m jaxlint.verify.matrix            print the matrix
    python -m jaxlint.verify.matrix --write    write docs/matrix.md

The model agrees with JAX on a program when it holds a hazard that cannot be met in the lines of the
operation exactly if JAX raised because of them, and no such hazard anywhere else. Neither JAX nor
NumPy is needed: the outcomes are the committed ones.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jaxlint.analysis import analyse
from jaxlint.analysis.domain.hazards import Consequence
from jaxlint.ir.lowering import lower, positions
from jaxlint.ir.nodes import index
from jaxlint.knowledge.harnesses import COLUMNS, HARNESSES, Harness, marked_lines, program
from jaxlint.knowledge.matrix import Table, fails, load, value_reason
from jaxlint.knowledge.operations import OPERATIONS, Operation
from jaxlint.source.text import Source

DOCUMENT = Path(__file__).parents[2] / "docs" / "matrix.md"


@dataclass(frozen=True)
class Cell:
    """One operation under one harness."""

    operation: Operation
    harness: Harness
    outcome: str  # what JAX did
    hazards: tuple[str, ...]  # names of the hazards on the operation's lines
    strays: tuple[str, ...]  # names of those on any other line

    @property
    def reason(self) -> str | None:
        """Why the outcome says nothing about tracing; None if it does."""
        return value_reason(self.operation, self.outcome)

    @property
    def expected(self) -> bool:
        """Whether the model is to hold a hazard here."""
        return fails(self.outcome) and self.reason is None

    @property
    def agrees(self) -> bool:
        return bool(self.hazards) == self.expected and not self.strays

    def __str__(self) -> str:
        said = ", ".join(self.hazards) or "nothing"
        elsewhere = f"; on other lines: {', '.join(self.strays)}" if self.strays else ""
        return f"{self.operation.name} under {self.harness.name}: JAX {self.outcome}, model {said}{elsewhere}"


def unmet(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the hazards that raise: on the operation's lines of a program, and elsewhere."""
    source = Source.from_text(text, "matrix.py")
    unit = lower(source)
    hazards = [hazard for hazard in analyse(unit).hazards if hazard.consequence is not Consequence.SILENT]
    if not hazards:
        return (), ()
    known = positions(unit)
    places = [known[index(hazard.site)] for hazard in hazards]
    marked = marked_lines(text)
    inside: list[str] = []
    outside: list[str] = []
    for hazard, place in zip(hazards, places):
        row = source.position(place[0]).row if place is not None else 0
        (inside if row in marked else outside).append(type(hazard).__name__)
    return tuple(inside), tuple(outside)


def cells(table: Table, harnesses: tuple[Harness, ...] = HARNESSES) -> Iterator[Cell]:
    for operation in OPERATIONS:
        for harness in harnesses:
            hazards, strays = unmet(program(operation, harness))
            yield Cell(operation, harness, table.outcome(operation.name, harness.name), hazards, strays)


# --- the report ------------------------------------------------------------------------------

INTRODUCTION = """\
# What fails where

Each row is an operation, each column a way in which its operands are transformed. A cell shows the
exception that JAX raises; an empty cell runs. The outcomes are measured by
`python -m jaxlint.knowledge.probe.operations`, which executes every operation under every transform
named below, and the semantic model is held to them by `tests/test_matrix.py`: for every program it
must hold a hazard exactly where JAX raises.

Operands: `x` is a float scalar, `v` a float vector of three, `n` an int scalar, each an argument of
the transformed function (under `pallas`, `v` is a Ref, and `x` and `n` are read from one). `C`,
`Cscalar` and `Cint` are jax arrays and `NP` is a NumPy array captured from the module.
"""

SHORT = {
    "TracerBoolConversionError": "TracerBool",
    "TracerIntegerConversionError": "TracerInteger",
    "TracerArrayConversionError": "TracerArray",
    "ConcretizationTypeError": "Concretization",
    "NonConcreteBooleanIndexError": "BooleanIndex",
    "InconclusiveDimensionOperation": "Dimension",
}


def render(found: list[Cell], table: Table) -> str:
    """The matrix as Markdown."""
    by_place: dict[tuple[str, str], list[Cell]] = {}
    for cell in found:
        by_place.setdefault((cell.operation.name, cell.harness.column), []).append(cell)
    versions = ", ".join(f"{package} {version}" for package, version in table.versions.items())
    agreeing = sum(all(cell.agrees for cell in group) for group in by_place.values())
    failures = sum(any(fails(cell.outcome) for cell in group) for group in by_place.values())
    by_value = sum(any(cell.reason is not None for cell in group) for group in by_place.values())
    lines = [INTRODUCTION]
    lines.append(f"Measured with {versions} on {table.platform}.\n")
    lines.append(
        f"The model agrees with JAX in {agreeing} of {len(by_place)} cells"
        f" ({sum(cell.agrees for cell in found)} of {len(found)} programs). In {failures} cells JAX"
        f" raises; in {by_value} of these by the operands' values alone, and there the model is to be silent.\n"
    )
    lines += ["| column | transforms | cells | fail | model agrees |", "|---|---|---|---|---|"]
    for column in COLUMNS:
        groups = [group for (_, place), group in by_place.items() if place == column]
        names = ", ".join(f"`{harness.name}`" for harness in HARNESSES if harness.column == column)
        failing = sum(any(fails(cell.outcome) for cell in group) for group in groups)
        right = sum(all(cell.agrees for cell in group) for group in groups)
        lines.append(f"| {column} | {names} | {len(groups)} | {failing} | {right} |")
    lines += [
        "",
        "## Cells",
        "",
        "The names of the exceptions are shortened: "
        + ", ".join(f"*{short}* is `{name}`" for name, short in SHORT.items())
        + ". *later* stands where the"
        " exception is raised behind the operation, because of it. *(value)* marks failures of the"
        " values alone, listed below; ✗ marks a cell in which the model disagrees.",
        "",
    ]
    lines += ["| operation | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for operation in OPERATIONS:
        entries = [_entry(by_place[operation.name, column]) for column in COLUMNS]
        lines.append(f"| `{operation.name.replace('|', chr(92) + '|')}` | " + " | ".join(entries) + " |")
    lines += [
        "",
        "## Failures of the values alone",
        "",
        "Other values would work in these places, so nothing is to be reported there.",
        "",
    ]
    lines += ["| operation | columns | why |", "|---|---|---|"]
    for operation in OPERATIONS:
        columns = [c for c in COLUMNS if any(cell.reason is not None for cell in by_place[operation.name, c])]
        if columns:
            lines.append(f"| `{operation.name}` | {', '.join(columns)} | {operation.value_reason} |")
    wrong = [cell for cell in found if not cell.agrees]
    if wrong:
        lines += ["", "## Where the model disagrees", "", *(f"- {cell}" for cell in wrong)]
    return "\n".join(lines) + "\n"


def _entry(group: list[Cell]) -> str:
    texts = []
    for outcome in dict.fromkeys(cell.outcome for cell in group):
        if not fails(outcome):
            text = "" if len({cell.outcome for cell in group}) == 1 else "ok"
        else:
            name, *rest = outcome.split()
            text = " ".join([SHORT.get(name, name), *rest])
        texts.append(text)
    if any(cell.reason is not None for cell in group):
        texts.append("(value)")
    if not all(cell.agrees for cell in group):
        texts.append("✗")
    return " ".join(texts).strip()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Compare the semantic model with what JAX did, operation by operation."
    )
    parser.add_argument("--write", action="store_true", help=f"write {DOCUMENT.name} instead of printing the matrix")
    options = parser.parse_args(arguments)
    table = load()
    found = list(cells(table))
    text = render(found, table)
    if options.write:
        DOCUMENT.write_text(text, encoding="utf-8")
        print(f"wrote {DOCUMENT}")
    else:
        print(text)
    return 0 if all(cell.agrees for cell in found) else 1


if __name__ == "__main__":
    sys.exit(main())
