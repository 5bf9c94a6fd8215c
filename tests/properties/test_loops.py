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
