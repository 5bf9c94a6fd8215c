"""The functions and transforms in which the operations of ``operations`` are tried.

A harness is source text. ``program(operation, harness)`` is a complete Python module: executed, it
shows what JAX does; analysed, it shows what the semantic model thinks. Both see the same text.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from jaxlint.knowledge.operations import Operation

MARK = "  # probed"

HEADER = """\
import copy
import io
import math
import operator
import pickle
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

C = jnp.array([1.0, 2.0, 3.0])
Cscalar = jnp.array(2.0)
Cint = jnp.array(3)
KEY = jax.random.key(0)
NP = np.array([1.0, 2.0, 3.0], dtype=np.float32)
"""


@dataclass(frozen=True)
class Harness:
    """A transform. ``source`` holds the line ``SNIPPET`` where the operation goes."""

    name: str
    column: str
    source: str


def program(operation: Operation, harness: Harness) -> str:
    """The module in which ``operation`` runs under ``harness``; its lines end with ``MARK``."""
    lines = []
    for line in harness.source.strip("\n").splitlines():
        if line.strip() == "SNIPPET":
            marked = "\n".join(part + MARK for part in operation.source.splitlines())
            line = textwrap.indent(marked, line[: -len("SNIPPET")])
        lines.append(line)
    return HEADER + "\n\n" + "\n".join(lines) + "\n"


def marked_lines(text: str) -> frozenset[int]:
    """Rows (from 1) of a program that belong to the operation."""
    return frozenset(row for row, line in enumerate(text.splitlines(), 1) if line.endswith(MARK))


COLUMNS = (
    "staged",
    "batched",
    "differentiated",
    "eager",
    "associative_scan",
    "shard_map",
    "export",
    "pallas",
)

_STAGED = (
    Harness(
        "jit",
        "staged",
        """
@jax.jit
def step(x, v, n):
    SNIPPET
    return x + 1.0


step(jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "scan",
        "staged",
        """
def step(carry, element):
    x, v, n = carry
    SNIPPET
    return carry, x + 1.0


lax.scan(step, (jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1)), jnp.arange(2.0))
""",
    ),
    Harness(
        "cond",
        "staged",
        """
def taken(x, v, n):
    SNIPPET
    return x + 1.0


def other(x, v, n):
    return x


lax.cond(True, taken, other, jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "while_loop",
        "staged",
        """
def unfinished(state):
    count, x, v, n = state
    return count < 2


def step(state):
    count, x, v, n = state
    SNIPPET
    return count + 1, x, v, n


lax.while_loop(unfinished, step, (0, jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1)))
""",
    ),
    Harness(
        "fori_loop",
        "staged",
        """
def step(index, state):
    x, v, n = state
    SNIPPET
    return state


lax.fori_loop(0, 2, step, (jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1)))
""",
    ),
    Harness(
        "checkpoint",
        "staged",
        """
@jax.checkpoint
def step(x, v, n):
    SNIPPET
    return x + 1.0


step(jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "eval_shape",
        "staged",
        """
def step(x, v, n):
    SNIPPET
    return x + 1.0


jax.eval_shape(step, jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "make_jaxpr",
        "staged",
        """
def step(x, v, n):
    SNIPPET
    return x + 1.0


jax.make_jaxpr(step)(jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
)

_BATCHED = (
    Harness(
        "vmap",
        "batched",
        """
@jax.vmap
def step(x, v, n):
    SNIPPET
    return x + 1.0


step(jnp.array([1.5, 2.5]), jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), jnp.array([1, 1]))
""",
    ),
    Harness(
        "vmap_in_axes",
        "batched",
        """
def step(x, v, n):
    SNIPPET
    return x + 1.0


jax.vmap(step, in_axes=(0, 1, 0))(
    jnp.array([1.5, 2.5]), jnp.array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]), jnp.array([1, 1])
)
""",
    ),
    Harness(
        "vectorize",
        "batched",
        """
@partial(jnp.vectorize, signature="(),(k),()->()")
def step(x, v, n):
    SNIPPET
    return x + 1.0


step(jnp.array([1.5, 2.5]), jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), jnp.array([1, 1]))
""",
    ),
    Harness(
        "linear_transpose",
        "batched",
        """
def step(x, v, m):
    n = m.astype(int)
    SNIPPET
    return x * 2.0


jax.linear_transpose(step, jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1.0))(jnp.array(1.0))
""",
    ),
)

_DIFFERENTIATED = (
    Harness(
        "grad",
        "differentiated",
        """
def step(x, v, n):
    SNIPPET
    return x * 2.0


jax.grad(step, argnums=(0, 1, 2), allow_int=True)(jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "value_and_grad",
        "differentiated",
        """
@partial(jax.value_and_grad, argnums=(0, 1))
def step(x, v, n):
    SNIPPET
    return x * 2.0


step(jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "jvp",
        "differentiated",
        """
def step(x, v, m):
    n = m.astype(int)
    SNIPPET
    return x * 2.0


primals = (jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1.0))
jax.jvp(step, primals, primals)
""",
    ),
    Harness(
        "vjp",
        "differentiated",
        """
def step(x, v, m):
    n = m.astype(int)
    SNIPPET
    return x * 2.0


jax.vjp(step, jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1.0))
""",
    ),
    Harness(
        "linearize",
        "differentiated",
        """
def step(x, v, m):
    n = m.astype(int)
    SNIPPET
    return x * 2.0


jax.linearize(step, jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1.0))
""",
    ),
    Harness(
        "jacfwd",
        "differentiated",
        """
def step(x, v, m):
    n = m.astype(int)
    SNIPPET
    return x * 2.0


jax.jacfwd(step, argnums=(0, 1, 2))(jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1.0))
""",
    ),
)

_EAGER = (
    Harness(
        "plain",
        "eager",
        """
def step(x, v, n):
    SNIPPET
    return x + 1.0


step(jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "disable_jit",
        "eager",
        """
@jax.jit
def step(x, v, n):
    SNIPPET
    return x + 1.0


with jax.disable_jit():
    step(jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "unmapped",
        "eager",
        """
@partial(jax.vmap, in_axes=(0, None, None, None))
def step(mapped, x, v, n):
    SNIPPET
    return mapped + 1.0


step(jnp.arange(2.0), jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
    Harness(
        "undifferentiated",
        "eager",
        """
@jax.grad
def step(weight, x, v, n):
    SNIPPET
    return weight * 2.0


step(jnp.array(1.0), jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1))
""",
    ),
)

_SPECIAL = (
    Harness(
        "associative_scan",
        "associative_scan",
        """
def combine(left, right):
    xs, vs, ns = right
    x, v, n = xs[0], vs[0], ns[0]
    SNIPPET
    return right


lax.associative_scan(combine, (jnp.ones(3), jnp.arange(1.0, 10.0).reshape(3, 3), jnp.ones(3, dtype=int)))
""",
    ),
    Harness(
        "shard_map",
        "shard_map",
        """
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("i",))


@partial(jax.shard_map, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
def step(xs, v, ns):
    x, n = xs[0], ns[0]
    SNIPPET
    return xs


step(jnp.array([1.5]), jnp.array([1.0, 2.0, 3.0]), jnp.array([1]))
""",
    ),
    Harness(
        "export",
        "export",
        """
from jax import export


@jax.jit
def step(x, v, n):
    SNIPPET
    return x + 1.0


(b,) = export.symbolic_shape("b")
export.export(step)(
    jax.ShapeDtypeStruct((), jnp.float32),
    jax.ShapeDtypeStruct((b,), jnp.float32),
    jax.ShapeDtypeStruct((), jnp.int32),
)
""",
    ),
    Harness(
        "pallas_call",
        "pallas",
        """
from jax.experimental import pallas as pl


def kernel(x_ref, v, n_ref, o_ref):
    x, n = x_ref[...], n_ref[...]
    SNIPPET
    o_ref[...] = x


pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((), jnp.float32), interpret=True)(
    jnp.array(1.5), jnp.array([1.0, 2.0, 3.0]), jnp.array(1)
)
""",
    ),
)

HARNESSES: tuple[Harness, ...] = _STAGED + _BATCHED + _DIFFERENTIATED + _EAGER + _SPECIAL
