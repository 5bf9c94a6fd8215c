"""Masked updates, masked reductions and indices of elements that satisfy a condition."""

import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from proof import FLOATS, INTEGERS, arrays, prove, tried

# Comparisons of `x`, whose type the linter knows, with a number.
CONDITIONS = st.builds(
    str.format, st.sampled_from(["x {0} {1}", "(x {0} {1}) & (x != 0)", "~(x {0} {1})", "(x {0} {1}) | (x == 2)"]),
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.sampled_from(["0", "1", "0.5"]),
)  # fmt: skip


@tried(
    x=arrays(FLOATS + INTEGERS),
    condition=CONDITIONS,
    method=st.sampled_from(["set", "add", "multiply", "min", "max"]),
    value=st.sampled_from(["0", "1", "-1", "2.5", "True"]),
    form=st.sampled_from(
        [
            "    return x.at[{}].{}({})\n",
            "    y = x.at[{}].{}({})  # kept\n    return y + x\n",
            "    return jnp.sum(\n        x.at[\n            {}\n        ].{}({})\n    )\n",
            "    return (x + 1) * x.at[{}].{}({}) ** 2\n",
        ]
    ),
    examples=12,
)
def test_an_update_under_a_mask(x, condition, method, value, form):
    if x.dtype == jnp.uint8 and value == "-1":
        value = "3"
    body = "@jax.jit\ndef step(x):\n" + form.format(condition, method, value)
    prove(body, "JAX204", (x,), safe="~" not in condition)


REDUCTIONS = ["sum", "mean", "max", "min", "prod", "any", "all", "var", "std"]


@tried(
    x=arrays(("float32", "int32"), (6,)),
    condition=CONDITIONS,
    reduction=st.sampled_from(REDUCTIONS),
    method=st.booleans(),
    form=st.sampled_from(
        ["    return {}\n", "    total = {}  # of those\n    return total * 2\n", "    return jnp.asarray(1.0) - {}\n"]
    ),
    examples=12,
)
def test_a_reduction_under_a_mask(x, condition, reduction, method, form):
    x = x.at[0].set(1).at[1].set(-2)  # at least one element is chosen by either side of a comparison
    chosen = eval(condition, {"x": np.asarray(x)})
    if not chosen.any():
        return
    if reduction in ("any", "all") and form.endswith("1.0) - {}\n"):
        form = "    return {}\n"
    if reduction in ("max", "min"):
        x = x.astype(jnp.float32)  # the fix says that it is for floats
    code = f"x[{condition}].{reduction}()" if method else f"jnp.{reduction}(x[{condition}])"
    prove("@jax.jit\ndef step(x):\n" + form.format(code), "JAX203", (x,))
