"""JAX301: when `np` may become `jnp` as a safe fix, because the bits of the result are the same outside of a transform."""

import itertools

import pytest
from hypothesis import given, settings, strategies as st

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

# An array of a dtype, as a function of JAX makes it.
MADE = {
    "float32": "jax.random.normal(key, (8,))",
    "bfloat16": "jax.random.normal(key, (8,), jnp.bfloat16)",
    "int32": "jax.random.randint(key, (8,), 0, 9)",
    "bool": "jax.random.bernoulli(key, 0.5, (8,))",
}
ANY = tuple(MADE)

# Functions that only move, choose, compare or round once, and the dtypes for which NumPy gives the bits that JAX gives.
ONE = {
    **dict.fromkeys(
        "abs absolute negative positive signbit isnan isinf isfinite isneginf isposinf iscomplex logical_not"
        " fliplr flipud ravel atleast_1d atleast_2d atleast_3d copy zeros_like ones_like diff triu tril diag diagonal"
        " diagflat".split(),
        ANY,
    ),
    "ptp": ("int32", "bool"),
    "nan_to_num": ("float32", "int32", "bool"),
    **dict.fromkeys("nanmax nanmin".split(), ("int32", "bool")),
    **dict.fromkeys("floor ceil trunc rint sqrt square reciprocal".split(), ("float32",)),
    "sort": ("int32", "bool"),
}
TWO = {
    **dict.fromkeys(
        "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor".split(),
        ANY,
    ),
    **dict.fromkeys("add multiply subtract".split(), ANY),
    **dict.fromkeys("maximum minimum fmax fmin".split(), ("int32", "bool")),
    **dict.fromkeys("fmod copysign".split(), ("float32",)),
    **dict.fromkeys("bitwise_and bitwise_or bitwise_xor left_shift right_shift".split(), ("int32",)),
}
MANY = ("concatenate", "stack", "hstack", "vstack")

# What NumPy computes in another way: another order, another dtype, another approximation.
UNSAFE = [
    *(f"np.{name}(a)" for name in ("exp", "log", "sin", "tanh", "sum", "mean", "cumsum", "var", "cbrt", "expm1")),
    "np.arctan2(a, a)", "np.power(a, 2.5)", "np.hypot(a, a)", "np.divide(i, 3)",
    "np.sort(a)", "np.nanmax(h)", "np.nan_to_num(h)", "np.remainder(a, a)", "np.floor(i)", "np.sqrt(i)", "np.square(h)", "np.remainder(i, i)", "np.left_shift(b, b)", "np.bitwise_and(b, i)",
    # The two have different dtypes, which NumPy and JAX promote differently.
    "np.add(i, a)", "np.maximum(h, i)", "np.concatenate([a, i])", "np.stack([a, h])",
    # The larger of 0.0 and -0.0 is 0.0 for JAX, and the first one for NumPy.
    "np.maximum(a, a)", "np.minimum(h, h)", "np.fmax(a, a)", "np.nanmin(a)", "np.ptp(a)", "np.maximum(a, 0)", "np.minimum(0.0, a)",
    # A number that NumPy computes with in another dtype than JAX.
    "np.maximum(i, 0.5)", "np.add(h, 0.5)", "np.add(b, 1)", "np.add(a, 2**24)", "np.add(i, 16777216)",
    # Parameters change what is computed.
    "np.sort(a, axis=0)", "np.abs(a, dtype=jnp.float16)", "np.concatenate([a, a], axis=0)",
]  # fmt: skip

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"


def levels(bodies):
    """The level of the fix in each function, or None for no fix; ``bodies`` are what they return."""
    arrays = "".join(f"    {name} = {MADE[dtype]}\n" for name, dtype in zip("ahib", MADE))
    blocks = [f"@jax.jit\ndef f{n}(key):\n{arrays}    {body}\n\n\n" for n, body in enumerate(bodies)]
    rows = list(itertools.accumulate((block.count("\n") for block in blocks), initial=HEAD.count("\n")))
    source = Source.from_text(HEAD + "".join(blocks), "/project/a.py")
    found = [each for each in check_source(source, Config(root="/project")).diagnostics if each.code == "JAX301"]
    result = [None] * len(bodies)
    for each in found:
        at = next(n for n, row in enumerate(rows[1:]) if each.start.row <= row)
        result[at] = each.fix.applicability.value if each.fix else None
    return dict(zip(bodies, result))


def array(dtype):
    return "ahib"[list(MADE).index(dtype)]


def same_bits():
    """Programs whose fix is safe."""
    calls = [f"np.{name}({array(dtype)})" for name, dtypes in ONE.items() for dtype in dtypes]
    calls += [f"np.{name}({array(dtype)}, {array(dtype)})" for name, dtypes in TWO.items() for dtype in dtypes]
    calls += [f"np.{name}([{array(dtype)}, {array(dtype)}])" for name in MANY for dtype in ANY]
    calls += ["np.maximum(a, 0.5)", "np.maximum(a, 1)", "np.add(i, 3)", "np.add(a, 16777215)", "np.minimum(2, a)"]
    return calls


def test_the_fix_is_safe_where_the_bits_are_the_same():
    bodies = [f"return jnp.sum({call})" for call in same_bits()]
    assert {body: level for body, level in levels(bodies).items() if level != "safe"} == {}


def test_the_fix_is_unsafe_where_they_are_not():
    bodies = [f"return jnp.sum({call})" for call in UNSAFE]
    assert {body: level for body, level in levels(bodies).items() if level not in ("unsafe", None)} == {}


@pytest.mark.parametrize(
    "body, level",
    [
        ("return a * np.abs(a)", "safe"),
        ("return np.abs(a) * a", "safe"),
        ("return jnp.sum(np.abs(a[1:]))", "safe"),
        ("return jnp.sum(np.abs(a * 2 + a))", "safe"),
        ("return jnp.sum(np.abs(a.reshape(2, 4)))", "safe"),
        ("return jnp.sum(np.abs(jnp.exp(a)))", "safe"),
        # What NumPy gives is seen by other code, and is an array of another type.
        ("return np.abs(a)", "unsafe"),
        ("y = np.abs(a)\n    return y", "unsafe"),
        ("return np.abs(a) * 2", "unsafe"),
        ("return np.abs(a) * np.ones(8, 'float32')", "unsafe"),
        ("return print(np.abs(a))", "unsafe"),
        ("return [np.abs(a)]", "unsafe"),
        ("return jax.device_get(np.abs(a))", "unsafe"),
        # The name may stand for something else than the array.
        ("for _ in range(2):\n        a = g(a)\n    return jnp.sum(np.abs(jnp.asarray(a) * key[0]))", "unsafe"),
    ],
)
def test_the_result_goes_straight_into_jax(body, level):
    assert list(levels([body]).values()) == [level]


def test_the_bits_are_those_of_jax():
    """Every call whose fix is safe, on special values; subnormal numbers are zero for XLA."""
    np = pytest.importorskip("numpy")
    jax = pytest.importorskip("jax", reason="jax is not installed: the bits cannot be compared")
    jnp = jax.numpy
    floats = np.array(
        [0.0, -0.0, 1.5, -2.5, 3.1e38, -3.1e38, np.inf, -np.inf, np.nan, 0.1, 7.3, -7.3, 1e-30], "float32"
    )
    floats = np.concatenate([floats, np.random.default_rng(0).normal(size=201).astype("float32")])
    values = {
        "a": [floats, floats[::-1].copy()],
        "h": [jnp.asarray(floats, jnp.bfloat16), jnp.asarray(floats[::-1].copy(), jnp.bfloat16)],
        "i": [np.arange(-20, 20, dtype="int32"), np.arange(40, dtype="int32") % 7],
        "b": [np.array([True, False, True, True]), np.array([False, False, True, True])],
    }
    pairs = {
        name: (jnp.asarray(one).reshape(2, -1), jnp.asarray(other).reshape(2, -1))
        for name, (one, other) in values.items()
    }
    assert [call for call in same_bits() if not gives_the_same_bits(call, *pairs[operand(call)])] == []


def operand(call):
    """The array that a call is given, by its name in ``MADE``."""
    return next(name for name in "ahib" if f"({name}" in call or f"[{name}" in call or f", {name})" in call)


def gives_the_same_bits(call, one, other):
    """Whether a function of NumPy gives what that of JAX gives; true where NumPy refuses the arrays."""
    import jax.numpy as jnp
    import numpy as np

    name, tiny = operand(call), np.finfo("float32").tiny
    expression = call.replace(f"{name}, {name}", f"{name}, other")
    scope = {name: one, "other": other, "np": np, "jnp": jnp}
    try:
        with np.errstate(all="ignore"):
            original = jnp.asarray(eval(expression, scope))
    except TypeError:
        return True  # it could not run
    if original.dtype == jnp.float32:
        original = jnp.where(jnp.abs(original) < tiny, original * 0, original)
    fixed = eval(expression.replace("np.", "jnp."), scope)
    return original.dtype == fixed.dtype and np.asarray(original).tobytes() == np.asarray(fixed).tobytes()


def generated(name, bits):
    """Two arrays of a dtype of ``MADE``, of any bits: NaN, infinities, -0.0, and integers that wrap around."""
    import jax.numpy as jnp
    import numpy as np

    words = np.array(bits, "uint32")
    floats = words.view("float32").copy()
    floats[np.abs(floats) < np.finfo("float32").tiny] *= 0  # subnormal numbers are zero for XLA
    floats[np.isnan(floats)] = np.nan
    made = {"a": floats, "h": jnp.asarray(floats, jnp.bfloat16), "i": words.view("int32"), "b": words % 2 == 1}[name]
    return [jnp.asarray(part).reshape(2, -1) for part in jnp.split(jnp.asarray(made), 2)]


ZERO, NAN, INFINITY, LOWEST = 0x80000000, 0x7FC00000, 0xFF800000, 0x80000000


@settings(max_examples=120, derandomize=True, deadline=None, database=None)
@given(
    call=st.sampled_from(same_bits()),
    bits=st.lists(
        st.integers(0, 2**32 - 1) | st.sampled_from([0, ZERO, NAN, INFINITY, LOWEST]), min_size=16, max_size=16
    ),
)
def test_the_bits_are_those_of_jax_for_generated_arguments(call, bits):
    pytest.importorskip("jax", reason="jax is not installed: the bits cannot be compared")
    assert gives_the_same_bits(call, *generated(operand(call), bits)), call
