"""Parameters that have to be static."""

import jax.numpy as jnp
from hypothesis import strategies as st
from proof import arrays, prove, tried

# An expression that needs a concrete `n`, with a value for it.
NEEDS = st.sampled_from(
    [("jnp.sort(x, axis=n)", 0, "JAX108"), ("x.sum(n)", 0, "JAX108"), ("jax.lax.top_k(x, n)[0]", 2, "JAX108"), ("jnp.arange(n)", 3, "JAX201"),
     ("jnp.zeros((n, 2))", 2, "JAX201"), ("x.reshape(n, -1)", 2, "JAX201"), ("jnp.linspace(0.0, 1.0, n)", 4, "JAX201"), ("jnp.eye(n)", 2, "JAX201"),
     ("jnp.stack([x * i for i in range(n)])", 2, "JAX107"), ("jax.nn.one_hot(0, n)", 3, "JAX201"), ("jnp.broadcast_to(x, (n, 4))", 2, "JAX201")]
)  # fmt: skip
FORMS = st.sampled_from(
    [
        "@jax.jit\ndef made(x, n):\n    return {}\n",
        "def plain(x, n):\n    return {}\n\n\nmade = jax.jit(plain)\n",
        "@jax.jit\ndef made(x, n, /):\n    return {}\n",
        "@jax.jit\ndef made(x, scale=1.0, n=2):  # n is a number\n    y = {}\n    return y * scale\n",
        "@jax.jit  # compiled\ndef made(\n    x,\n    n,\n):\n    m = n\n    return {}\n",
    ]
)


@tried(x=arrays(("float32",), (4,)), need=NEEDS, form=FORMS, keyword=st.booleans(), examples=16)
def test_a_parameter_that_has_to_be_static(x, need, form, keyword):
    expression, value, code = need
    keyword = (keyword or "scale" in form) and "/" not in form
    call = f"made(x, n={value})" if keyword else f"made(x, {value})"
    body = form.format(expression) + f"\n\ndef step(x):\n    return {call}\n"
    prove(body, code, (jnp.asarray(x),))
