"""Analysis across files: each project is run under real JAX, and fails where jaxlint says it does."""

import importlib
import itertools
import subprocess
import sys
import textwrap
import traceback

import pytest
from interpreted import interpreted

from jaxlint.analysis.interpreter.module_summary import Evaluated
from jaxlint.cli import main
from jaxlint.configuration.config import Config, Configs
from jaxlint.run.pipeline import check_source
from jaxlint.run.runner import Job, run
from jaxlint.source.diagnostic import Applicability
from jaxlint.source.reading import read_source

HELPER = "def scale(x):\n    if x.sum() > 0:\n        return x\n    return -x\n"
BRANCH = "TracerBoolConversionError"

# Files, what to import and run, the error of real JAX, and the place where jaxlint reports it.
PROJECTS = {
    "array made of plain numbers": (
        {
            "curves.py": "import jax.numpy as jnp\ndef initial(degree):\n    return jnp.array([1] + [0] * degree)\n",
            "train.py": (
                "import jax\nfrom curves import initial\ndef loss(c, x):\n    return (c * x).sum()\n"
                "def fit(x):\n    c = initial(degree=2)\n    return jax.grad(loss)(c, x)\n"
            ),
        },
        "train", "fit(jnp.ones(3))", "TypeError", "train.py:7:12: JAX507",
    ),
    "decorator that gives itself with options": (
        {
            "wrappers.py": (
                "import functools\nimport jax\ndef compiled(fn=None, **options):\n    if fn is None:\n"
                "        return functools.partial(compiled, **options)\n    return functools.wraps(fn)(jax.jit(fn, **options))\n"
            ),
            "train.py": (
                "from wrappers import compiled\n@compiled(static_argnames='degree')\ndef powers(x, degree):\n"
                "    return x ** degree if x.sum() > 0 else x\n"
            ),
        },
        "train", "powers(jnp.ones(3), degree=2)", BRANCH, "train.py:4:27: JAX103",
    ),
    "decorator that is made by `partial`": (
        {
            "wrappers.py": "from functools import partial\nimport jax\ndef compiled(**options):\n    return partial(jax.jit, **options)\n",
            "train.py": (
                "from wrappers import compiled\n@compiled(static_argnames='degree')\ndef powers(x, degree):\n"
                "    return x ** degree if x.sum() > 0 else x\n"
            ),
        },
        "train", "powers(jnp.ones(3), degree=2)", BRANCH, "train.py:4:27: JAX103",
    ),
    "step of an object that also runs callbacks": (
        {
            "engine.py": (
                "import jax\nclass Engine:\n    def __init__(self, callbacks):\n        self.callbacks = list(callbacks)\n"
                "        self.step = jax.jit(self._step)\n    def fire(self, event, context):\n"
                "        for each in self.callbacks:\n            getattr(each, event)(context)\n"
                "    def _step(self, params, x):\n        return jax.grad(self.loss)(params, x)\n"
                "    def fit(self, params, x):\n        self.fire('started', {})\n        return self.step(params, x)\n"
            ),
            "train.py": (
                "from engine import Engine\nclass Line(Engine):\n    def loss(self, params, x):\n        y = (params * x).sum()\n"
                "        return y if y > 0 else -y\ndef main(x):\n    return Line([]).fit(x, x)\n"
            ),
        },
        "train", "main(jnp.ones(3))", BRANCH, "train.py:5:21: JAX103",
    ),
    "module of Linen that a method is given": (
        {
            "network.py": (
                "import flax.linen as nn\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n"
                "        return nn.Dense(2)(x)\n"
            ),
            "report.py": "class Report:\n    def add(self, model, x):\n        return model(x)\n",
            "train.py": (
                "from network import Net\nfrom report import Report\n"
                "def main(words):\n    return Report().add(Net(), words)\n"
                "if __name__ == '__main__':\n    main([1.0])\n"
            ),
        },
        "train", "main(jnp.ones((3, 2)))", "CallCompactUnboundModuleError", "report.py:3:16: JAX613",
    ),
    "object that a class method makes": (
        {
            "vocab.py": (
                "class Vocabulary:\n    def __init__(self, words):\n        self.words = dict(enumerate(words))\n\n"
                "    @classmethod\n    def of(cls, text):\n        return cls(text.split())\n\n"
                "    def decode(self, ids):\n        return [self.words[i] for i in ids]\n"
            ),
            "train.py": (
                "import jax.numpy as jnp\nfrom vocab import Vocabulary\n"
                "def main(x):\n    vocab = Vocabulary.of('a b c')\n    return vocab.decode(jnp.arange(3))\n"
            ),
        },
        "train", "main(jnp.ones(3))", "TypeError", "vocab.py:10:17: JAX109",
    ),
    "object that a function makes": (
        {
            "names.py": (
                "class Names:\n    def __init__(self, words):\n        self.words = dict(enumerate(words))\n\n"
                "    def of(self, place):\n        return self.words[place]\n\n"
                "def read(text):\n    names = Names(text.split())\n    return names\n"
            ),
            "train.py": (
                "import jax.numpy as jnp\nfrom names import read\n"
                "def main(x):\n    return read('a b c').of(jnp.argmax(x))\n"
            ),
        },
        "train", "main(jnp.ones(3))", "TypeError", "names.py:6:16: JAX109",
    ),
    "dict that a function makes of plain values": (
        {
            "settings.py": "DEFAULTS = {'n': 2}\ndef read(words):\n    out = dict(DEFAULTS)\n    for word in words:\n"
            "        name, value = word.split('=')\n        out[name] = int(value)\n    return out\n",
            "train.py": (
                "import jax\nfrom settings import read\ndef scale(x, options):\n    return x * options['n']\n"
                "def main(x):\n    options = read(['n=3'])\n    return jax.jit(scale, static_argnums=1)(x, options)\n"
            ),
        },
        "train", "main(jnp.ones(3))", "ValueError", "train.py:7:12: JAX502",
    ),
    "number that a property computes": (
        {
            "grid.py": (
                "class Grid:\n    def __init__(self, n):\n        self.n = n\n\n"
                "    @property\n    def dx(self):\n        cells = self.n - 1\n        return 1.0 / cells\n"
            ),
            "boundary.py": "def hold(u, left):\n    u[0] = left\n    return u\n",
            "train.py": (
                "import jax\nfrom grid import Grid\nfrom boundary import hold\ndef solve(u, grid):\n    dt = 0.5 * grid.dx**2\n"
                "    @jax.jit\n    def step(u):\n        return hold(u - dt * u, 1.0)\n    return step(u)\n"
                "def main(u):\n    return solve(u, Grid(4))\n"
            ),
        },
        "train", "main(jnp.ones(3))", "TypeError", "boundary.py:2:5: JAX308",
    ),
    "array that a method donates in its loop": (
        {
            "simulation.py": (
                "import jax\n\nclass Simulation:\n    def __init__(self):\n"
                "        self._step = jax.jit(self.advance, donate_argnums=0)\n"
                "    def advance(self, f):\n        return f * 0.5\n"
                "    def run(self, f, steps):\n        for _ in range(steps):\n            f = self._step(f)\n        return f\n"
            ),
            "train.py": (
                "import jax.numpy as jnp\nfrom simulation import Simulation\n"
                "def main():\n    first = jnp.ones(3)\n    last = Simulation().run(first, 2)\n    return last @ first\n"
            ),
        },
        "train", "main()", "RuntimeError", "train.py:6:12: JAX505",
    ),
    "from import": (
        {"helpers.py": HELPER, "train.py": "import jax\nfrom helpers import scale\nstep = jax.jit(scale)\n"},
        "train", "step(jnp.ones(3))", BRANCH, "helpers.py:2:8: JAX103",
    ),
    "import as": (
        {
            "helpers.py": HELPER,
            "train.py": "import jax\nimport helpers as h\n@jax.jit\ndef step(x):\n    return h.scale(x)\n",
        },
        "train", "step(jnp.ones(3))", BRANCH, "helpers.py:2:8: JAX103",
    ),
    "relative import": (
        {
            "net/__init__.py": "", "net/helpers.py": HELPER,
            "net/train.py": "import jax\nfrom .helpers import scale\nstep = jax.vmap(scale)\n",
        },
        "net.train", "step(jnp.ones((2, 3)))", BRANCH, "net/helpers.py:2:8: JAX103",
    ),
    "re-export": (
        {
            "net/__init__.py": "from .helpers import scale as rescale\n", "net/helpers.py": HELPER,
            "train.py": "import jax\nimport net\nstep = jax.jit(net.rescale)\n",
        },
        "train", "step(jnp.ones(3))", BRANCH, "net/helpers.py:2:8: JAX103",
    ),
    "submodule of a half read package": (
        {
            "net/__init__.py": "from .first import made\nvalue = made\n", "net/helpers.py": HELPER,
            "net/first.py": "from net import helpers\nmade = helpers.scale\n",
            "train.py": "import jax\nimport net\nstep = jax.jit(net.value)\n",
        },
        "train", "step(jnp.ones(3))", BRANCH, "net/helpers.py:2:8: JAX103",
    ),
    "star import": (
        {
            "helpers.py": "__all__ = ['scale']\n" + HELPER,
            "train.py": "import jax\nfrom helpers import *\nstep = jax.jit(scale)\n",
        },
        "train", "step(jnp.ones(3))", BRANCH, "helpers.py:3:8: JAX103",
    ),
    "namespace package": (
        {"space/helpers.py": HELPER, "train.py": "import jax\nfrom space import helpers\nstep = jax.jit(helpers.scale)\n"},
        "train", "step(jnp.ones(3))", BRANCH, "space/helpers.py:2:8: JAX103",
    ),
    "import cycle": (
        {
            "helpers.py": "import train\n\n\ndef scale(x):\n    return train.sign(x) * x\n",
            "train.py": (
                "import jax\nimport helpers\n\n\ndef sign(x):\n    return 1 if x > 0 else -1\n\n\n"
                "step = jax.jit(lambda x: helpers.scale(x))\n"
            ),
        },
        "train", "step(1.0)", BRANCH, "train.py:6:17: JAX103",
    ),
    "base class": (
        {
            "base.py": (
                "class Layer:\n    def __init__(self, width):\n        self.width = width\n\n"
                "    def steps(self, x):\n        return [x for _ in range(self.width)]\n"
            ),
            "train.py": (
                "import jax\nfrom base import Layer\n\n\nclass Dense(Layer):\n    def __call__(self, x):\n"
                "        return self.steps(x)\n\n\n@jax.jit\ndef step(x, n):\n    return Dense(n)(x)\n"
            ),
        },
        "train", "step(1.0, 2)", "TracerIntegerConversionError", "base.py:6:28: JAX107",
    ),
    "transform in one file, call in another": (
        {
            "model.py": "import jax\n\n\n@jax.jit\ndef forward(f, x):\n    return f(x)\n\n\ndef through(f, x):\n    return jax.vmap(f)(x)\n",
            "train.py": "import model\nimport jax.numpy as jnp\n\n\ndef half(x):\n    return float(x) / 2\n\n\ndef run(x):\n    return model.through(half, x)\n",
        },
        "train", "run(jnp.ones(3))", "ConcretizationTypeError", "train.py:6:12: JAX102",
    ),
    "factory": (
        {
            "factory.py": "def make_step(rate):\n    def step(x):\n        while x > rate:\n            x = x / 2\n        return x\n    return step\n",
            "train.py": "import jax\nfrom factory import make_step\nstep = jax.jit(make_step(1.0))\n",
        },
        "train", "step(3.0)", BRANCH, "factory.py:3:15: JAX104",
    ),
    "decorated where it is defined": (
        {
            "model.py": "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef zeros(n):\n    return jnp.zeros(n)\n",
            "train.py": "import model\n\n\ndef run():\n    return model.zeros(3)\n",
        },
        "train", "run()", "TypeError", "model.py:7:12: JAX201",
    ),
    "submodule of a package": (
        {
            "net/__init__.py": "", "net/ops/__init__.py": "", "net/ops/basic.py": HELPER,
            "train.py": "import jax\nimport net.ops.basic\nstep = jax.grad(lambda x: net.ops.basic.scale(x).sum())\nfast = jax.jit(step)\n",
        },
        "train", "fast(1.0)", BRANCH, "net/ops/basic.py:2:8: JAX103",
    ),
    "pytree whose base is in another file": (
        {
            "net/__init__.py": "from .base import State\n",
            "net/base.py": "from flax import struct\n\n\nclass State(struct.PyTreeNode):\n    x: float\n    n: int = struct.field(pytree_node=False, default=2)\n",
            "net/train.py": (
                "import jax\nfrom . import State\n\n\nclass Mine(State):\n    y: float = 1.0\n\n    def total(self):\n"
                "        if self.n > 3:\n            return self.x\n        return self.x if self.x > 1 else self.y\n\n\n"
                "@jax.jit\ndef step(state):\n    return state.replace(x=state.x * 2).total()\n\n\n"
                "def run():\n    return step(Mine(x=1.0))\n"
            ),
        },
        "net.train", "run()", BRANCH, "net/train.py:11:26: JAX103",
    ),
    "relative import from the package above": (
        {
            "net/__init__.py": "", "net/helpers.py": HELPER, "net/sub/__init__.py": "",
            "net/sub/train.py": "import jax\nfrom ..helpers import scale\n\n\nclass Step:\n    def __init__(self):\n        self.run = jax.jit(self.body)\n\n    def body(self, x):\n        return scale(x)\n\n\ndef run(x):\n    return Step().run(x)\n",
        },
        "net.sub.train", "run(jnp.ones(3))", BRANCH, "net/helpers.py:2:8: JAX103",
    ),
    "decorator of the project": (
        {
            "compiled.py": "import functools\nimport jax\n\n\ndef compiled(f):\n    fast = jax.jit(f)\n\n    @functools.wraps(f)\n    def inner(*args):\n        return fast(*args)\n\n    return inner\n",
            "train.py": "from compiled import compiled\n\n\n@compiled\ndef step(x):\n    return int(x)\n\n\ndef run():\n    return step(1.0)\n",
        },
        "train", "run()", "ConcretizationTypeError", "train.py:6:12: JAX102",
    ),
    "table of functions in another file": (
        {
            "ops.py": "def half(x):\n    return x / 2\n\n\ndef sign(x):\n    return 1 if x > 0 else -1\n\n\nOPS = {'half': half, 'sign': sign}\n",
            "train.py": "import jax\nimport ops\n\n\n@jax.jit\ndef step(x):\n    return ops.OPS['sign'](ops.OPS['half'](x))\n\n\ndef run():\n    return step(1.0)\n",
        },
        "train", "run()", BRANCH, "ops.py:6:17: JAX103",
    ),
    "array with a value, given to a function of another file": (
        {
            "helpers.py": "def first(x):\n    for each in x:\n        return each\n",
            "train.py": "import jax.numpy as jnp\nfrom helpers import first\n\n\ndef run():\n    return first(jnp.array(1.5))\n\n\nif __name__ == '__main__':\n    run()\n",
        },
        "train", "run()", "TypeError", "helpers.py:2:17: JAX112",
    ),
    "function made in another file": (
        {
            "helpers.py": "def scale(x):\n    def inner():\n        return float(x) * 2.0\n    return inner()\n",
            "train.py": "import jax\nfrom helpers import scale\n\n\ndef run():\n    return jax.grad(scale)(1.5)\n",
        },
        "train", "run()", "ConcretizationTypeError", "helpers.py:3:16: JAX102",
    ),
    "configuration of another file": (
        {
            "config.py": "from dataclasses import dataclass, field\n\n\n@dataclass(frozen=True)\nclass Net:\n    width: int = 2\n\n\n@dataclass(frozen=True)\nclass Config:\n    net: Net = field(default_factory=Net)\n",
            "train.py": "import jax\nfrom config import Config\n\n\n@jax.jit\ndef step(x, net):\n    return x * net.width\n\n\ndef run():\n    return step(1.0, Config().net)\n",
        },
        "train", "run()", "TypeError", "train.py:11:12: JAX111",
    ),
    "axis of a collective in another file": (
        {
            "sync.py": "from jax import lax\n\n\ndef mean(x, axis='data'):\n    return lax.pmean(x, axis)\n",
            "train.py": "import jax\nfrom sync import mean\n\n\n@jax.jit\ndef step(x):\n    return mean(x)\n\n\ndef run():\n    return step(1.0)\n\n\nif __name__ == '__main__':\n    run()\n",
        },
        "train", "run()", "NameError", "sync.py:5:12: JAX528",
    ),
    "function chosen by name in another file": (
        {
            "schedules.py": "def flat(step):\n    return 0.1\n\n\ndef stairs(step):\n    return 0.1 if step < 10 else 0.01\n\n\ndef named(name):\n    return {'flat': flat, 'stairs': stairs}[name]\n",
            "train.py": "import jax\nfrom schedules import named\n\n\ndef run():\n    return jax.jit(named('stairs'))(3)\n",
        },
        "train", "run()", BRANCH, "schedules.py:6:19: JAX103",
    ),
}  # fmt: skip


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


def concise(capsys, *arguments):
    main(["check", *arguments, "--output-format", "concise"])
    return capsys.readouterr().out.splitlines()[:-1]


@pytest.fixture
def forgetful(tmp_path):
    """Modules of a made-up project are not left behind for the next test."""
    yield
    for name, module in list(sys.modules.items()):
        places = [getattr(module, "__file__", None) or "", *map(str, getattr(module, "__path__", ()))]
        if any(place.startswith(str(tmp_path)) for place in places):
            del sys.modules[name]


def test_a_class_that_another_file_registers_is_a_pytree(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "config.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass Net:\n    width: float = 2.0\n",
        "train.py": "import jax\nfrom config import Net\n\njax.tree_util.register_dataclass(Net, ['width'], [])\n\n\n@jax.jit\ndef step(x, net):\n    return x * net.width\n\n\ndef run():\n    return step(1.0, Net())\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert concise(capsys, ".") == []


def test_callers_of_the_package_may_make_a_pytree_of_a_function(tmp_path, monkeypatch, capsys):
    residual = "import jax\nfrom typing import Callable\n@jax.jit\ndef residual(x, fn: Callable):\n    return fn(x)\n"
    solve = "import jax\ndef solved(residual, fn, x):\n    return residual(x, jax.tree_util.Partial(fn))\n"
    write(tmp_path, {
        "fem/__init__.py": "from .residual import *\nfrom .solve import *\n",
        "fem/residual.py": residual, "fem/solve.py": solve, "other/__init__.py": "", "other/residual.py": residual,
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (line,) = concise(capsys, ".")
    assert line.startswith("other/residual.py:4:17: JAX111 ")


def test_fixtures_of_conftest_are_known(tmp_path, monkeypatch, capsys):
    head = "import jax.numpy as jnp\nimport pytest\n\n\n"
    given = "@pytest.fixture\ndef {}():\n    return jnp.ones(3)\n\n\n"
    write(tmp_path, {
        "pyproject.toml": "[tool.jaxlint]\n",
        "tests/conftest.py": head + given.format("far") + given.format("near"),
        "tests/unit/conftest.py": head + "@pytest.fixture(name='near')\ndef made():\n    return [1.0]\n",
        "tests/unit/test_it.py": "import jax\n\n\ndef test_far(far):\n    far[0] = 1.0\n\n\ndef test_near(near):\n    near[0] = 1.0\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (line,) = concise(capsys, ".")
    assert line.startswith("tests/unit/test_it.py:5:5: JAX308 ")


def test_parameters_that_a_hook_of_conftest_gives_are_known(tmp_path, monkeypatch, capsys):
    hook = "def pytest_generate_tests(metafunc):\n    if 'made' in metafunc.fixturenames:\n"
    write(tmp_path, {
        "pyproject.toml": "[tool.jaxlint]\n",
        "tests/conftest.py": "import jax.numpy as jnp\n\n\n" + hook + "        metafunc.parametrize('made', [jnp.ones(3)])\n",
        "tests/test_it.py": "import jax\n\n\ndef test_made(made):\n    made[0] = 1.0\n\n\ndef test_other(other):\n    other[0] = 1.0\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (line,) = concise(capsys, ".")
    assert line.startswith("tests/test_it.py:5:5: JAX308 ")


@pytest.mark.parametrize("name", PROJECTS)
def test_it_fails_where_it_is_reported(name, tmp_path, monkeypatch, capsys, forgetful):
    import jax
    import jax.numpy as jnp

    files, module, call, error, expected = PROJECTS[name]
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    lines = concise(capsys, ".")
    assert len(lines) == 1 and lines[0].startswith(expected + " "), lines
    file, row = expected.split(":")[:2]
    loaded = importlib.import_module(module)
    with pytest.raises(Exception) as caught:
        eval(call, {**vars(loaded), "jnp": jnp})
    assert any(cls.__name__ == error for cls in type(caught.value).__mro__), caught.value
    frames = traceback.extract_tb(caught.value.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(str(tmp_path))]
    assert (own[-1].filename, own[-1].lineno) == (str(tmp_path / file), int(row))
    assert jax.__version__


def test_file_that_is_not_in_the_run_is_reported_at_the_call(tmp_path, monkeypatch, capsys):
    files = PROJECTS["from import"][0]
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    (line,) = concise(capsys, "--no-importers", "train.py")
    assert line.startswith("train.py:3:8: JAX103 ") and line.endswith("(helpers.py:2, called here)")
    assert concise(capsys, "--no-importers", "helpers.py") == []
    config = Configs().for_file("train.py")
    (found,) = check_source(read_source("train.py"), config).diagnostics
    assert (found.filename, found.start.row, found.fix) == ("train.py", 3, None)
    assert (found.related[0].filename, found.related[0].start.row) == ("helpers.py", 2)


def test_flake8_reads_a_file_whose_imports_use_jax(tmp_path):
    write(tmp_path, {
        "model.py": "import jax\n\n\ndef trace(f):\n    return jax.jit(f)\n",
        "train.py": "from model import trace\n\n\n@trace\ndef loop(n):\n    return [0 for _ in range(n)]\n",
    })  # fmt: skip
    command = [sys.executable, "-m", "flake8", "--isolated", "--select=JAX", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("train.py:6:24: JAX107 "), done.stdout + done.stderr


def test_comments_of_either_file_silence(tmp_path, monkeypatch, capsys):
    files = dict(PROJECTS["from import"][0])
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {**files, "helpers.py": HELPER.replace("> 0:", "> 0:  # noqa: JAX103")})
    assert concise(capsys, ".") == [] and concise(capsys, "train.py") == []
    write(tmp_path, {**files, "train.py": files["train.py"].replace("(scale)", "(scale)  # noqa: JAX103")})
    assert concise(capsys, "train.py") == []


DRAWING = {
    "a key by its name": {"draws.py": "import jax\n\n\ndef noise(key):\n    return jax.random.normal(key)\n"},
    "a key by its use": {"draws.py": "from jax import random\n\n\ndef noise(k):\n    return random.normal(k)\n"},
    "handed on": {
        "draws.py": "from inner import draw\n\n\ndef noise(k):\n    return draw(k)\n",
        "inner.py": "import jax.random as jr\n\n\ndef draw(state):\n    return jr.normal(state)\n",
    },
}


@pytest.mark.parametrize("name", DRAWING)
def test_a_key_is_used_up_by_functions_of_other_files(tmp_path, monkeypatch, capsys, name):
    write(tmp_path, {
        **DRAWING[name],
        "train.py": "import draws\n\n\ndef run(key):\n    return draws.noise(key) + draws.noise(key)\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (line,) = concise(capsys, ".")
    assert line.startswith("train.py:5:31: JAX401 ")


def test_static_arguments_are_seen_across_files(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "model.py": "import functools\nimport jax\nimport jax.numpy as jnp\n\n\n"
        "@functools.partial(jax.jit, static_argnames='n')\ndef grid(x, n):\n    return x + jnp.arange(n)\n",
        "train.py": "import jax\nimport model\n\n\n@jax.jit\ndef good(x):\n    return model.grid(x, x.shape[0])\n\n\n"
        "def also_good(x, n):\n    return model.grid(x, n)\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert concise(capsys, ".") == []


def test_what_a_module_compiles_is_compiled_once_wherever_it_is_first_read(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "helper.py": "import jax\n\n\n@jax.jit\ndef reached(state):\n    return state > 3\n",
        "core.py": """
            from helper import reached


            class Sampler:
                def run(self, state):
                    def goal(state):
                        if int(state.iterations) == 0:
                            return False
                        return bool(reached(state))

                    return self.run_until(state, goal)

                def run_until(self, state, goal):
                    while int(state.reason) == 0:
                        if goal is not None and bool(state.reached) and bool(goal(state)):
                            break
                        state = state.replace(state.reason + 1)
                    return state
            """,
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert concise(capsys, ".") == []


def test_an_import_cycle_through_a_class_is_read(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "model.py": "import jax\nimport train\n\n\nclass Net:\n    width = 3\n\n    def __call__(self, x, n=2):\n"
        "        return train.scaled(x) if n > self.width else x\n\n\nfast = jax.jit(Net())\n",
        "train.py": "from model import Net\n\n\ndef scaled(x):\n    return x * Net.width if x.ndim else x\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert concise(capsys, ".") == []


def test_source_layout_and_broken_neighbours(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "pyproject.toml": "[tool.jaxlint]\n", "src/net/__init__.py": "", "src/net/helpers.py": HELPER,
        "broken.py": "def f(:\n",
        "scripts/train.py": "import jax\nimport broken\nfrom net.helpers import scale\nstep = jax.jit(scale)\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    lines = concise(capsys, "src", "scripts")
    assert [line.split(" ")[:2] for line in lines] == [["src/net/helpers.py:2:8:", "JAX103"]]


def test_a_checkout_that_bears_the_name_of_its_package_is_none(tmp_path, monkeypatch, capsys):
    write(tmp_path / "net", {
        "pyproject.toml": "[tool.jaxlint]\n", "net/__init__.py": "", "net/helpers.py": HELPER,
        "tests/scaling.py": "import jax\nfrom net import helpers\nstep = jax.jit(helpers.scale)\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path / "net")
    lines = concise(capsys, "net", "tests")
    assert [line.split(" ")[:2] for line in lines] == [["net/helpers.py:2:8:", "JAX103"]]


def test_installed_packages_and_libraries_are_not_read(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "site-packages/other.py": HELPER, "site-packages/mine/__init__.py": "",
        "site-packages/mine/train.py": "import jax\nfrom other import scale\nstep = jax.jit(scale)\n",
        "optax.py": HELPER, "main.py": "import jax\nfrom optax import scale\nstep = jax.jit(scale)\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert concise(capsys, ".") == []


def test_libraries_are_read_in_their_own_trees(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "optax/__init__.py": "", "optax/_src/numerics.py": HELPER, "haiku/__init__.py": "", "haiku/_src/basic.py": HELPER, "haiku/basic.py": HELPER,
        "optax/_src/numerics_test.py": "import jax\nfrom optax._src import numerics\nstep = jax.jit(numerics.scale)\n",
        "tests/basic_test.py": "import jax\nfrom haiku._src import basic\nstep = jax.jit(basic.scale)\n",
        "tests/public_test.py": "import jax\nfrom haiku import basic\nstep = jax.jit(basic.scale)\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert [line.partition(" ")[0] for line in concise(capsys, ".")] == [
        "haiku/_src/basic.py:2:8:",
        "optax/_src/numerics.py:2:8:",
    ]


def test_file_without_jax_that_imports_a_module_with_it_is_read(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "model.py": "import jax\n\n\n@jax.jit\ndef forward(f, n):\n    return f(n)\n\n\ndef trace(f):\n    return jax.jit(f)\n",
        "train.py": "from model import (\n    trace,\n)\n\n\n@trace\ndef loop(n):\n    return [0 for _ in range(n)]\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (line,) = concise(capsys, ".")
    assert line.startswith("train.py:8:24: JAX107 ")


def test_words_of_an_imported_module_do_not_change_a_fix(tmp_path, monkeypatch):
    write(tmp_path, {
        "helpers.py": 'import jax\n\n\ndef apply(f, x):\n    return getattr(jax, "tree_map")(f, x)\n',
        "train.py": "import jax\nfrom jax import tree_map\nfrom helpers import apply\n\n\n"
                    "def step(x):\n    return tree_map(abs, apply(abs, x))\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    config = Config(root=str(tmp_path), target_jax=">=0.10")
    (outcome,) = run([Job("train.py", config)], 1)
    fixes = [(each.code, each.fix.applicability) for each in outcome.diagnostics if each.fix is not None]
    assert fixes == [("JAX801", Applicability.SAFE)]


def test_changed_module_is_read_again(tmp_path, monkeypatch, capsys):
    write(tmp_path, PROJECTS["from import"][0])
    monkeypatch.chdir(tmp_path)
    assert len(concise(capsys, ".")) == 1
    (tmp_path / "helpers.py").write_text("def scale(x):\n    return x + x\n")
    assert concise(capsys, ".") == []


def test_outcomes_do_not_depend_on_jobs_or_order(tmp_path, monkeypatch):
    files = {}
    for number in range(20):
        files[f"helpers{number}.py"] = HELPER
        files[f"train{number}.py"] = f"import jax\nfrom helpers{number % 7} import scale\nstep = jax.jit(scale)\n"
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    config = Config(root=str(tmp_path))
    names = sorted(files)

    def found(order, workers):
        return {outcome.filename: outcome.diagnostics for outcome in run([Job(n, config) for n in order], workers)}

    one = found(names, 1)
    assert sum(map(len, one.values())) == 7
    assert found(names, 2) == one and found(names[::-1], 1) == one


def test_modules_that_import_each_other_are_the_same_to_every_root(tmp_path, monkeypatch):
    """What is worked out for one root serves the others, unless it was reached half read."""
    files = {
        "a.py": "import jax\nimport b\nWIDTH = b.width(2)\n" + HELPER + "step = jax.jit(b.scale)\n",
        "b.py": "import jax\nimport c\ndef width(n):\n    return n\nWIDE = width(c.DEPTH)\n"
        + HELPER
        + "run = jax.jit(lambda x: c.twice(x))\n",
        "c.py": "import jax\nimport a\nDEPTH = 3\ndef twice(x):\n    if a.WIDTH > 1:\n        return a.scale(x)\n    return x\n",
        "d.py": "import jax\nimport b, c\nstep = jax.jit(c.twice)\nwide = jax.jit(lambda x: x if x > b.WIDE else -x)\n",
    }
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    config = Config(root=str(tmp_path))

    def found(order):
        return {outcome.filename: outcome.diagnostics for outcome in run([Job(name, config) for name in order], 1)}

    alone = found(sorted(files))
    assert [(name, each.start.row) for name in sorted(files) for each in alone[name]] == [
        ("a.py", 5),
        ("b.py", 7),
        ("d.py", 4),
    ]
    assert all(found(order) == alone for order in itertools.permutations(files))


def test_a_module_that_uses_what_its_importer_has_so_far(tmp_path, monkeypatch, capsys):
    """A root is imported back while it is half read: its functions are not those of the module."""
    decorator = (
        "import jax\nimport registry\ndef logged(f):\n    registry.functions().append(f)\n    return f\nimport b\n"
    )
    write(tmp_path, {
        "a.py": decorator + "step = jax.jit(b.scale)\n",
        "b.py": "import a\n@a.logged\ndef shift(x):\n    return x\n" + HELPER,
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert [line.split(" ")[1] for line in concise(capsys, "a.py")] == ["JAX103"]


@interpreted
def test_a_circle_of_many_modules_is_gone_round_a_few_times(tmp_path, monkeypatch, capsys):
    count = 24
    for number in range(count):
        others = [other for other in range(count) if other != number]
        lines = [f"import m{other}\n" for other in others]
        lines += [f"WIDTH_{other} = m{other}.DEPTH\n" for other in others]
        write(tmp_path, {f"m{number}.py": "".join(lines) + "DEPTH = 1\n"})
    write(tmp_path, {"a.py": "import jax\nimport m0\n" + HELPER + "print(m0.WIDTH_1)\nstep = jax.jit(scale)\n"})
    read = []
    evaluate = Evaluated.evaluate
    monkeypatch.setattr(Evaluated, "evaluate", lambda self, i: (read.append(self.file), evaluate(self, i)))
    monkeypatch.chdir(tmp_path)
    assert len(concise(capsys, "a.py")) == 1
    assert count <= len(read) <= 2 * count


def test_what_a_test_does_on_purpose_is_not_the_fault_of_the_module_it_tests(tmp_path, monkeypatch, capsys):
    """A rule that is off in tests is off for what a test makes fail elsewhere; what fails anyhow is reported."""
    lib = "import jax\n\ndef noisy(x, key):\n    return x + jax.random.normal(key, x.shape)\n\ndef once(key):\n"
    lib += "    a = jax.random.normal(key)\n    return a + jax.random.normal(key)\n"
    use = "    jax.vmap(noisy, in_axes=(0, None))(jnp.zeros((3, 2)), jax.random.key(0))\n    once(jax.random.key(3))\n"
    head = "import jax\nimport jax.numpy as jnp\nfrom lib import noisy, once\ndef {}():\n"
    write(
        tmp_path,
        {"lib.py": lib, "use.py": head.format("main") + use + "main()\n", "test_use.py": head.format("test_it") + use},
    )
    monkeypatch.chdir(tmp_path)
    for caller, expected in {"use.py": ["4:16: JAX404", "8:16: JAX401"], "test_use.py": ["8:16: JAX401"]}.items():
        assert [" ".join(line.split(" ")[:2]) for line in concise(capsys, "--no-importers", "lib.py", caller)] == [
            f"lib.py:{each}" for each in expected
        ]


COMPUTING = {
    "a property": ("    @property\n    def step(self):\n        return 1.0 / self.count\n", "grid.step"),
    "a function": ("def step(grid):\n    return max(1, grid.count)\n", "grids.step(grid)"),
}


@pytest.mark.parametrize("name", COMPUTING)
def test_a_function_of_another_file_that_only_computes_leaves_an_object_as_it_is(tmp_path, monkeypatch, capsys, name):
    definition, use = COMPUTING[name]
    write(tmp_path, {
        "grids.py": "import dataclasses\n\n\n@dataclasses.dataclass\nclass Grid:\n    count: int\n    kind: str = 'plain'\n\n" + definition,
        "train.py": "import grids\nimport jax.numpy as jnp\n\n\ndef run():\n    grid = grids.Grid(3)\n"
        f"    step = {use}\n    if grid.kind != 'plain':\n        return jnp.ones(3) + jnp.ones(4)\n    return step\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert concise(capsys, ".") == []


CHANGING = {
    "stores": ("def widened(grid):\n    grid.sizes = [4]\n", "grids.widened(grid)"),
    "hands out": ("def of(grid):\n    return grid.sizes\n", "grids.of(grid)[0] = 4"),
}


@pytest.mark.parametrize("name", CHANGING)
def test_a_function_of_another_file_may_change_an_object_or_let_others(tmp_path, monkeypatch, capsys, name):
    definition, use = CHANGING[name]
    write(tmp_path, {
        "grids.py": definition,
        "train.py": "import grids\nimport jax.numpy as jnp\n\n\nclass Grid:\n    def __init__(self):\n        self.sizes = [3]\n\n\n"
        f"def run():\n    grid = Grid()\n    {use}\n    return jnp.ones(4) + jnp.ones(grid.sizes[0])\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert concise(capsys, ".") == []


REPLACED = {
    "on one path": ("if jax.local_device_count() == 1:\n    setattr(helpers, 'average', lambda x: x)\n", []),
    "by an assignment": ("helpers.average = lambda x: x\n", []),
    "another name": ("helpers.other = lambda x: x\n", ["helpers.py:7:12: JAX528"]),
}


@pytest.mark.parametrize("name", REPLACED)
def test_a_name_of_another_file_is_what_was_set_from_outside(tmp_path, monkeypatch, capsys, name):
    replacing, expected = REPLACED[name]
    write(tmp_path, {
        "helpers.py": "import jax\n\nAXIS = 'devices'\n\n\ndef average(x):\n    return jax.lax.pmean(x, AXIS)\n",
        "bench.py": "import helpers\nimport jax\nimport jax.numpy as jnp\n\n" + replacing
        + "\n\n@jax.jit\ndef step(x):\n    return helpers.average(x) * 2\n\n\nprint(step(jnp.ones(3)))\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert [" ".join(line.split(" ")[:2]) for line in concise(capsys, ".")] == expected


SET = {
    "between two calls": (
        "    print(waves.advanced(x))\n    waves.SPEED = 2.0\n    print(waves.advanced(x))\n",
        ["train.py:8:11: JAX316"],
    ),
    "in a loop": (
        "    for speed in (1.0, 2.0):\n        waves.SPEED = speed\n        print(waves.advanced(x))\n",
        ["train.py:8:15: JAX316"],
    ),
    "once": ("    waves.SPEED = 2.0\n    print(waves.advanced(x))\n    print(waves.advanced(x))\n", []),
    "another name": ("    print(waves.advanced(x))\n    waves.LENGTH = 2.0\n    print(waves.advanced(x))\n", []),
}


@pytest.mark.parametrize("name", SET)
def test_compiled_code_keeps_what_a_variable_of_its_module_was(tmp_path, monkeypatch, capsys, name):
    setting, expected = SET[name]
    write(tmp_path, {
        "waves.py": "import jax\n\nSPEED = 1.0\n\n\ndef moved(x):\n    return x + SPEED\n\n\n@jax.jit\ndef advanced(x):\n    return moved(x)\n",
        "train.py": "import jax.numpy as jnp\nimport waves\n\n\ndef main(x):\n" + setting + "\n\nmain(jnp.ones(3))\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert [" ".join(line.split(" ")[:2]) for line in concise(capsys, ".")] == expected


def test_statistics_that_an_imported_module_keeps_are_not_discarded(tmp_path, monkeypatch, capsys):
    write(tmp_path, {
        "steps.py": "import jax\n\n\ndef train_step(state, x):\n    def loss_fn(params):\n"
        "        y, changed = state.apply_fn({'params': params, 'batch_stats': state.batch_stats}, x, mutable=['batch_stats'])\n"
        "        return y.sum(), (changed, y)\n\n    aux, grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)\n"
        "    changed, y = aux[1]\n    return state.apply_gradients(grads=grads, batch_stats=changed['batch_stats'])\n",
        "train.py": "import jax\nfrom steps import train_step\n\n\ndef main(state, x):\n    return jax.jit(train_step)(state, x)\n",
    })  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert concise(capsys, ".") == []
