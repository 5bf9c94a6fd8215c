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


METHODS = ["sum", "mean", "max", "min", "prod", "any", "all", "var", "std"]
REDUCTIONS = [*METHODS, "count_nonzero", "nansum", "nanprod", "linalg.norm"]


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
    known = f"    x = x.astype(jnp.{x.dtype})\n"
    if reduction not in ("max", "min"):
        known = ""  # the limit of integers is that of their dtype, which must be known: the fix is for floats otherwise
    method = method and reduction in METHODS
    code = f"x[{condition}].{reduction}()" if method else f"jnp.{reduction}(x[{condition}])"
    prove(f"@jax.jit\ndef step(x):\n{known}" + form.format(code), "JAX203", (x,))


@tried(
    x=arrays(("float32", "int32"), (6,)),
    condition=CONDITIONS,
    selection=st.sampled_from(["jnp.nonzero({})", "jnp.where({})", "jnp.where({})[0]", "jnp.flatnonzero({})"]),
    use=st.sampled_from(
        ["    return x[{}].sum()\n", "    found = {}  # where\n    return x[found].sum(), x[found].prod()\n", "    return jnp.sum(x[{}] * 2)\n"]
    ),
)  # fmt: skip
def test_a_reduction_at_indices_that_are_searched(x, condition, selection, use):
    prove("@jax.jit\ndef step(x):\n" + use.format(selection.format(condition)), "JAX202", (x,))


@tried(
    x=arrays(("float32", "int32"), (6,)),
    condition=CONDITIONS,
    count=st.sampled_from(
        ["len(jnp.nonzero({})[0])", "jnp.flatnonzero({}).size", "jnp.argwhere({}).shape[0]", "jnp.where({})[0].shape[0]", "jnp.where({})[0].size"]
    ),
    around=st.sampled_from(["{} + 1", "2 * {}  # of those", "jnp.zeros(2) + {}"]),
)  # fmt: skip
def test_how_many_are_found(x, condition, count, around):
    body = f"@jax.jit\ndef step(x):\n    return {around.format(count.format(condition))}\n"
    plain = eval(around.split("  #")[0].format("count"), {"count": jnp.sum(eval(condition, {"x": x})), "jnp": jnp})
    prove(body, "JAX202", (x,), reference=lambda x: plain)


@tried(
    x=arrays(("int32",), (6,)), size=st.integers(2, 7),
    numbers=st.sampled_from(["jnp.abs(x) % {}", "jnp.argmax(jnp.outer(x, jnp.arange({})), axis=1)"]),
)  # fmt: skip
def test_classes_that_are_counted(x, size, numbers):
    name = "table" if "argmax" in numbers else "x"
    table = f"    table = jnp.outer(x, jnp.arange({size}))\n    numbers = jnp.argmax(table, axis=1)\n"
    lines = table if name == "table" else f"    numbers = {numbers.format(size)}  # of classes\n"

    def reference(x):
        classes = jnp.abs(x) % size if name == "x" else jnp.argmax(jnp.outer(x, jnp.arange(size)), axis=1)
        return jnp.bincount(classes, length=size)

    prove(f"@jax.jit\ndef step(x):\n{lines}    return jnp.bincount(numbers)\n", "JAX202", (x,), reference=reference)
