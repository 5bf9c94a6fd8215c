"""The semantic model: which values are tracers, and what is asked of them that they cannot give."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from jaxlint.semantics.model import Model
from jaxlint.syntax import Unit


def analyse(
    unit: Unit,
    *,
    record: bool = False,
    loader: Optional[Any] = None,
    target: Optional[str] = None,
    is_test: bool = False,
    roots: Sequence[Unit] = (),
) -> Model:
    """Analyse one lowered file and everything in it.

    ``record`` keeps the value of every expression in ``Model.values`` (for `jaxlint reveal` and the
    oracle). ``loader`` gives the units of imported project modules, ``target`` is the JAX version
    specifier the code is judged for, ``is_test`` says that the file is a test. ``roots`` are files lowered
    onto ``unit`` that import it: their calls are followed too.
    """
    from jaxlint.semantics.interpret import Interpreter

    interpreter = Interpreter(unit, record)
    try:
        model = interpreter.analyse(roots)
    finally:
        interpreter.close()
    model.is_test = is_test
    return model
