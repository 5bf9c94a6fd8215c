"""What a transform is told of its function against the function: linted, and run under JAX, which has to agree."""

import jax
import pytest

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

RULES = ("unknown-static-argument", "vmap-axes-mismatch", "unhashable-static-argument")
HEAD = """\
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def pair(x, y):
    return x, y


def one(x):
    return x


def named(x, *, scale=1.0):
    return x * scale


def several(x, *rest):
    return x


def options(x, **rest):
    return x


def positional(x, n, /, z=0):
    return x * n


X = jnp.ones((3, 2))
Y = jnp.ones((4, 2))
"""

# A program -> what is reported: the rule, or nothing.
PROGRAMS = {
    # numbers and names of parameters
    "jax.jit(pair, static_argnums=2)": RULES[0],
    "jax.jit(pair, static_argnums=1)(X, 2)": None,
    "jax.jit(pair, static_argnums=-2)(2, X)": None,
    "jax.jit(pair, static_argnums=-3)": RULES[0],
    "jax.jit(pair, static_argnums=(0, 2))": RULES[0],
    "jax.jit(pair, static_argnums=(0, 1))(1, 2)": None,
    "jax.jit(pair, static_argnames='z')": RULES[0],
    "jax.jit(pair, static_argnames=('y', 'z'))": RULES[0],
    "jax.jit(pair, static_argnames=('y',))(X, 2)": None,
    "jax.jit(named, static_argnames='scale')(X, scale=2.0)": None,
    "jax.jit(named, static_argnames='scales')": RULES[0],
    "jax.jit(named, static_argnums=1)": RULES[0],
    "jax.jit(several, static_argnums=3)(X, 1, 2, 3)": None,
    "jax.jit(several, static_argnames='rest')": RULES[0],
    "jax.jit(options, static_argnames='anything')(X, anything=1)": None,
    "jax.jit(options, static_argnums=1)": RULES[0],
    "jax.jit(positional, static_argnames='n')": RULES[0],
    "jax.jit(positional, static_argnames='z')(X, 2, z=3)": None,
    "jax.jit(positional, static_argnums=1)(X, 2)": None,
    "jax.jit(pair, donate_argnums=2)": RULES[0],
    "jax.jit(pair, donate_argnames='z')": RULES[0],
    "jax.jit(pair, donate_argnums=0)": None,
    "jax.make_jaxpr(pair, static_argnums=1)(X, 2)": None,
    "jax.jit(partial(pair, 1), static_argnums=1)": RULES[0],
    "jax.jit(partial(pair, 1), static_argnums=0)(2)": None,
    # differentiated arguments
    "jax.grad(lambda x, y: x * y, argnums=2)(1.0, 2.0)": RULES[0],
    "jax.grad(lambda x, y: x * y, argnums=1)(1.0, 2.0)": None,
    "jax.grad(lambda x, y: x * y, argnums=(0, 2))(1.0, 2.0)": RULES[0],
    "jax.grad(lambda x, y: x * y, argnums=1)(1.0, y=2.0)": RULES[0],
    "jax.grad(lambda x, y: x * y, argnums=-1)(1.0, 2.0)": None,
    "jax.grad(lambda x, y: x * y)(x=1.0, y=2.0)": RULES[0],
    "jax.value_and_grad(lambda x, y=1.0: x * y, argnums=1)(1.0)": RULES[0],
    # axes of arguments
    "jax.vmap(pair, in_axes=(0, 0, 0))(X, X)": RULES[1],
    "jax.vmap(pair, in_axes=(0,))(X, X)": RULES[1],
    "jax.vmap(pair, in_axes=(0, None))(X, 1.0)": None,
    "jax.vmap(pair, in_axes=(None, None))(X, X)": RULES[1],
    "jax.vmap(pair, in_axes=None, axis_size=3)(X, X)": None,
    "jax.vmap(pair, in_axes=2)(X, X)": RULES[1],
    "jax.vmap(pair, in_axes=1)(X, Y)": None,
    "jax.vmap(pair)(X, Y)": RULES[1],
    "jax.vmap(pair, in_axes=(0, 1))(X, Y)": RULES[1],
    "jax.vmap(pair, in_axes=(0, -1))(X, jnp.ones((4, 3)))": None,
    "jax.vmap(pair, in_axes=(0, -3))(X, X)": RULES[1],
    "jax.vmap(one, in_axes=((0, 0),))((X, X))": None,
    "jax.vmap(one, in_axes=((0, 0),))((X, X, X))": RULES[1],
    "jax.vmap(one, in_axes=((0, 0),))(X)": RULES[1],
    "jax.vmap(one)(jax.random.split(jax.random.key(0), 3))": None,
    # axes of results
    "jax.vmap(pair, out_axes=(0, 0))(X, X)": None,
    "jax.vmap(pair, out_axes=(0, 0, 0))(X, X)": RULES[1],
    "jax.vmap(one, out_axes=(0, 0))(X)": RULES[1],
    "jax.vmap(lambda x: None, out_axes=(0,))(X)": RULES[1],
    "jax.vmap(lambda x: (x,), out_axes=(0,))(X)": None,
    # static arguments that have no hash
    "jax.jit(pair, static_argnums=1)(X, [1])": RULES[2],
    "jax.jit(pair, static_argnums=1)(X, (1,))": None,
    "jax.jit(pair, static_argnames='y')(X, y={'a': 1})": RULES[2],
    "jax.jit(pair, static_argnums=1)(X, np.ones(2))": RULES[2],
    "jax.jit(lambda x, y: x, static_argnums=1)(X, frozenset({1}))": None,
}  # fmt: skip


def reported(program: str) -> list[str]:
    source = Source.from_text(f"{HEAD}\n\n{program}\n", "program.py")
    found = check_source(source, Config(root="", select=("JAX5",), preview=True)).diagnostics
    return [each.name for each in found if each.name in RULES or each.code.startswith("JAX9")]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_reported_fails_under_jax_and_what_is_not_runs(program: str) -> None:
    rule = PROGRAMS[program]
    assert reported(program) == ([] if rule is None else [rule])
    names: dict[str, object] = {}
    exec(HEAD, names)
    if rule is None:
        eval(program, names)
        return
    with pytest.raises((TypeError, ValueError, IndexError, jax.errors.JAXTypeError)):
        eval(program, names)
