"""The semantic model: which values are tracers, and what is asked of them that they cannot give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.budgets import LINT, TESTS, Budget
from jaxlint.analysis.model import Model
from jaxlint.ir.nodes import Unit
from jaxlint.project.custom_names import NOTHING, Conventions
from jaxlint.project.target import NEWEST, Target

if TYPE_CHECKING:
    from jaxlint.project.resolver import Loader


def analyse(
    unit: Unit,
    *,
    detailed: bool = False,
    loader: Loader | None = None,
    target: Target | None = None,
    is_test: bool = False,
    conventions: Conventions = NOTHING,
    budget: Budget | None = None,
) -> Model:
    """Analyse one lowered file and everything in it.

    ``detailed`` is for `jaxlint reveal` and the oracle: a call that changes objects is interpreted each time instead of
    repeating its summary, activations hold what they are entered with, and excluded hazards are kept. ``loader``
    finds the project's modules that the file imports (`jaxlint.project.resolver.Loader`); without one they are
    unknown. What is read of them is put behind the sites of ``unit``. ``target`` says for which releases the code
    is judged (the newest known ones), ``is_test`` that the file is a test,
    ``conventions`` what the project's own names stand for, ``budget`` how closely it is looked at: by default
    as in a lint run, which follows fewer calls from a test.
    """
    from jaxlint.analysis.analyser import Interpreter

    interpreter = Interpreter(unit, detailed, loader, budget or (TESTS if is_test else LINT))
    interpreter.target = target or NEWEST
    # A test calls its modules where it can be seen, and not always compiled.
    interpreter.conventions = conventions._replace(presumed=()) if is_test else conventions
    interpreter.model.is_test = is_test
    interpreter.model.conventions = conventions
    try:
        return interpreter.analyse()
    finally:
        interpreter.close()
