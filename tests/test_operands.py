"""The dtypes and axes that functions refuse are what the installed JAX refuses."""

import json
import re

import jax
import pytest

from jaxlint.knowledge import axes, dtypes
from jaxlint.knowledge.probe import axes as axes_probe, dtypes as probe

_DATA = json.loads(probe.DATA.read_text(encoding="utf-8"))
measured_release = pytest.mark.skipif(
    jax.__version__ != _DATA["versions"]["jax"], reason=f"measured with jax {_DATA['versions']['jax']}"
)


@measured_release
def test_rows_are_what_jax_does():
    only = (
        r"operator |jax\.lax\.(select|clamp|exp|fori_loop|switch|dynamic_update_slice|concatenate|pad)$"
        r"|jax\.numpy\.(gcd|take|exp|where)$|jax\.random\.bernoulli$|jax\.ops\.segment_sum$"
    )
    assert probe.measure(only) == {name: row for name, row in _DATA["functions"].items() if re.match(only, name)}


def test_kinds_of_dtypes():
    names = ["bool", "int8", "uint32", "bfloat16", "float16", "float32", "complex64", "key", "typed key", None]
    expected = ["bool", "int", "uint", "float", "float", "float", "complex", None, None, None]
    assert [dtypes.kind(name) for name in names] == expected


def test_what_an_operator_takes():
    found = dtypes.dtypes("operator &")
    assert found is not None
    assert found.takes("a") == ("bool", "int", "uint")
    assert dtypes.dtypes("jax.numpy.where") is None


def test_positions_are_parameters_that_take_no_floats():
    loop, take = dtypes.dtypes("jax.lax.fori_loop"), dtypes.dtypes("jax.numpy.take")
    assert loop is not None and loop.is_position("upper")
    assert take is not None and take.is_position("indices") and not take.is_position("a")


@measured_release
def test_axes_are_what_jax_takes():
    only = r"jax\.numpy\.(sum|stack|concatenate|expand_dims|tril|linalg\.inv|diag|where)$|jax\.nn\.softmax$"
    rows = json.loads(axes_probe.DATA.read_text(encoding="utf-8"))["functions"]
    assert axes_probe.measure(only) == {name: row for name, row in rows.items() if re.match(only, name)}


def test_a_method_takes_the_axes_of_its_function():
    assert axes.axes("jax.Array.sum") == axes.axes("jax.numpy.sum")
    assert axes.axes("jax.numpy.where") is None
