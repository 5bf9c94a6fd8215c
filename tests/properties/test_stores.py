"""Writes into arrays, updates that are thrown away, and indices that are lists."""

import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from proof import arrays, prove, tried

OPERATORS = ["=", "+=", "-=", "*=", "/=", "//=", "**=", "%=", "&=", "|=", "^=", "<<=", ">>="]
INDICES = st.sampled_from(["0", "-1", "i", "1:3", "::2", "i + 1", "...", ":"])
MAKERS = ["jnp.ones(5)", "jnp.arange(5.0)", "jnp.asarray(x) * 1", "jnp.full((5,), 2.0)"]


def by_hand(body):
    """What the statements do to a NumPy array of JAX's dtype."""

    def call(*arguments):
        text = body.replace("@jax.jit\n", "")
        for maker in MAKERS:
            text = text.replace(maker, f"np.array({maker})")
        namespace = {"np": np, "jnp": jnp}
        exec(text, namespace)
        return jnp.asarray(namespace["step"](*arguments))

    return call


@tried(
    maker=st.sampled_from(MAKERS), index=INDICES, operator=st.sampled_from(OPERATORS[:8]),
    value=st.sampled_from(["2", "x[0]", "1.5 if i else 3.0", "x[0] + 1", "-1", "i"]), x=arrays(("float32",)),
    staged=st.booleans(), examples=20,
)  # fmt: skip
def test_a_write(maker, index, operator, value, x, staged):
    decorator = "@jax.jit\n" if staged and "if i" not in value and ":" not in index else ""
    body = f"{decorator}def step(x, i):\n    y = {maker}\n    y[{index}] {operator} {value}  # changed\n    return y\n"
    x = abs(x) + 1
    prove(body, "JAX308", (x, 1), reference=by_hand(body))


@tried(operator=st.sampled_from(OPERATORS), index=st.sampled_from(["0", "1:3", "(0, 1)[1]"]), value=st.integers(1, 3))
def test_a_write_into_integers(operator, index, value):
    body = f"def step():\n    y = jnp.arange(5)\n    y[{index}] {operator} {value}\n    return y\n"
    namespace = {}
    if operator == "/=":
        return  # NumPy refuses it
    exec(f"import numpy as np\ny = np.arange(5, dtype=np.int32)\ny[{index}] {operator} {value}", namespace)
    prove(body, "JAX308", (), reference=lambda: jnp.asarray(namespace["y"]))


@tried(
    writes=st.lists(
        st.sampled_from(["y[0, 1] = x[0]", "y[1] += x[1]", "y[:, 0] *= 2", "z[0] = y[0, 0]", "y[0][1] = 3.0", "z[1:] -= 1", "y[0] = y[1]; z[2] = 1",
                         "y[0, 1], z[2] = 5.0, y[1, 1]", "(z[0], (z[1], y[1, 0])) = 1.0, (z[1], z[0])", "y[0, 0] = z[1] = 3.0", "t, z[0] = z[1], 4.0",
                         "z[0] = z[2] = x[0] + z[1]", "y[1, 1] = z[0] = x[1]"]),
        min_size=1, max_size=4,
    ),
    x=arrays(("float32",)), looped=st.booleans(),
)  # fmt: skip
def test_writes_after_one_another(writes, x, looped):
    head = "    for _ in range(2):\n" if looped else ""
    lines = "".join(f"{'        ' if looped else '    '}{write}\n" for write in writes)
    body = f"@jax.jit\ndef step(x):\n    y = jnp.zeros((2, 2))\n    z = jnp.ones(3)\n{head}{lines}    return y, z\n"
    plain = (
        body.replace("@jax.jit\n", "")
        .replace("jnp.zeros((2, 2))", "np.zeros((2, 2), np.float32)")
        .replace("jnp.ones(3)", "np.ones(3, np.float32)")
    )
    namespace = {"np": np}
    exec(plain, namespace)
    prove(body, "JAX308", (x,), reference=lambda x: tuple(map(jnp.asarray, namespace["step"](x))))


@tried(
    update=st.sampled_from(["x.at[0].set(9.0)", "x.at[1:].add(x[0])", "x.at[-1].multiply(3)", "x.at[0].set(1.0).at[1].add(2)", "x.sort()"]),
    place=st.sampled_from(["    {}\n", "    {}; {}\n", "    for _ in range(2):\n        {}  # again\n", "    if x.ndim:\n        {}\n"]),
    x=arrays(("float32",)),
)  # fmt: skip
def test_an_update_that_is_thrown_away(update, place, x):
    lines = place.format(update, update)
    body = f"@jax.jit\ndef step(x):\n    x = x * 1.0\n{lines}    return x\n"
    namespace = {}
    exec(f"def step(x):\n    x = x * 1.0\n{lines.replace(update, f'x = {update}')}    return x\n", namespace)
    prove(body, "JAX309", (x,), reference=namespace["step"], fails=False)


@tried(
    index=st.lists(st.integers(-3, 4), min_size=1, max_size=4), x=arrays(("float32", "int32")),
    use=st.sampled_from(["y[{}]", "y[{}].sum()", "y.at[{}].set(0)", "y[{}] * 2 + 1", "y[\n        {}\n    ]"]),
)  # fmt: skip
def test_a_list_as_index(index, x, use):
    body = f"@jax.jit\ndef step(x):\n    y = x * 1\n    return {use.format(index)}\n"
    reference = use.format(f"np.array({index})")
    prove(body, "JAX208", (x,), reference=lambda x: eval(reference.replace("\n", ""), {"y": x * 1, "np": np}))
