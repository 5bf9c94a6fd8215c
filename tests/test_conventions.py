"""What a project says of its own names: decorators that trace, functions that consume keys, attributes that are static."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from jaxlint.configuration.config import Configs
from jaxlint.project.custom_names import Conventions, find_transform
from jaxlint.run.pipeline import check_source
from jaxlint.run.reveal import Revealed
from jaxlint.run.runner import Job, run
from jaxlint.source.reading import read_source

ROOT = Path(__file__).parent.parent


def project(folder, table, files=(), **more):
    (folder / "pyproject.toml").write_text("[tool.jaxlint]\n" + textwrap.dedent(table))
    for name, text in {**dict(files), **more}.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


def findings(file):
    source = read_source(str(file))
    result = check_source(source, Configs().for_file(str(file)))
    assert not result.error, result.diagnostics
    return [(diagnostic.code, diagnostic.start.row) for diagnostic in result.diagnostics]


# --- decorators that trace -------------------------------------------------------------------

BRANCH = """\
    from mylib import {imported}

    @{decorator}
    def step(x, flag=True):
        if x > 0:
            return x
        return -x
    """


@pytest.mark.parametrize(
    ("imported", "decorator"),
    [
        ("compile", "compile"),
        ("compile as fast", "fast"),
        ("compile", "compile(level=3)"),
        ("compile", "compile('fast')"),
        ("compile", "compile()"),
    ],
)
def test_a_decorator_of_an_installed_package_traces(tmp_path, imported, decorator):
    """The text says nothing of JAX at all, and nothing can be read of the package."""
    code = BRANCH.format(imported=imported, decorator=decorator)
    project(tmp_path, "", model=code)
    assert findings(tmp_path / "model.py") == []
    project(tmp_path, 'traced-decorators = {"mylib.compile" = "jit"}', model=code)
    assert findings(tmp_path / "model.py") == [("JAX103", 5)]


def test_options_that_the_transform_has_too_mean_the_same(tmp_path):
    code = BRANCH.format(imported="compile", decorator="compile(static_argnames='x', level=3)")
    project(tmp_path, 'traced-decorators = {"mylib.compile" = "jax.jit"}', model=code)
    assert findings(tmp_path / "model.py") == []


def test_a_wrapper_is_called_with_a_function(tmp_path):
    code = """\
    import jax
    import mylib.tools as tools

    def loss(x):
        return float(x) * 2

    slope = tools.slope(loss, 3)
    batched = tools.mapped(loss)
    """
    project(tmp_path, 'traced-decorators = {"mylib.tools.mapped" = "vmap"}', model=code)
    assert findings(tmp_path / "model.py") == [("JAX102", 5)]
    project(tmp_path, 'traced-decorators = {"mylib.tools.*" = "grad"}', model=code)
    assert findings(tmp_path / "model.py") == [("JAX102", 5)]


def test_a_loop_of_the_project_is_called_like_the_one_it_stands_for(tmp_path):
    code = """\
    import jax.numpy as jnp
    from mylib.control import scan

    def run(xs):
        def body(carry, x):
            if x > 0:
                carry = carry + x
            return carry, x
        return scan(body, jnp.zeros(()), xs)
    """
    project(tmp_path, 'traced-decorators = {"mylib.control.scan" = "jax.lax.scan"}', model=code)
    assert findings(tmp_path / "model.py") == [("JAX103", 6)]


OWN = """\
    import importlib

    def compile(function):
        return importlib.import_module("jax").jit(function)
    """
PACKAGE = {"mylib/__init__": "from .tools import compile\n", "mylib/tools": OWN}


@pytest.mark.parametrize(
    "statement",
    [
        "from mylib.tools import compile",
        "from .tools import compile",
        "from mylib import compile",
        "from . import compile",
    ],
)
def test_it_counts_for_more_than_the_projects_own_module(tmp_path, statement):
    code = BRANCH.format(imported="compile", decorator="compile").replace("from mylib import compile", statement)
    for table, found in (("", []), ('traced-decorators = {"mylib.tools.compile" = "jax.jit"}', [("JAX103", 5)])):
        project(tmp_path, table, PACKAGE | {"mylib/model": code})
        assert findings(tmp_path / "mylib" / "model.py") == found


def test_it_counts_in_the_module_itself_and_below_src(tmp_path):
    code = textwrap.dedent(OWN) + textwrap.dedent(BRANCH.format(imported="x", decorator="compile")).split("\n", 1)[1]
    table = 'traced-decorators = {"mylib.tools.compile" = "jax.jit"}'
    project(tmp_path, table, {"src/mylib/__init__": "", "src/mylib/tools": code})
    assert [code for code, _ in findings(tmp_path / "src" / "mylib" / "tools.py")] == ["JAX103"]


def test_the_most_exact_name_counts():
    said = Conventions(traced=(("a.*", "jax.vmap"), ("a.b.*", "jax.grad"), ("a.b.c", "jax.jit")))
    assert [said.transform(name).name for name in ("a.x", "a.b.x", "a.b.c")] == ["jax.vmap", "jax.grad", "jax.jit"]
    assert said.transform("b.c") is None


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("jit", "jax.jit"), ("jax.jit", "jax.jit"), ("scan", "jax.lax.scan"), ("lax.scan", "jax.lax.scan"),
        ("hk.transform", "haiku.transform"), ("eqx.filter_jit", "equinox.filter_jit"), ("remat", "jax.checkpoint"),
        ("nn.jit", None), ("json", None),
    ],
)  # fmt: skip
def test_transforms_are_named_as_people_say_them(name, full):
    assert find_transform(name) == full


# --- functions that consume keys -------------------------------------------------------------

DRAWS = """\
    import jax
    from mylib.sampling import draw

    key = jax.random.key(0)
    first = draw(key, (3,))
    second = draw(key, (3,))
    """


def test_a_key_that_is_consumed_twice_by_the_projects_sampler(tmp_path):
    project(tmp_path, "", model=DRAWS)
    assert findings(tmp_path / "model.py") == []
    project(tmp_path, 'key-consumers = ["mylib.sampling.draw"]', model=DRAWS)
    assert findings(tmp_path / "model.py") == [("JAX401", 6)]


def test_a_sampler_counts_for_more_than_its_code(tmp_path):
    files = {"mylib/__init__": "", "mylib/sampling": "def draw(key, shape):\n    return load()(key, shape)\n"}
    project(tmp_path, 'key-consumers = ["mylib.sampling.*"]', files, model=DRAWS)
    assert findings(tmp_path / "model.py") == [("JAX401", 6)]


def test_a_sampler_counts_for_more_than_what_its_module_binds(tmp_path):
    files = {"mylib/__init__": "", "mylib/sampling": "draw = load()\n"}
    project(tmp_path, 'key-consumers = ["mylib.sampling.draw"]', files, model=DRAWS)
    assert findings(tmp_path / "model.py") == [("JAX401", 6)]
    project(tmp_path, "", files, model=DRAWS)
    assert findings(tmp_path / "model.py") == []


def test_a_key_that_is_split_is_consumed_once(tmp_path):
    code = DRAWS.replace("first = draw(key", "key, other = jax.random.split(key)\n    first = draw(other")
    project(tmp_path, 'key-consumers = ["mylib.sampling.draw"]', model=code)
    assert findings(tmp_path / "model.py") == []


def test_a_parameter_that_is_called_key_is_one_and_what_else_is_passed_is_none(tmp_path):
    code = """\
    import jax
    from mylib.sampling import draw

    def noise(rng, shape, key="gaussian"):
        return draw(rng, shape) + draw(rng, shape)

    def apart(key, other_key, shape):
        return draw(key, shape) + draw(other_key, shape)

    def named(names, shape):
        return draw(names, shape) + draw(names, shape)
    """
    project(tmp_path, 'key-consumers = ["mylib.sampling.draw"]', model=code)
    assert findings(tmp_path / "model.py") == [("JAX401", 5)]


# --- attributes that are static --------------------------------------------------------------

ATTRIBUTES = """\
    import jax
    from mylib import pytree

    class Model:
        def __init__(self, scale, depth):
            self.scale = scale
            self.depth = depth

    @jax.jit
    def apply(scale, depth):
        model = Model(scale, depth)
        if model.depth > 3:
            return model.scale
        return -model.scale
    """


@pytest.mark.parametrize("said", ["depth", "Model.depth", "model.*", "*.depth"])
def test_an_attribute_that_is_said_to_be_static(tmp_path, said):
    project(tmp_path, "", model=ATTRIBUTES)
    assert findings(tmp_path / "model.py") == [("JAX103", 12)]
    project(tmp_path, f'static-attributes = ["{said}"]', model=ATTRIBUTES)
    assert findings(tmp_path / "model.py") == []


@pytest.mark.parametrize("said", ["scale", "Other.depth", "config.depth"])
def test_other_attributes_stay_what_they_are(tmp_path, said):
    project(tmp_path, f'static-attributes = ["{said}"]', model=ATTRIBUTES)
    assert findings(tmp_path / "model.py") == [("JAX103", 12)]


def test_attributes_of_a_traced_argument_and_of_an_unknown_object(tmp_path):
    code = """\
    import jax
    import jax.numpy as jnp

    @jax.jit
    def apply(cfg, x, state: State):
        if cfg.depth > 3:
            x = x + 1
        for _ in range(cfg.model.layers):
            x = x * 2
        return jnp.zeros(state.size) + x.real
    """
    project(tmp_path, 'static-attributes = ["cfg.*", "State.size"]', model=code)
    assert findings(tmp_path / "model.py") == []
    source = read_source(str(tmp_path / "model.py"))
    config = Configs().for_file(source.filename)
    revealed = Revealed(source, project=config.project, conventions=config.conventions).expressions
    kinds = {source.text[each.start : each.end]: each.value.kind for each in revealed}
    assert [kinds[text] for text in ("cfg.depth", "cfg.model", "cfg.model.layers", "state.size")] == ["static"] * 4
    assert kinds["x.real"] != "static"


# --- everywhere ------------------------------------------------------------------------------


def test_results_of_earlier_runs_count_for_the_same_conventions_alone(tmp_path):
    code = BRANCH.format(imported="compile", decorator="compile")
    file = str(tmp_path / "model.py")
    for table, count in (("", 0), ('traced-decorators = {"mylib.compile" = "jit"}', 1), ("", 0)):
        project(tmp_path, table, model=code)
        for _ in range(2):
            [outcome] = run([Job(file, Configs().for_file(file), cached=True)])
            assert len(outcome.diagnostics) == count


def test_command_line_and_flake8_say_the_same(tmp_path):
    code = BRANCH.format(imported="compile", decorator="compile")
    project(tmp_path, 'traced-decorators = {"mylib.compile" = "jit"}', model=code)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for words in (["jaxlint", "check", "--no-cache", "--output-format", "concise"], ["flake8", "--select", "JAX"]):
        ran = subprocess.run(
            [sys.executable, "-m", *words, "model.py"], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert (ran.returncode, ran.stdout.count("model.py:5:")) == (1, 1), ran.stdout + ran.stderr


CASES = """\
import jax
import jax.numpy as jnp
import pytest_cases


@pytest_cases.case
def case_sign():
    def signed(x):
        if x > 0:
            return x
        return -x

    return signed


@pytest_cases.parametrize("power", [1, 2])
def case_power(power):
    def raised(x):
        return x**power if power > 1 else x

    return raised


class Starts:
    def start_small(self):
        return jnp.ones(()), 1.0


@pytest_cases.fixture(name="result")
@pytest_cases.parametrize_with_cases("function", cases=".")
def fixture_result(function):
    return jax.jit(function)(1.0)


def test_result(result):
    assert result == 1


@pytest_cases.parametrize_with_cases("start, bound", cases=Starts, prefix="start_")
def test_bounded(start, bound):
    @jax.jit
    def bounded(start):
        return start if start < bound else bound

    bounded(start)
"""


def test_cases_of_pytest_cases_are_what_tests_are_given(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    test = tmp_path / "test_cases.py"
    test.write_text(CASES)
    assert findings(test) == [("JAX103", 9), ("JAX103", 43)]
