"""Runs programs without compiling what they stage.

What the grammar's programs do wrong fails while their functions are traced, and no construct looks at the values that a staged
function gives, while compiling it would be most of the time a small program takes. So the staged functions of a program are
traced as ever, and give arrays of ones of the right types. Operations outside of them have their values, and so have JAX's own
functions: what they are compiled to is kept for the next program.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import core, pjit

_RUN = "_pjit_call_impl_python"  # what compiles and runs a staged function
_compiled: dict[str, Any] = {}


@contextlib.contextmanager
def uncompiled(folder: str) -> Iterator[None]:
    """In here, functions whose code is in a file of ``folder`` are traced and not run."""
    compiling = getattr(pjit, _RUN)

    def run(*given: Any, jaxpr: Any, **options: Any) -> Any:
        if jaxpr.effects or not all(_is_plain(aval) for aval in jaxpr.out_avals):
            return compiling(*given, jaxpr=jaxpr, **options)
        if _is_of(jaxpr.jaxpr, folder):
            return [_ones(aval) for aval in jaxpr.out_avals], None, None, []
        # JAX keeps what it compiled by the identity of the traced function, which derivatives trace anew.
        text = f"{jaxpr.in_avals} {jaxpr.out_avals} {[getattr(each, 'sharding', None) for each in given]} {jaxpr} {options}"
        if text in _compiled:
            return _compiled[text].unsafe_call(*given), _compiled[text], None, []
        result = compiling(*given, jaxpr=jaxpr, **options)
        if not jaxpr.consts and not result[3]:
            _compiled[text] = result[1]
        return result

    setattr(pjit, _RUN, run)
    try:
        yield
    finally:
        setattr(pjit, _RUN, compiling)


def _is_of(jaxpr: Any, folder: str) -> bool:
    """Whether a function of ``folder`` was traced to it, or to the body of the one loop or branch that it holds."""
    if (jaxpr.debug_info.func_filename or "").startswith(folder):
        return True
    return len(jaxpr.eqns) == 1 and any(_is_of(each, folder) for each in core.jaxprs_in_params(jaxpr.eqns[0].params))


def _is_plain(aval: Any) -> bool:
    """Whether an array of it can be made: keys and tangents of integers have types of their own."""
    return isinstance(aval, core.ShapedArray) and isinstance(aval.dtype, np.dtype) and aval.dtype != jax.dtypes.float0


def _ones(aval: Any) -> jax.Array:
    made = jnp.ones(aval.shape, aval.dtype)
    return (
        jax.lax.convert_element_type_p.bind(made, new_dtype=aval.dtype, weak_type=True, sharding=None)
        if aval.weak_type
        else made
    )
