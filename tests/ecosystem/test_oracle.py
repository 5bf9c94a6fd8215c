"""The oracle of packages, on a package of two files with tests of its own."""

import copy
import json

import oracle
import oracle_halves
import oracle_packages
import pytest
from activations import Comparer

STEPS = """\
import jax
import jax.numpy as jnp

from small.parts import halved, scaled


@jax.jit
def step(x, rate):
    inner = halved(x) + rate
    return jnp.where(inner > 0, inner, 0.0)


def many(x, count):
    total = x
    for _ in range(count):
        total = scaled(total, x.shape[0])
    return total


class Pair:
    def start(self, size):
        return jnp.zeros(size), jnp.ones(size)


class Single:
    def start(self, size):
        return jnp.zeros(size)


class Around:
    def __init__(self, core):
        self.core = core

    def start(self, size):
        return self.core.start(size)

    def first(self, state):
        inner = jax.tree.leaves(state)[0]
        return inner
"""
PARTS = """\
def halved(value):
    half = value * 0.5
    return half


def scaled(value, size):
    return value / size
"""
TESTS = """\
import jax
import jax.numpy as jnp
import numpy as np

from small import steps


def test_step():
    assert steps.step(jnp.arange(3.0), 1.0).shape == (3,)


def test_many_is_compiled_by_who_uses_it():
    out = jax.jit(steps.many, static_argnums=1)(jnp.arange(4.0) + 0.0, 2)
    np.testing.assert_allclose(out, np.arange(4.0) / 16)


def test_of_two_classes_one_is_not_followed():
    pair, single = steps.Around(steps.Pair()), vars(steps)["Around"](steps.Single())
    assert len(pair.start(3)) == 2 and single.start(3).shape == (3,)
    assert pair.first(pair.start(3)).shape == (3,) and single.first(dict(a=np.arange(2))).shape == (2,)
"""


@pytest.fixture(scope="module")
def observed(tmp_path_factory):
    """The folder of the package, what its tests came to, and what was seen."""
    folder = tmp_path_factory.mktemp("oracle") / "small-1.0"
    (folder / "small").mkdir(parents=True)
    (folder / "tests").mkdir()
    for name, text in {
        "small/__init__.py": "",
        "small/steps.py": STEPS,
        "small/parts.py": PARTS,
        "tests/test_steps.py": TESTS,
    }.items():
        (folder / name).write_text(text)
    output = folder.parent / "observed.json"
    ran = oracle.observe(oracle.Package("small", "small", ("tests/test_*.py",)), folder, output, seconds=60)
    return folder, ran, json.loads(output.read_text())


def test_claims_on_a_package_are_compared_with_what_its_tests_see(observed):
    folder, ran, found = observed
    findings = Comparer(folder, found).compare()
    assert ran == "3 passed"
    assert findings.disagreements == {}
    traced = oracle._total(findings, traced=True)
    assert traced.compared == traced.certain == 19
    assert traced.wrong == traced.wrong_details == 0 < traced.details
    text = oracle.page([("small 1.0", ran, findings)])
    assert "| small 1.0 | 19 | 19 (100.0 %) | 19 (100.0 %) | 0 | " in text and "Disagreements" not in text


def test_what_the_model_claims_wrongly_is_listed(observed):
    folder, ran, found = copy.deepcopy(observed)
    for run in found:
        if run["file"].endswith("parts.py"):
            for start, end, seen in run["facts"]:
                if PARTS[start:end] == "value * 0.5":
                    seen[:] = [["array", "int32", [3], False]]
    findings = Comparer(folder, found).compare()
    assert findings.disagreements == {
        "small/parts.py:2: `value * 0.5` is array and the model says traced": "seen from tests/test_steps.py",
        "small/parts.py:2: `value * 0.5` is int32 and the model says float32": "seen from tests/test_steps.py",
    }
    assert oracle._total(findings, traced=True).wrong == 1
    assert "## Disagreements" in oracle.page([("small 1.0", ran, findings)])


def test_half_of_the_packages_is_only_counted():
    others = [name for name in oracle_packages.PACKAGES if name not in oracle_packages.FIRST]
    counted = [name for name in others if oracle_packages.is_counted(name)]
    assert len(others) >= 20 and 10 <= len(counted) <= len(others) - 10
    assert not any(map(oracle_packages.is_counted, oracle_packages.FIRST))
    assert set(oracle_packages.PACKAGES) <= set(oracle_packages.pins())


def test_of_what_is_counted_sums_are_said(observed, monkeypatch):
    folder, _, found = observed
    counts = oracle_halves.sums(Comparer(folder, found).compare())
    assert counts.tracers == counts.claimed == 18 and counts.wrong == counts.wrong_details == 0 < counts.claims
    half = oracle_halves.Sums(20, 10, 40, 1, 60, 2)
    rows = list(oracle_halves.table({"jraph": half, "paramax": counts}, {"jraph": counts, "paramax": counts}))
    assert (
        f"| jraph {oracle_packages.pins()['jraph'].version} | 20 | 18 (100.0 %) | 10 (50.0 %) | 40 | 1 (2.50 %) | 60 | 2 |"
        in rows
    )
    assert rows[-1].startswith("| **only counted**, shares on the mean | 38 | 100.0 % | 75.0 % |")


def test_the_page_has_the_looks_that_were_recorded():
    text = oracle.PAGE.read_text(encoding="utf-8")
    assert text.endswith(oracle_halves.section())
