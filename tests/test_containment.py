"""An exception in the analysis costs what it was looking at, and no finding of other functions, files or importers.

Faults are injected: a method of the interpreter or of a component raises at its k-th call, for many k over the
fixtures, and the outcome is compared with that of a run without a fault.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from interpreted import interpreted

from jaxlint.analysis import analyser
from jaxlint.analysis.domain import state
from jaxlint.analysis.interpreter import methods
from jaxlint.analysis.keys import consumption
from jaxlint.analysis.models import api
from jaxlint.analysis.transforms import wrap_and_call
from jaxlint.configuration.config import Config
from jaxlint.run import pipeline
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

FIXTURES = Path(__file__).parent.parent / "fixtures"
CONFIG = Config(root=str(FIXTURES), select=("JAX",), preview=True)

METHODS = [
    (api.Apis, "call"), (api.Apis, "jax"), (api.Apis, "check"), (api.Apis, "result"), (api.Apis, "host"),
    (wrap_and_call.Transforms, "wrap"), (wrap_and_call.Transforms, "call"), (wrap_and_call.Transforms, "body"),
    (consumption.Keys, "consume"), (consumption.Keys, "conflict"), (methods.Methods, "call"), (state.State, "write"), (state.State, "fork"),
    *((analyser.Interpreter, name) for name in (
        "call_function", "run", "bind_arguments", "eval", "assign", "bind", "fork_on", "need_bool", "havoc", "make_function",
        "make_class", "decorate", "find_summary", "operate", "loop", "run_generic", "instantiate", "snapshot", "report", "join_in",
    )),
]  # fmt: skip
ERRORS = (ZeroDivisionError, RecursionError, MemoryError)


def lint(text, path="program.py"):
    return check_source(Source.from_text(text, str(path)), CONFIG).diagnostics


class Fault:
    """A method that raises at its k-th call, while the analysis itself runs."""

    def __init__(self, monkeypatch, cls, name, k, error):
        owner = next(each for each in cls.__mro__ if name in vars(each))
        method, self.count, self.raised = vars(owner)[name], 0, False

        def faulty(*args, **keywords):
            self.count += 1
            if self.count == k:
                self.raised = True
                raise error("injected")
            return method(*args, **keywords)

        monkeypatch.setattr(owner, name, faulty)


def counted(monkeypatch, text, cls, name):
    """How often a method is called in the analysis of a program, what a rule asks for afterwards left out."""
    with monkeypatch.context() as patched:
        fault = Fault(patched, cls, name, -1, ZeroDivisionError)
        patched.setattr(pipeline, "_apply_rules", lambda *_: ([], []))
        lint(text)
        return fault.count


def places(found):
    return {(each.code, each.start.row) for each in found if each.code != "JAX902"}


@interpreted
@pytest.mark.parametrize("seed", range(6))
def test_a_fault_costs_little(monkeypatch, seed):
    chosen = random.Random(seed)
    files = sorted(FIXTURES.rglob("bad.py"))
    raised, lost, found = 0, 0, 0
    for _ in range(40):
        text, (cls, name) = chosen.choice(files).read_text(), chosen.choice(METHODS)
        count = counted(monkeypatch, text, cls, name)
        if not count:
            continue
        expected = places(lint(text))
        with monkeypatch.context() as patched:
            fault = Fault(patched, cls, name, chosen.randint(1, count), chosen.choice(ERRORS))
            after = lint(text)
        assert fault.raised
        raised += 1
        assert any(each.code == "JAX902" and "injected" in each.message for each in after), (name, fault.count)
        # What is unknown is not reported, but another rule may say of a line what the first one cannot any more.
        assert {row for _, row in places(after)} <= {row for _, row in expected}
        lost, found = lost + len(expected - places(after)), found + len(expected)
    assert raised > 20 and lost < 0.1 * found


PROGRAM = """\
import jax
import jax.numpy as jnp


@jax.jit
def before(x):
    if x > 0:
        return x
    return -x


@jax.jit
def broken(x):
    y = jnp.split(x, 2)
    if jnp.split(x, 2):
        return float(x)
    while y > 0:
        y = jnp.split(y, 2)
    return y


@jax.jit
def after(x):
    return float(x)


class Holder:
    def method(self, x):
        return before(x)
"""


GUARDED = """\
import jax
import jax.numpy as jnp


def f(key, x, done):
    if jnp.split(x, 2):
        if done:
            return x
        x = jnp.split(x, 2)
    a = jax.random.normal(key)
    if done:
        a += jax.random.normal(key)
    return a
"""


def raising(self, name, call, old=api.Apis.jax):
    if name == "jax.numpy.split":
        raise ZeroDivisionError("injected")
    return old(self, name, call)


@pytest.fixture
def broken(monkeypatch):
    monkeypatch.setattr(api.Apis, "jax", raising)


@interpreted
def test_a_fault_while_one_is_contained_leaves_no_condition_behind(monkeypatch, broken):
    """What follows runs whether or not what failed has returned."""
    fault = Fault(monkeypatch, analyser.Interpreter, "note_failure", 2, ZeroDivisionError)
    assert places(lint(GUARDED)) == {("JAX401", 12)} and fault.raised


@interpreted
def test_each_failing_statement_is_named_and_the_rest_is_looked_at(broken):
    found = [(each.code, each.start.row) for each in lint(PROGRAM) if each.code != "JAX902"]
    assert {("JAX103", 7), ("JAX102", 16), ("JAX102", 24)} <= set(found)
    [error] = [each for each in lint(PROGRAM) if each.code == "JAX902"]
    assert (
        error.start.row == 14
        and "looking at `y = jnp.split(x, 2)`" in error.message
        and "ZeroDivisionError: injected" in error.message
    )


@interpreted
def test_importers_keep_their_findings(tmp_path):
    (tmp_path / "model.py").write_text(PROGRAM + "\n\nsides = jnp.split(jnp.ones(2), 2)\nwidth = 3\n")
    (tmp_path / "main.py").write_text(
        PROGRAM.replace("split", "sort") + "\n\nfrom model import after as imported, sides, width\n"
    )
    script = (
        "import sys\nsys.path.insert(0, sys.argv[1])\nfrom test_containment import raising\nfrom jaxlint.analysis.models import api\n"
        "api.Apis.jax = raising\nfrom jaxlint.cli import main\nsys.exit(main(sys.argv[2:]))\n"
    )
    command = [sys.executable, "-c", script, str(Path(__file__).parent), "check", "--no-cache", "--jobs", "1"]
    command += ["--output-format", "json", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 2, run.stderr
    found = {(Path(each["filename"]).name, each["code"], each["location"]["row"]) for each in json.loads(run.stdout)}
    rows = {(file, row) for file, code, row in found if code.startswith("JAX1")}
    assert {("main.py", 7), ("main.py", 24), ("model.py", 7), ("model.py", 24)} <= rows
    assert ("model.py", "JAX902") in {(file, code) for file, code, _ in found}


@interpreted
def test_endless_recursion_is_contained(monkeypatch):
    def endless(self, name, call, old=api.Apis.jax):
        return endless(self, name, call) if name == "jax.numpy.split" else old(self, name, call)

    monkeypatch.setattr(api.Apis, "jax", endless)
    found = lint(PROGRAM)
    assert ("JAX103", 7) in places(found) and any("RecursionError" in each.message for each in found)


@interpreted
def test_many_failures_end_the_analysis_early(broken):
    text = "import jax.numpy as jnp\n" + "".join(f"x{n} = jnp.split(y{n}, 2)\n" for n in range(500))
    assert [each.code for each in lint(text)] == ["JAX902"]  # they are one and the same


@interpreted
def test_what_a_failing_statement_binds_is_unknown(broken):
    text = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    y = x\n    y = jnp.split(x, 2)\n    return float(y)\n"
    assert places(lint(text)) == set()


TWICE = """\
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n, other):
    if jnp.split(x, 2):
        return x
    elif n:
        x = -x
    return float(other)
"""


@interpreted
def test_what_fails_again_in_a_failing_statement_costs_no_more(monkeypatch, broken):
    """The first branch returns: where the state of the second cannot be made, what follows is looked at all the same."""
    for k in range(1, counted(monkeypatch, TWICE, state.State, "fork") + 1):
        with monkeypatch.context() as patched:
            fault = Fault(patched, state.State, "fork", k, ZeroDivisionError)
            found = lint(TWICE)
        assert fault.raised and ("JAX102", 11) in places(found)
