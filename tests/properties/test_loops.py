"""Loops whose number of passes is traced."""

import jax.numpy as jnp
from hypothesis import strategies as st
from proof import arrays, prove, tried

# Work of one pass over what is carried, and what may stand before and after it.
UPDATES = [
    "a = a + x",
    "a += i",
    "b = a * 0.5",
    "a, b = b, a",
    "b += x  # grows",
    "t = a + b\nb = t - x",
    "a = a - b / 2",
]


def lines(updates, indentation):
    return "".join(f"{indentation}{line}\n" for update in updates for line in update.split("\n"))


@tried(
    updates=st.lists(st.sampled_from(UPDATES), min_size=1, max_size=3),
    bounds=st.sampled_from(["n", "1, n", "0, n + 1", "n - 1", "0, n, 2", "n, 0, -1"]),
    n=st.integers(0, 5),
    form=st.sampled_from(["float", "array"]),
    examples=14,
)
def test_a_for_loop(updates, bounds, n, form):
    zero = "0.0" if form == "float" else "jnp.zeros(3)"
    body = f"@jax.jit\ndef step(x, n):\n    a = {zero}\n    b = x + {zero}\n    for i in range({bounds}):\n"
    body += lines(updates, " " * 8) + "    return a, b\n"
    prove(body, "JAX107", (jnp.float32(1.5), n), reference=python(body))


def python(body):
    """The function as Python runs it, its numbers converted at the end."""
    import jax

    def call(x, n):
        namespace = {"jax": jax, "jnp": jnp}
        exec(body.replace("@jax.jit\n", ""), namespace)
        return jax.tree.map(jnp.asarray, namespace["step"](x, n))

    return call


@tried(
    updates=st.lists(
        st.sampled_from(["a = a + x", "a += n", "b = a * 0.5", "a, b = b, a", "t = a + b\nb = t - x"]), max_size=3
    ),
    condition=st.sampled_from(["n > 0", "n < 9", "(n > 0) & (n < 9)", "n != 9", "n > 0 and n < 9"]),
    n=st.integers(1, 8),
    place=st.sampled_from(["first", "last"]),
    examples=14,
)
def test_a_while_loop(updates, condition, n, place):
    count = "n = n + 1" if "9" in condition and "0" not in condition else "n -= 1"
    if condition in ("n < 9", "n != 9"):
        count = "n = n + 1"
    updates = [count, *updates] if place == "first" else [*updates, count]
    body = f"@jax.jit\ndef step(x, n):\n    a = 0.0\n    b = x + 1.0\n    while {condition}:\n"
    body += lines(updates, " " * 8) + "    return a, b, n\n"
    prove(body, "JAX105" if " and " in condition else "JAX104", (jnp.float32(1.5), n), reference=python(body))


@tried(xs=arrays(("float32",), (6,)), start=st.integers(0, 3), limit=st.integers(-3, 3))
def test_a_search(xs, start, limit):
    body = "@jax.jit\ndef step(xs, i, limit):\n    while (xs[i] < limit) & (i < 5):  # not found yet\n        i += 1\n    return i\n"
    prove(body, "JAX104", (xs, start, limit), reference=lambda xs, i, limit: jnp.int32(first(xs, i, limit)))


def first(xs, i, limit):
    while xs[i] < limit and i < 5:
        i += 1
    return i


@tried(
    update=st.sampled_from(["carry * 0.5 + i", "jnp.sin(carry) + x", "carry - i * x"]),
    use=st.sampled_from(
        ["    out, _ = lax.scan(step_once, x, jnp.arange({0}))\n    return out\n", "    return lax.scan(step_once, x, jnp.arange({0}))[0] * 2\n",
         "    steps = jnp.arange({0})  # one after the other\n    out, _ = lax.scan(step_once, x, steps)\n    return out, x\n",
         "    out, unused = lax.scan(step_once, x, None, length={0})\n    return out\n"]
    ),
    n=st.integers(1, 5), drawn=st.booleans(),  # without compilation a scan has one step or more
    examples=6,
)  # fmt: skip
def test_a_scan_over_a_traced_number_of_steps(update, use, n, drawn):
    if "None" in use:
        update = update.replace("i", "2").replace("s2n", "sin")
    depth = "jax.random.randint(jax.random.key(n), (), 1, 6)" if drawn else "n * 1"
    body = f"@jax.jit\ndef step(x, n):\n    depth = {depth}\n\n    def step_once(carry, i):\n        return {update}, None\n\n"
    prove(body + use.format("depth"), "JAX201", (jnp.float32(1.5), n))


@tried(
    update=st.sampled_from(["carry * 0.5 + i", "jnp.sin(carry) + x", "carry - i * x"]),
    depth=st.sampled_from(["jax.random.randint(jax.random.key(n), (), 1, 6)", "jnp.minimum(n, 4)", "jnp.clip(n, 0, LARGEST)", "n % 6"]),
    use=st.sampled_from(
        ["    out, _ = lax.scan(step_once, x, jnp.arange({0}))  # so deep\n    return out\n", "    return lax.scan(step_once, x, jnp.arange({0}))[0] * 2\n"]
    ),
    n=st.integers(1, 5), within=st.booleans(), examples=6,
)  # fmt: skip
def test_a_scan_over_a_random_depth_that_is_differentiated(update, depth, use, n, within):
    body = f"LARGEST = 4\n\n\ndef loss(x, n):\n    depth = {depth}\n\n    def step_once(carry, i):\n        return {update}, None\n\n"
    body += use.format("depth") + "\n\n"
    body += (
        "@jax.jit\ndef step(x, n):\n    return jax.grad(loss)(x, n)\n" if within else "step = jax.jit(jax.grad(loss))\n"
    )
    prove(body, "JAX201", (jnp.float32(1.5), n))
