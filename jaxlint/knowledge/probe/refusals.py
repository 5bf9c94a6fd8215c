"""What parameters refuse to take, where they take an array or a key: lists, generators, dict views, seeds.

Also measured here: which functions give an array without writing its memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe.calls import FAILED, Call, Function, attempt

# Form of an argument -> what makes it of the values that an array or a list holds.
FORMS: dict[str, tuple[Callable[[Any], Any], ...]] = {
    "list": (list, tuple, lambda value: jnp.asarray(value).tolist()),
    "generator": (lambda value: (item for item in value), iter),
    "view": (lambda value: dict(enumerate(value)).values(),),
}


def refused(function: Function, calls: list[Call]) -> dict[str, list[str]]:
    """For each parameter the forms that every call refuses: "list", "generator", "view" or "seed"."""
    verdicts: dict[str, dict[str, set[bool]]] = {}
    if function.name.startswith(("jax.tree.", "jax.tree_util.")):
        return {}  # a list is a tree, and fails where its structure is not the one that is asked for
    if isinstance(function.value, type):
        return {}  # scalar types take lists; making an array of 4-bit numbers of one may end the process
    for call in calls:
        if any(callable(value) and not isinstance(value, type) for value in call.values()):
            continue  # what is refused may be refused by the function that is handed over
        for name, given in call.items():
            parameter = function.parameters.get(name)
            if parameter is None or name == "self" or parameter.kind is parameter.VAR_KEYWORD:
                continue
            starred = parameter.kind is parameter.VAR_POSITIONAL
            for form, fails in _tried(function, call, name, given, starred):
                verdicts.setdefault(name, {}).setdefault(form, set()).add(fails)
    found = {name: sorted(f for f, seen in forms.items() if seen == {True}) for name, forms in verdicts.items()}
    # A list of the words of a key is no key either, and an array of them none that should be made.
    found = {name: ["seed"] if "seed" in forms else forms for name, forms in found.items()}
    return {name: forms for name, forms in sorted(found.items()) if forms}


def _tried(function: Function, call: Call, name: str, given: Any, starred: bool) -> Iterator[tuple[str, bool]]:
    """Forms of one argument, each with whether the call fails for it alone."""

    def fails(value: Any, make: Callable[[Any], Any] = lambda value: value) -> bool:
        def tried() -> Call:  # made anew for each call, as a generator is used up
            return {**call, name: (make(value), *given[1:]) if starred else make(value)}

        return not function.traces(tried()) and attempt(lambda: function(tried())) is FAILED

    value = given[0] if starred and given else given
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        if value.ndim == 0:
            yield "seed", fails(0) and fails(np.int32(0))
        return
    if isinstance(value, list):
        yield "list", False
    if isinstance(value, (jax.Array, np.ndarray)) and value.ndim == 0 or isinstance(value, (int, float)):
        value = attempt(lambda: jnp.asarray([value]))
    is_array = isinstance(value, (jax.Array, np.ndarray)) and value.size > 0
    several = isinstance(value, (list, tuple)) and len(value) > 0 and isinstance(value[0], (jax.Array, np.ndarray))
    # The same elements as an array or a list must be welcome, or the form is not to blame.
    if not (is_array or several) or fails(jnp.asarray(value) if is_array else list(value)):
        return
    for form, makers in FORMS.items():
        if form == "list" and not is_array:
            continue
        yield form, all(fails(value, make) for make in makers)


def uninitialised(function: Function, calls: list[Call]) -> bool:
    """Whether the result is memory that nothing was written to."""
    for call in calls:
        jaxpr = attempt(lambda: jax.make_jaxpr(lambda: function(call))())
        if jaxpr is not FAILED and any(_makes_empty(jaxpr.jaxpr, out) for out in jaxpr.jaxpr.outvars):
            return True
    return False


def _makes_empty(jaxpr: Any, out: Any) -> bool:
    """Whether a variable is the result of the primitive ``empty``, in this program or in one it calls."""
    for equation in jaxpr.eqns:
        if out in equation.outvars:
            inner = equation.params.get("jaxpr") or equation.params.get("call_jaxpr")
            if inner is not None:
                inner = getattr(inner, "jaxpr", inner)
                return _makes_empty(inner, inner.outvars[equation.outvars.index(out)])
            return bool(equation.primitive.name == "empty" or equation.primitive.name == "empty2")
    return False
