"""Transforms of JAX around layers of Flax and Haiku, which have transforms of their own."""

import jax
import jax.numpy as jnp
from hypothesis import strategies as st
from proof import comments, findings, fixed, tried

from jaxlint.verify import compare

# What a transform does with a layer, and the same without one.
TRANSFORMED = st.sampled_from(
    [
        ("jax.checkpoint(lambda row: layer(row))(x)", "layer(x)"),
        ("jax.jit(lambda row: layer(row) * 2)(x)", "layer(x) * 2"),
        ("jax.lax.cond(x.sum() > 0, lambda row: layer(row), lambda row: row * 2, x)", "layer(x)"),
        ("jax.lax.cond(x.sum() > 0, layer, jnp.sin, x)", "layer(x)"),
        ("jax.lax.switch(1, [layer, lambda row: -row], x)", "-x"),
        ("jax.lax.fori_loop(0, 2, lambda i, c: layer(c) + i, x)", "layer(layer(x)) + 1"),
        ("jax.lax.scan(lambda c, row: (layer(c) + row, c), x, jnp.ones((2, 3)))[0]", "layer(layer(x) + 1) + 1"),
        ("jax.lax.scan(lambda c, _: (layer(c), c), x, None, length=2)[1]", "jnp.stack([x, layer(x)])"),
        ("jax.lax.map(lambda row: layer(row), jnp.stack([x, -x]))", "jnp.stack([layer(x), layer(-x)])"),
        ("jax.lax.while_loop(lambda c: c.sum() < 0, lambda c: jnp.abs(layer(c)), x)", "x"),
    ]
)
PLACES = st.sampled_from(
    ["return {}", "y = {}  # the layer's\n{indent}return y", "y = jnp.tanh(x)\n{indent}x = {}\n{indent}return x"]
)
LINEN = """import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = nn.Dense(3)
        BODY


model = Net()
"""
HAIKU = """import haiku as hk
import jax
import jax.numpy as jnp


def net(x):
    layer = hk.Linear(3)
    BODY


model = hk.without_apply_rng(hk.transform(net))
"""


@tried(case=TRANSFORMED, place=PLACES, library=st.sampled_from([("JAX611", LINEN), ("JAX601", HAIKU)]), examples=8)
def test_a_layer_in_a_transform_of_jax(case, place, library):
    code, head = library
    indent = "        " if code == "JAX611" else "    "
    staged, plain = (head.replace("BODY", place.format(each, indent=indent)) for each in case)
    assert code in {each.code for each in findings(staged, code)}, f"{code} is not reported in\n{staged}"
    new = fixed(staged, code)
    left = [each for each in findings(new, code) if each.code == code]
    assert not left, f"still reported: {left[0].message}\n{new}"
    assert not comments(staged) - comments(new), f"comments are lost in\n{new}"
    x, key = jnp.ones(3), jax.random.key(0)
    models = []
    for text in (new, plain):
        namespace = {"__name__": "program"}
        exec(compile(text, "program.py", "exec", dont_inherit=True), namespace)
        models.append(namespace["model"])
    made, wanted = models
    variables = made.init(key, x)
    difference = compare.difference(made.apply(variables, x), wanted.apply(variables, x))
    assert difference is None, f"{difference}\n{new}"
