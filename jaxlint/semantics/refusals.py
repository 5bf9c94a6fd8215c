"""Arguments of a form that a function does not take: lists, generators and dict views for arrays, seeds for keys."""

from __future__ import annotations

from typing import Any, Optional

from jaxlint.semantics import values as v
from jaxlint.semantics.arguments import bound
from jaxlint.semantics.expressions import Call
from jaxlint.semantics.model import Kind


def refuses(i: Any, name: str, found: Any, call: Call) -> bool:
    """Whether the function refuses an argument of the call for its form; recorded if so."""
    for parameter, value, node in bound(found, call) if found.refuses else ():
        form = form_of(i, value) if parameter in found.refuses else None
        if form in found.refuses.get(parameter, ()):
            i.demand(Kind.REFUSED, call.node, node, value, api=name, parameter=parameter, detail=form)
            return True
    return False


def form_of(interpreter: Any, value: v.Value) -> Optional[str]:
    """The form of a value as `knowledge.Facts.refuses` names it; None for any other."""
    if interpreter.is_list(value):
        return "list"
    if type(value) is v.Iterator:
        return value.form
    if v.python_type(value) == "int":
        return "seed"
    aval = value.aval if type(value) in (v.Array, v.Host) else v.ANY
    if aval.shape == () and aval.dtype is not None and aval.dtype.startswith("int"):
        return "seed"  # of unsigned integers keys are made
    return None
