"""What real JAX does with a program: which of its lines fail, and with which errors."""

from __future__ import annotations

import contextlib
import io
import sys
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

import jax

from jaxlint.verify.differential.grammar import BY_NAME, ROOT, Program, Text
from jaxlint.verify.differential.linter import Place
from jaxlint.verify.differential.uncompiled import uncompiled

FOLDER = "<generated>/"


@dataclass
class Failures:
    """``operations`` of the program that raise, with the name of the error; ``elsewhere``, a line of a construct that does."""

    operations: dict[int, str] = field(default_factory=dict)
    by_value: set[int] = field(default_factory=set)  # they raise because of the values of their operands
    elsewhere: tuple[Place, str] | None = None


def failures(program: Program, text: Text, *, compiling: bool = False) -> Failures:
    """Runs a program, and again without what failed, until it runs; ``compiling`` what it stages, or only tracing it."""
    found = Failures()
    text = Text(dict(text.files), text.rows)
    for _ in range(len(program) + 1):
        error = run(text, compiling)
        if error is None:
            return found
        place = innermost(error)
        index = text.rows.get(place) if place else None
        name = type(error).__name__
        if index is None or index in found.operations or index in found.by_value:
            found.elsewhere = (place or Place(ROOT, 0), f"{name}: {str(error).splitlines()[0] if str(error) else ''}")
            return found
        operation = BY_NAME[str(program[index].choice)]
        if name == operation.value_error:
            found.by_value.add(index)
        else:
            found.operations[index] = name
        _blank(text, index)
    return found


def _blank(text: Text, index: int) -> None:
    """Put ``pass`` in place of an operation, and keep the rows."""
    first = True
    for (file, row), each in sorted(text.rows.items()):
        if each == index:
            content = text.files[file].split("\n")
            line = content[row - 1]
            content[row - 1] = line[: len(line) - len(line.lstrip())] + "pass" if first else ""
            text.files[file] = "\n".join(content)
            first = False


def run(text: Text, compiling: bool = True) -> Exception | None:
    """Execute the files of a program; the error that it ends with."""
    try:
        with (
            contextlib.nullcontext() if compiling else uncompiled(FOLDER),
            running(text),
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            exec(compile(text.root, FOLDER + ROOT, "exec", dont_inherit=True), vars(sys.modules["program"]))
    except Exception as error:
        return error
    return None


@contextlib.contextmanager
def running(text: Text) -> Iterator[None]:
    """The modules of a program can be imported, and JAX is left as it was."""
    added = [file[:-3] for file in text.files]
    filtering = jax.config.values["jax_traceback_filtering"]
    # JAX shortens tracebacks by raising from a copy, and the copy lacks the frames we look for.
    jax.config.update("jax_traceback_filtering", "off")
    try:
        for name in added:
            sys.modules[name] = types.ModuleType(name)
        for file in reversed([file for file in text.files if file != ROOT]):  # what is imported comes first
            code = compile(text.files[file], FOLDER + file, "exec", dont_inherit=True)
            exec(code, vars(sys.modules[file[:-3]]))
        yield
    finally:
        jax.config.update("jax_traceback_filtering", filtering)
        for name in added:
            del sys.modules[name]


def innermost(error: BaseException) -> Place | None:
    """The place in the program in which an error arose, as far in as the traceback reaches."""
    place, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename.startswith(FOLDER):
            place = Place(step.tb_frame.f_code.co_filename[len(FOLDER) :], step.tb_lineno)
        step = step.tb_next
    return place
