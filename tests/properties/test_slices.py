"""Slices whose place is traced."""

import jax.numpy as jnp
from hypothesis import strategies as st
from proof import arrays, prove, tried


@tried(
    x=arrays(("float32", "int32"), (8,)),
    start=st.sampled_from(["i", "i + 1", "2 * i", "i - 1"]),
    width=st.integers(1, 3),
    form=st.sampled_from(["x[{0} : {0} + {1}]", "x[{0} : {1} + ({0})]", "x[({0}):({0}) + {1}].sum()", "x[{0} : {0} + {1}] * 2", "jnp.sin(x[{0}:{0} + {1}])"]),
    i=st.integers(1, 2),
    examples=14,
)  # fmt: skip
def test_a_window(x, start, width, form, i):
    if "({0})" in form and start == "i":
        form = "x[{0} : {0} + {1}]"
    body = f"@jax.jit\ndef step(x, i):\n    return {form.format(start, width)}\n"
    prove(body, "JAX205", (x, jnp.int32(i)))
