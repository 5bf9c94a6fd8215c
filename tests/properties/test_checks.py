"""Assertions about tracers, and errors that are raised by their values."""

import jax
import jax.numpy as jnp
from hypothesis import strategies as st
from jax.experimental import checkify
from proof import PRELUDE, comments, findings, fixed, run, tried

# What a file imports decides how it checks.
HEADS = {
    "nothing": "",
    "checkify": "from jax.experimental import checkify\n\n\ndef other(x):\n    checkify.check(x > 0, 'x')\n\n\n",
    "equinox": "import equinox as eqx\n\n\nclass Model(eqx.Module):\n    w: jax.Array\n\n\n",
    "callback": "def shown(x):\n    jax.debug.callback(print, x)\n\n\n",
}
# Each holds for 2.0, and none for -3.0.
CONDITIONS = st.sampled_from(
    ["x > 0", "x != -3", "x == 2", "jnp.abs(x) < 3", "y > -1", "x.ndim == 0 and y > 0", "0 <= x", "y"]
)
MESSAGES = st.sampled_from(["", ', "x is positive"', ', f"x is {x}"', ', "100 %"', ', f"{y} of {x.shape}"'])


@st.composite
def checks(draw):
    condition = draw(CONDITIONS)
    if condition == "y":
        condition = "y > 0"
    if draw(st.booleans()):
        return [f"assert {condition}{draw(MESSAGES)}  # checked"]
    message = draw(MESSAGES.filter(bool))[2:]
    condition = condition.rpartition(" and ")[2]
    return [f"if not ({condition}):  # checked", f"    raise ValueError({message})"]


@tried(head=st.sampled_from(sorted(HEADS)), lines=checks(), more=st.booleans(), examples=16)
def test_a_check(head, lines, more):
    above = "    z = x * 2\n" if more else ""
    body = "".join(f"    {line}\n" for line in lines)
    text = PRELUDE + HEADS[head] + f"@jax.jit\ndef step(x):\n    y = x + 0\n{above}{body}    return x + y\n"
    assert {each.code for each in findings(text, "JAX103")} & {"JAX103", "JAX105"}, text
    new = fixed(text, "JAX103")
    left = [each for each in findings(new, "JAX103") if each.code in ("JAX103", "JAX105")]
    assert not left, f"still reported: {left[0].message}\n{new}"
    assert not comments(text) - comments(new), f"comments are lost in\n{new}"
    good, bad = jnp.float32(2), jnp.float32(-3)
    ran = run(new, (good,))
    assert ran.error is None and ran.value == 4, f"{ran.error}\n{new}"
    if "debug_check" in new:
        namespace = {"__name__": "program"}
        exec(new, namespace)
        checked = checkify.checkify(namespace["step"])
        assert checked(good)[0].get() is None and checked(bad)[0].get() is not None, new
    else:
        assert run(new, (bad,)).error is not None, new
    jax.clear_caches()  # a callback that failed
