"""Conversions of tracers to Python numbers, and Python's own reductions."""

from hypothesis import strategies as st
from proof import arrays, prove, scalars, tried

EXPRESSIONS = st.sampled_from(["x", "x * 2", "x + y", "-x", "x - 1", "abs(x)", "x / 2", "x if True else y"])


@tried(
    x=scalars(("float32",)), y=scalars(("float32",)), value=EXPRESSIONS,
    cast=st.sampled_from(["int({})", "float({})", "bool({})", "({}).item()", "({}).__float__()"]),
    around=st.sampled_from(["{}", "{} * 2", "1 + {}", "-{}", "jnp.sin({})", "{} ** 2", "[{}, 1.0][0]"]),
    examples=14,
)  # fmt: skip
def test_a_conversion(x, y, value, cast, around):
    if cast.startswith("bool") and around.startswith("-"):
        around = "{}"
    code = "JAX101" if "." in cast else "JAX102"
    prove(f"@jax.jit\ndef step(x, y):\n    x = x + 0.0\n    return {around.format(cast.format(value))}\n", code, (x, y))


@tried(
    x=arrays(("float32",), ()),
    function=st.sampled_from(
        ["sqrt", "exp", "log1p", "sin", "atan", "floor", "ceil", "fabs", "isfinite", "degrees", "tanh", "expm1", "erf"]
    ),
    value=st.sampled_from(["x", "x * x", "x + 1", "-(-x)"]),
    around=st.sampled_from(["{}", "2 * {}", "{} ** 2", "-{}"]),
    examples=14,
)
def test_a_function_of_math(x, function, value, around):
    if function == "isfinite":
        around = "{}"
    x = abs(x)
    text = f"import math\n\n\n@jax.jit\ndef step(x):\n    return {around.format(f'math.{function}({value})')}\n"
    prove(text, "JAX102", (x,))


@tried(
    x=arrays(("float32", "int32"), (4,)), y=arrays(("float32",), (4,)),
    call=st.sampled_from(
        [
            "max(x)", "min(x)", "max(x[0], x[1])", "min(x[0], x[1], y[1])", "max([x[0], x[1], x[2]])", "any(x > 0)", "all(x > y)",
            "max(x.sum(), 0)", "min(v * v for v in x)", "any(v > 1 for v in x)", "max((x[0], y[0]))", "all([x[0] > 0, y[0] > 0])",
            "max(x.max(), y.max()) - min(x.min(), y.min())", "max(x + 1)", "jnp.asarray(sorted(x))", "jnp.asarray(sorted(x, reverse=True))",
        ]
    ),
    around=st.sampled_from(["{}", "({}, x)", "{}  # of all"]),
    examples=16,
)  # fmt: skip
def test_a_reduction_of_python(x, y, call, around):
    if "y" in call:
        x = x.astype("float32")  # Python's result has the dtype of whichever it is
    prove(
        f"@jax.jit\ndef step(x, y):\n    y = y * 1.0\n    x = x + 0\n    return {around.format(call)}\n",
        "JAX106",
        (x, y),
    )
