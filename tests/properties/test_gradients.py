"""Derivatives of what `jnp.where` does not choose."""

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from proof import PRELUDE, findings, fixed, run, tried

# The condition under which a function is finite, with the function.
PARTIAL = st.sampled_from(
    [
        ("x > 0", "jnp.sqrt(x)"),
        ("x > 0", "jnp.log(x)"),
        ("x != 0", "1 / x"),
        ("x != 0", "jnp.sin(x) / x"),
        ("x > 0", "x ** 0.5"),
        ("x > 0.5", "jnp.log(x) * 2"),
    ]
)


@tried(
    case=PARTIAL,
    other=st.sampled_from(["0.0", "x", "1.0"]),
    form=st.sampled_from(["return jnp.where({}, {}, {})", "y = {1}\n    return jnp.where({0}, y, {2})"]),
    examples=10,
)
def test_a_function_that_is_not_finite_where_it_is_not_chosen(case, other, form):
    condition, function = case
    text = PRELUDE + f"def value(x):\n    {form.format(condition, function, other)}\n\n\nstep = jax.grad(value)\n"
    assert "JAX506" in {each.code for each in findings(text, "JAX506")}, text
    new = fixed(text, "JAX506")
    left = [each for each in findings(new, "JAX506") if each.code == "JAX506"]
    assert not left, new
    for number in (0.0, 0.25, 2.0):
        got = run(new, (jnp.float32(number),))
        assert got.error is None, f"{got.error}\n{new}"
        holds = eval(condition, {"x": number})
        branch = function if holds else other
        wanted = jax.grad(lambda x: jnp.asarray(eval(branch, {"x": x, "jnp": jnp}), jnp.float32))(number)
        assert np.allclose(got.value, wanted, rtol=1e-5), f"{got.value} instead of {wanted} at {number}\n{new}"
