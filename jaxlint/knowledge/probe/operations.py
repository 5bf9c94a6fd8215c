"""Runs every operation under every harness and writes what JAX did.

    python -m jaxlint.knowledge.probe.operations            write the table
    python -m jaxlint.knowledge.probe.operations --check    compare the table with this JAX

An outcome is ``ok``, or the class of the exception raised in the snippet, or that class and
`` later`` when the exception is raised behind the snippet because of it.

All programs run in one process. Nothing in them outlives its program: the probe makes sure by
running each harness with an empty snippet first and once more when everything else has run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import platform
import sys
import traceback
import warnings
from collections.abc import Iterable, Iterator

import jax
import numpy as np

from jaxlint.knowledge.harnesses import HARNESSES, Harness, marked_lines, program
from jaxlint.knowledge.matrix import TABLE, Table, load
from jaxlint.knowledge.operations import OPERATIONS, Operation

FILENAME = "<probed>"
EMPTY = Operation("pass")


class BrokenHarness(Exception):
    """A harness that does not run even with an empty snippet: its outcomes would mean nothing."""


def outcome(text: str) -> str:
    """Execute a program and say how its operation ended."""
    code = compile(text, FILENAME, "exec")
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            exec(code, {"__name__": "probed"})
    except Exception as error:
        rows = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILENAME]
        name = type(error).__name__
        return name if rows[-1] in marked_lines(text) else f"{name} later"
    return "ok"


def probe(pairs: Iterable[tuple[Operation, Harness]]) -> Iterator[tuple[str, str, str]]:
    """``(operation, harness, outcome)`` for every pair, in their order."""
    # JAX shortens tracebacks by raising from a copy, and the copy lacks the frames we look for.
    filtering = jax.config.values["jax_traceback_filtering"]
    jax.config.update("jax_traceback_filtering", "off")
    try:
        _verify_harnesses()
        for operation, harness in pairs:
            yield operation.name, harness.name, outcome(program(operation, harness))
        _verify_harnesses()
    finally:
        jax.config.update("jax_traceback_filtering", filtering)


def _verify_harnesses() -> None:
    for harness in HARNESSES:
        result = outcome(program(EMPTY, harness))
        if result != "ok":
            raise BrokenHarness(f"harness {harness.name} raises {result} without any operation in it")


def sample() -> list[tuple[Operation, Harness]]:
    """Each operation under one harness, the harnesses taking turns: enough to notice another JAX."""
    return [(operation, HARNESSES[i % len(HARNESSES)]) for i, operation in enumerate(OPERATIONS)]


def measure() -> Table:
    """The whole table, from the JAX that is installed."""
    outcomes: dict[str, dict[str, str]] = {operation.name: {} for operation in OPERATIONS}
    for operation, harness, result in probe((o, h) for h in HARNESSES for o in OPERATIONS):
        outcomes[operation][harness] = result
        if operation == OPERATIONS[-1].name:
            print(f"probed {harness}", file=sys.stderr, flush=True)
    versions = {"jax": jax.__version__, "numpy": np.__version__, "python": platform.python_version()}
    return Table(versions, jax.default_backend(), outcomes)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run every operation under every transform, and write the outcomes.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the table differs")
    options = parser.parse_args(arguments)
    table = measure()
    if not options.check:
        TABLE.write_text(table.dumps(), encoding="utf-8")
        print(f"wrote {TABLE}")
        return 0
    differences = list(load().differences(table))
    for line in differences:
        print(line)
    print(f"{len(differences)} differences between {TABLE.name} and jax {jax.__version__}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
