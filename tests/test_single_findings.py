"""Findings that rest on one detail each of what the model follows."""

from pathlib import Path

import pytest

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.keys.key_arrays import KeyArrays
from jaxlint.api import check
from jaxlint.ir.nodes import Name
from jaxlint.run.reveal import Analysis
from jaxlint.source.text import Source

HEAD = """\
import numbers

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

"""
INDEXED = (
    "def f(n, other):\n    x, i = jnp.arange(4), 7\n    if {}:\n        if {}:\n            return x[i]\n    return x\n"
)
SLICED = "y = lax.dynamic_slice(jnp.arange(8), {}(7,), {}(4,))"
CALLING = """\
@jax.jit
def f(x):
    def host(y):
        return -{}
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)


f(1.0)
"""
TYPED = "@jax.jit\ndef f(x):\n    return x // 2 if {} else x / 2\n\n\ny = f({})\n"
UNFLATTENED = """\
@jax.jit
def f(structure, x):
    y = jax.tree.unflatten(structure, {})
    if y[0] > 0:
        return x
    return -x
"""
ROUNDED = "def f(x):\n    return lax.fori_loop(0, 3, lambda i, y: {}, x)\n\n\njax.grad(f)(0.5)\n"
NO_SCALE = """\
g = jax.grad(lambda scale, x: x.sum() if scale is None else scale * x.sum())(None, jnp.ones(3))
y = jnp.arange(4)[7] if g {} else g
"""
RETURNED = "@jax.jit\ndef f(x):\n    return {}\n\n\nf(1.0)\n"

# A program -> the code that is reported, if any, and the text of the line where that is.
PROGRAMS = {
    # an index behind conditions that ask about it, or about something else
    INDEXED.format("i < n", "other"): None,
    INDEXED.format("other", "i < n"): None,
    INDEXED.format("n", "other"): ("JAX513", "return x[i]"),
    # the start of a slice, by its place and by its name
    SLICED.format("", ""): ("JAX513", SLICED.format("", "")),
    SLICED.format("start_indices=", "slice_sizes="): ("JAX513", SLICED.format("start_indices=", "slice_sizes=")),
    SLICED.format("start_indices=", "slice_sizes=").replace("7", "4"): None,
    # a tracer that a callback computes with
    CALLING.format("x"): ("JAX704", "return -x"),
    CALLING.format("y"): None,
    # the type that an argument had before it was traced
    **{
        TYPED.format(test, value): ("JAX113", f"return x // 2 if {test} else x / 2") if found else None
        for test, value, found in (
            ("isinstance(x, int)", "1", True),
            ("isinstance(x, int)", "1.0", False),
            ("isinstance(x, float)", "1.0", True),
            ("isinstance(x, float)", "1", False),
            ("isinstance(x, bool)", "True", True),
            ("isinstance(x, complex)", "1j", True),
            ("isinstance(x, numbers.Number)", "1", True),
            ("isinstance(x, numbers.Integral)", "1", True),
            ("isinstance(x, numbers.Integral)", "True", True),
            ("isinstance(x, numbers.Integral)", "1.0", False),
            ("isinstance(x, numbers.Real)", "1", True),
            ("isinstance(x, numbers.Real)", "1j", False),
            ("np.isscalar(x)", "1", True),
        )
    },
    # a tree that is put together of leaves, whatever its structure is
    UNFLATTENED.format("[x, x]"): ("JAX103", "if y[0] > 0:"),
    UNFLATTENED.format("[1.0, 2.0]"): None,
    # the derivative of what only rounds in a loop, and by a parameter that is None
    ROUNDED.format("jnp.floor(y)"): ("JAX524", "jax.grad(f)(0.5)"),
    ROUNDED.format("y + jnp.floor(y)"): None,
    NO_SCALE.format("is None"): ("JAX513", "y = jnp.arange(4)[7] if g is None else g"),
    NO_SCALE.format("is not None"): None,
    # a tuple of tuples is looked into, down to the fourth
    RETURNED.format("((((x.dtype,),),),)"): ("JAX114", "return ((((x.dtype,),),),)"),
    RETURNED.format("(((((x.dtype,),),),),)"): None,
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_finding(program):
    text = HEAD + program
    lines = text.split("\n")
    found = check(text, "program.py", select=["JAX"], preview=True)
    places = [(each.code, lines[each.start.row - 1].strip()) for each in found]
    places = [
        each
        for each in places
        if each[0] in ("JAX103", "JAX113", "JAX114", "JAX513", "JAX524", "JAX704") or each[0].startswith("JAX9")
    ]
    assert places == ([] if PROGRAMS[program] is None else [PROGRAMS[program]])


def model(program: str, folder: Path | str = "."):
    return Analysis(Source.from_text(HEAD + program, str(Path(folder) / "program.py")), str(folder)).model


def test_demand_is_shown_with_its_kind_its_place_and_its_function():
    program = "@jax.jit\ndef f(x):\n    while x > 0:\n        x = x - 1\n    return float(x), not x\n\n\nf(1.0)\n"
    demands = model(program).demands
    shown = [f"Demand({each.kind}, site={each.site}, api={each.api}, parameter={each.parameter})" for each in demands]
    assert list(map(repr, demands)) == shown
    assert {"while", "boolean", "cast"} <= {text.removeprefix("Demand(").partition(",")[0] for text in shown}


@pytest.mark.parametrize("count", [8, 9, 12])
def test_calls_of_an_imported_function_are_followed_up_to_eight_kinds_of_them(tmp_path, count):
    (tmp_path / "helpers.py").write_text("def scaled(x, y):\n    if x.sum() > 0:\n        return x\n    return -x\n")
    calls = "".join(f"    scaled(jnp.ones({size}) + x, 1)\n" for size in range(1, count + 1))
    reached = model(
        f"from helpers import scaled\n\n\n@jax.jit\ndef f(x):\n{calls}\n\nf(1.0)\n", tmp_path
    ).budget_reached
    assert reached == ([] if count == 8 else ["more than 8 calling contexts of scaled"])


def test_keys_and_other_arrays_joined_are_no_keys_for_certain():
    keys, numbers = v.Aval("key", (3,)), v.Aval("uint32", (3,))
    assert repr(v.join_aval(keys, numbers)) == repr(v.join_aval(numbers, keys)) == "?[3]"
    assert repr(v.join_aval(keys, v.Aval(v.TYPED_KEY, (3,)))) == "key[3]"


def test_split_that_made_keys_is_remembered_by_a_call_and_by_nothing_else():
    unit = model("y = jax.random.split(jax.random.key(0))\n").unit
    node = unit.module.body[-1].value  # type: ignore[attr-defined]
    name = next(each for each in unit.own if type(each) is Name)
    keys = v.Array(v.CONCRETE, v.Aval(v.TYPED_KEY, (2,)), None, v.fresh())
    unnamed = v.Array(v.CONCRETE, v.Aval(v.TYPED_KEY, (2,)))
    for value, at, splits in ((keys, node, {keys.ident: node.site}), (keys, name, {}), (unnamed, node, {})):
        arrays = KeyArrays(None)
        assert arrays.made(value, Call(at, [], [], {}, {})) is value
        assert arrays.splits == splits
