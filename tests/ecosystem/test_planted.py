"""Planted hazards, in a package of one module: what the model does not know as traced counts as missed."""

import pytest

pytest.importorskip("jax", reason="the tests of the package run under real JAX, which is not installed")

import planted
import sources

STEPS = """\
import jax
import jax.numpy as jnp


@jax.jit
def known(x):
    return jnp.exp(x)


def hidden(x):
    return jnp.sin(x)


def eager(x):
    return jnp.cos(x)
"""
TESTS = """\
import jax
import jax.numpy as jnp

from small import steps


def test_steps():
    assert steps.known(jnp.ones(2)).shape == jax.jit(vars(steps)["hidden"])(jnp.ones(2)).shape == steps.eager(jnp.ones(2)).shape
"""


def test_what_only_the_tests_show_is_planted_and_counts_as_missed(tmp_path):
    source = tmp_path / "source"
    for name, text in {"small/__init__.py": "", "small/steps.py": STEPS, "tests/test_steps.py": TESTS}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    package = planted.Package("small", "small", ("tests/test_steps.py",))
    outcome = planted.run(package, sources.Pin("small", "1.0", "0"), source, tmp_path)
    assert [(place.row, place.known, place.found) for place in outcome.places] == [(7, True, True), (11, False, False)]
    assert (outcome.candidates, outcome.tests_before, outcome.tests_after, outcome.others) == (
        3,
        "1 passed",
        "1 passed",
        [],
    )
    assert planted._counts(outcome.places) == "2 | 1 | 1 (50.0 %) | 1 | 1"
    copy = (tmp_path / "small-1.0-planted" / "small" / "steps.py").read_text()
    assert copy.replace("import numpy as np\n", "") == STEPS
