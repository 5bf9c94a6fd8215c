"""False positives that somebody has read in real packages, each as a small program: real JAX runs it, and jaxlint is to be silent.

All are reported still, for the reason that is given. One that is silent makes the test fail: it becomes a near miss in the
fixtures of its rule, and goes from here.
"""

import pytest

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

jax = pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"

# By package and rule: the library that the program needs, the program, what is run of it, and why it is reported.
PROGRAMS = {
    "equimo, JAX403: one branch has made what the key would draw": (
        None,
        """
class Adapter:
    def __init__(self, key, matrix=None):
        first, second = jax.random.split(key)
        self.matrix = jax.random.normal(first, (2, 2)) if matrix is None else matrix


def made(key, shared):
    matrix = None
    if shared:
        first, second = jax.random.split(key)
        matrix = jax.random.normal(first, (2, 2))
    return Adapter(key, matrix)
""",
        "made(jax.random.key(0), True), made(jax.random.key(0), False)",
        "the value that excludes the draw is not followed from the branch in which it is set",
    ),
    "evorl-jax, JAX404: an argument that is left out shifts the others": (
        None,
        """
def step(agents, state, batch, key, names=()):
    keys = jax.random.split(key, len(agents))
    return state + jax.random.normal(keys[0]), state


def rollout(agents, state, key, length, names=()):
    def one(carry, _):
        state, current = carry
        following, current = jax.random.split(current, 2)
        state, out = step(agents, state, current, names)
        return (state, following), out

    return jax.lax.scan(one, (state, key), (), length=length)
""",
        # `names` is not a key, and nothing is drawn.
        "import pytest\nwith pytest.raises(TypeError): rollout(['a'], 0.0, jax.random.key(0), 3)",
        "a parameter that is split in another function is taken for a key in its caller",
    ),
    "jaxarc, JAX103: an argument that `jit` refuses": (
        "equinox",
        """
import equinox as eqx


class Action(eqx.Module):
    filtering: bool
    policy: str

    def __init__(self, **given):
        self.filtering = given.get("filtering", False)
        self.policy = given.get("policy", "clip")


@eqx.filter_jit
def step(action, x):
    if hasattr(action, "filtering") and action.filtering:
        return x + 1
    return x


def test_step():
    jitted = jax.jit(lambda action, x: step(action, x))
    jitted(Action(), 1.0)
""",
        # A string is not an argument, and the `if` is never reached.
        "import pytest\nwith pytest.raises(TypeError, match='as an abstract array'): test_step()",
        "that `jit` refuses a string among the leaves is not known",
    ),
    "numpyro, JAX301: a branch for lists in a function that is given arrays": (
        None,
        """
def taken(arrays):
    def batch(i):
        rows = i + jnp.arange(2)
        return tuple(np.take(a, rows, axis=0) if isinstance(a, list) else jnp.take(a, rows, axis=0) for a in arrays)

    return batch


def total(data):
    batch = taken(data["train"])
    return jax.lax.fori_loop(0, 2, lambda i, sums: sums + batch(i)[0].sum(), 0.0)
""",
        "total({'train': (np.ones((4, 3)), np.zeros((4, 3)))})",
        "elements of what was loaded may be lists, as far as the model knows",
    ),
    "CraftaxDevinterp, JAX307: an option that keeps the function from being compiled": (
        None,
        """
import os


def run(config):
    def train(x):
        if config["SAVE"]:
            os.makedirs("saved", exist_ok=True)
        return x + 1

    if config["SAVE"]:
        return train(1.0)
    return jax.jit(train)(1.0)
""",
        "run({'SAVE': False})",
        "what a test says of an element is not known in the function that is compiled behind it",
    ),
    "stac-mjx, JAX111: a test puts a function of Python in the place of the compiled one": (
        None,
        """
import sys


@jax.jit
def kinematics(model, data):
    return model * data


def run(model, data):
    return kinematics(model, data)


class FakeModel:
    def __init__(self, size):
        self.size = size


def test_run(monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "kinematics", lambda model, data: data)
    assert run(FakeModel(2), 3.0) == 3.0
""",
        # As the test does, by hand.
        "kinematics = lambda model, data: data; assert run(FakeModel(2), 3.0) == 3.0",
        "names that `monkeypatch` replaces keep their values in functions that the test calls",
    ),
}


class Reported(AssertionError):
    """The program runs, and jaxlint reports it."""


def still_reported(name):
    reason = PROGRAMS[name][-1]
    return pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=reason, raises=Reported))


@pytest.mark.parametrize("name", [still_reported(name) for name in PROGRAMS])
def test_a_program_runs_and_is_not_reported(name, tmp_path):
    library, text, run, _ = PROGRAMS[name]
    if library is not None:
        pytest.importorskip(library, reason=f"the program needs {library}, which is not installed")
    program = {"__name__": "program"}
    exec(compile(HEAD + text, "program.py", "exec"), program)
    exec(run, program)
    found = check_source(
        Source.from_text(HEAD + text, str(tmp_path / "program.py")), Config(root=str(tmp_path))
    ).diagnostics
    if found:
        raise Reported([(each.code, each.start.row, each.message) for each in found])
