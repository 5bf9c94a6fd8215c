"""One-line operations on arrays, and the Python functions they can stand in.

``OPERATIONS`` holds what a user may write with an array; ``jaxlint.knowledge.harnesses`` holds the
transforms around it. ``jaxlint.knowledge.probe.operations`` runs every pair under real JAX and
commits the outcomes, and the tests compare them with the verdict of the semantic model.

The operands of a snippet:

- ``x`` a float scalar, ``v`` a float vector of three, ``n`` an int scalar with the value 1: the
  arguments of the function the snippet stands in;
- ``C`` a jax vector, ``Cscalar`` a jax float, ``Cint`` a jax int (3), ``KEY`` a random key: jax
  arrays captured from the module;
- ``NP`` a NumPy vector captured from the module.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Operation:
    """A snippet; its text is its name."""

    source: str
    # Exception and reason of a failure that the values of the operands alone bring about: other
    # values would work in the same place, so the cell says nothing about tracing.
    value_error: str | None = None
    value_reason: str = ""

    @property
    def name(self) -> str:
        return self.source.replace(":\n    ", ": ").replace("\n", "; ")


def _group(text: str) -> tuple[Operation, ...]:
    """One operation a line: ` ;; ` is a line break, ` :: ` a line break into an indented body."""
    return tuple(
        Operation(line.strip().replace(" ;; ", "\n").replace(" :: ", ":\n    ")) for line in text.strip().splitlines()
    )


TRUTH = _group("""
    bool(x > 0)
    if x > 0 :: pass
    y = x * 2.0 ;; x and y
    not x
    assert x > 0
    y = x * 2.0 ;; if x == y :: pass
    if x is None :: pass
    if (v > 0).all() :: pass
    if v.shape[0] > 1 :: pass
    x in [1.0, 2.0]
    max(x, 0.0)
    1 < x < 3
""")

CASTS = _group("""
    int(x)
    int(n)
    float(x)
    complex(x)
    round(x)
    x.item()
    v.tolist()
    range(n)
""")

LENGTHS = "the NumPy array has three elements, `v` has `b`, a dimension without a value"

NUMPY = (
    _group("""
    np.asarray(v)
    np.array(v)
    np.sin(v)
    np.sum(v)
    np.mean(v)
    np.max(v)
    np.shape(v)
    np.ndim(v)
    np.zeros_like(v)
    np.dot(v, v)
    np.linalg.norm(v)
    np.concatenate([v, v])
    np.where(v > 0, v, 0.0)
    np.isnan(v)
    np.float32(x)
""")
    + (
        Operation("NP + v", "TypeError", LENGTHS),
        Operation("total = np.ones(3, dtype=np.float32)\ntotal *= v", "TypeError", LENGTHS),
    )
    + _group("""
    table = np.zeros(3) ;; table[0] = x
    math.sin(x)
    NP[n]
""")
)

CONTAINERS = _group("""
    [1, 2, 3][n]
    (1, 2, 3)[:n]
    {0: "a", 1: "b"}[n]
    hash(x)
    {x}
""")

SHAPES = _group("""
    jnp.arange(n)
    jnp.zeros(n)
    jnp.ones((n, 2))
    v.reshape(n, -1)
    jnp.linspace(0.0, 1.0, n)
    v[:n]
    v[n]
    v[n:n + 1]
    v[v > 0]
    jnp.nonzero(v)
    jnp.unique(v)
    jnp.where(v > 0)
    v.at[v > 0].set(0.0)
""") + (
    Operation(
        "v.at[v > 0].set(jnp.array([1.0, 2.0]))",
        "ValueError",
        "the mask selects three elements, two are given",
    ),
    Operation("v[0] = 1.0"),
    Operation("jnp.sum(v, axis=n)", "ValueError", "axis 1 is out of range for a vector"),
)

TEXT = _group("""
    f"{x}"
    f"{x:.2f}"
    "%f" % x
    print(x)
    str(x)
""")

ITERATION = _group("""
    for element in v :: pass
    for element in x :: pass
    a, b, c = v
    len(v)
    list(enumerate(v))
    list(v)
    sum(v)
    sorted(v)
    min(v)
    any(v)
""")

HOST = _group("""
    isinstance(v, jax.Array)
    isinstance(v, np.ndarray)
    if jnp.array_equal(v, v) :: pass
    if jnp.allclose(v, v) :: pass
    v.block_until_ready()
    jax.block_until_ready(v)
    jax.device_get(v)
    jax.device_put(v)
    copy.deepcopy(v)
    copy.copy(v)
    pickle.dumps(v)
    v.copy()
    v.devices()
    v.sharding
    v.device
    v.addressable_shards
    v.is_deleted()
    v.delete()
    v.to_device(jax.devices()[0])
    memoryview(v)
    v.__array__()
    v.unsafe_buffer_pointer()
    jnp.save(io.BytesIO(), v)
    np.testing.assert_allclose(v, v)
    np.random.seed(n)
    jax.random.PRNGKey(n)
    jax.random.key(n)
    operator.index(n)
    x ** n
    x // 1
    v.nbytes, v.size, v.dtype
    jax.tree.map(lambda leaf: leaf * 2.0, {"v": v})
    jnp.array([x, x])
    jnp.asarray(list(v))
    lax.cond(x > 0, lambda: 1.0, lambda: 2.0)
    jnp.split(v, n)
    jnp.repeat(v, n)
    jax.nn.one_hot(n, n)
    jax.random.normal(KEY, (n,))
    jax.random.split(KEY, n)
    jnp.eye(n)
""")

CAPTURED = _group("""
    if jnp.any(C > 0) :: pass
    int(jnp.sum(C))
    jnp.zeros(1).item()
    float(C[0])
    float(Cscalar)
    if Cscalar > 0 :: pass
    if Cscalar :: pass
    np.asarray(C)
    np.sin(C)
    np.sum(C)
    Cscalar.item()
    C.tolist()
    for element in C :: float(element)
    range(Cint)
    jnp.arange(Cint)
    jnp.arange(Cint + 1)
    jnp.zeros(Cint)
    jnp.zeros((Cint,))
    C[C > 0]
    C[NP > 0]
    jnp.nonzero(C)
    jnp.unique(C)
    f"{C}"
    if np.any(NP > 0) :: pass
    if jnp.any(NP > 0) :: pass
    int(jnp.max(NP))
    if NP.sum() > jnp.array(2.0) :: pass
    max(len(C), len(NP))
    int(jnp.ceil(3.5))
    int(jnp.prod(jnp.array(v.shape)))
    v.reshape(jnp.array(v.shape))
    int(np.prod(v.shape))
    if jax.random.bernoulli(KEY) :: pass
    int(jax.random.PRNGKey(0)[0])
    if jnp.array_equal(C, C) :: pass
    jnp.finfo(jnp.float32).eps
    C.block_until_ready()
    jnp.isscalar(C)
    if jnp.ndim(v) == 1 :: pass
    jnp.issubdtype(v.dtype, jnp.floating)
    with jax.ensure_compile_time_eval() :: int(jnp.sum(C))
""")

OPERATIONS: tuple[Operation, ...] = TRUTH + CASTS + NUMPY + CONTAINERS + SHAPES + TEXT + ITERATION + HOST + CAPTURED
