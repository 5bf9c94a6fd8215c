"""NumPy functions on tracers."""

import jax
import jax.numpy as jnp
from hypothesis import strategies as st
from proof import PRELUDE, arrays, prove, run, tried

ELEMENTWISE = [
    "abs",
    "negative",
    "floor",
    "ceil",
    "sign",
    "sin",
    "cos",
    "exp",
    "tanh",
    "square",
    "isnan",
    "isfinite",
    "sqrt",
    "log1p",
    "rint",
]
REDUCTIONS = ["linalg.norm", "nanmax", "nanmin", "median", "nanmean", "count_nonzero", "nansum"]
PAIRS = [
    "add",
    "maximum",
    "minimum",
    "multiply",
    "power",
    "arctan2",
    "logical_and",
    "greater",
    "not_equal",
    "hypot",
    "dot",
    "outer",
]
# Their results have a form of their own. What NumPy leaves to a method of the array (`sort`, `clip`) is no hazard.
FORMED = [
     "roll({}, 1)", "diff({})", "tril({}[None])", "stack([{}, {}])", "concatenate([{}, {}])",
    "where({} > 0, {}, 0.0)", "zeros_like({})", "ones_like({})", "atleast_2d({})", "tile({}, 2)", "expand_dims({}, 0)",
    "triu(np.abs({})[None])", "nan_to_num({})",
]  # fmt: skip
VALUES = st.sampled_from(["x", "x + 1", "x * x", "-x"])


@st.composite
def calls(draw):
    values = [draw(VALUES), draw(VALUES)]
    kind = draw(st.sampled_from(["elementwise", "reduction", "pair", "formed"]))
    if kind == "elementwise":
        return f"np.{draw(st.sampled_from(ELEMENTWISE))}({values[0]})"
    if kind == "reduction":
        return f"np.{draw(st.sampled_from(REDUCTIONS))}({values[0]})"
    if kind == "pair":
        return f"np.{draw(st.sampled_from(PAIRS))}({values[0]}, {values[1]})"
    form = draw(st.sampled_from(FORMED))
    return "np." + form.format(*(f"({value})" if form.count("{}") == 1 else value for value in values))


def on_host(body):
    """The function without compilation, its results as arrays of JAX: NumPy counts in 64 bits."""

    def call(x):
        ran = run(PRELUDE + body, (x,), jax.disable_jit)
        assert ran.error is None, ran.error
        return jax.tree.map(jnp.asarray, ran.value)

    return call


@tried(
    x=arrays(("float32",), (4,)), call=calls(),
    form=st.sampled_from(
        [
            "    return {}\n", "    y = {}  # of x\n    return y, x\n", "    return jnp.asarray({}) * 1\n",
            "    return jnp.sum(\n        # all of it\n        {}\n    )\n",
        ]
    ),
    examples=20,
)  # fmt: skip
def test_a_function_of_numpy(x, call, form):
    body = "@jax.jit\ndef step(x):\n" + form.format(call)
    prove(body, "JAX301", (x,), reference=on_host(body))


@tried(
    x=arrays(("float32",), (4,)),
    name=st.sampled_from(["np", "onp", "numpy", "from"]),
    function=st.sampled_from(["sin", "exp", "floor"]),
)
def test_an_import_of_another_name(x, name, function):
    statement = {
        "np": "import numpy as np",
        "onp": "import numpy as onp",
        "numpy": "import numpy",
        "from": f"from numpy import {function}",
    }[name]
    call = f"{function}(x)" if name == "from" else f"{name}.{function}(x)"
    prove(f"{statement}\n\n\n@jax.jit\ndef step(x):\n    return {call} + 1\n", "JAX301", (x,))
