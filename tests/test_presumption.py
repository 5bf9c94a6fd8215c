"""Presumed activations: modules of real frameworks fail under `jit` where a report says so, and run where there is none."""

import json
import textwrap

import pytest

from jaxlint.api import check
from jaxlint.cli import main

jax = pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")
import haiku as hk
import jax.numpy as jnp

HEADS = {
    "linen": "import flax.linen as nn\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\nclass Net(nn.Module):\n    @nn.compact\n",
    "nnx": "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom flax import nnx\n\n\nclass Net(nnx.Module):\n",
    "haiku": "import haiku as hk\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\nclass Net(hk.Module):\n",
    "equinox": "import equinox as eqx\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\nclass Net(eqx.Module):\n",
    "transform": "import haiku as hk\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n",
}


def source(framework: str, parameters: str, body: str) -> str:
    if framework == "transform":
        return (
            HEADS[framework]
            + f"def forward({parameters}):\n{textwrap.indent(body, '    ')}\nnet = hk.transform(forward)\n"
        )
    return HEADS[framework] + f"    def __call__(self, {parameters}):\n{textwrap.indent(body, '        ')}"


def run_compiled(framework: str, code: str, *args, static=()) -> None:
    """Run the module as a compiled step does; ``static`` are the positions of static arguments, as sizes are passed."""
    names: dict = {}
    exec(compile(code, "net.py", "exec"), names)
    if framework == "linen":
        net = names["Net"]()
        jax.jit(lambda *given: net.apply({}, *given), static_argnums=static)(*args)
    elif framework == "haiku":
        net = hk.transform(lambda *given: names["Net"]()(*given))
        jax.jit(lambda *given: net.apply({}, None, *given), static_argnums=static)(*args)
    elif framework == "transform":
        jax.jit(lambda *given: names["net"].apply({}, None, *given), static_argnums=static)(*args)
    else:
        net = names["Net"]()
        jax.jit(lambda *given: net(*given), static_argnums=static)(*args)


FAILING = {
    "if h.mean() > 0:\n    h = -h\nreturn h\n": "JAX103",
    "assert jnp.all(h > 0)\nreturn h\n": "JAX103",
    "return h * int(h[0])\n": "JAX102",
    "return np.sin(h)\n": "JAX301",
    "return h.sum().item()\n": "JAX101",
    "for _ in range(h.sum()):\n    h = h + 1\nreturn h\n": "JAX107",
    "return jnp.zeros(jnp.sum(h))\n": "JAX201",
    "return h[h > 0]\n": "JAX203",
    "return x.sum().item()\n": "JAX101",
    "while jnp.any(h < 0):\n    h = h + 1\nreturn h\n": "JAX104",
}


@pytest.mark.parametrize("framework", HEADS)
@pytest.mark.parametrize("body", FAILING)
def test_hazard_in_a_module_nobody_compiles_here(framework, body):
    code = source(framework, "x", "h = jnp.tanh(x) + 1\n" + body)
    with pytest.raises(Exception, match=r"[Tt]rac|[Cc]oncrete|abstract"):
        run_compiled(framework, code, jnp.ones(3))
    (found,) = check(code, "net.py")
    assert (found.code, found.basis, found.convention) == (FAILING[body], "presumed", "modules")
    assert any("is presumed to run under `jit`" in step.message for step in found.related)
    assert check(code, "net.py", presume=[]) == []
    assert check(code, "test_net.py") == [], "what a test calls can be seen"


@pytest.mark.parametrize("framework", HEADS)
def test_hazard_in_what_a_mapping_of_arrays_holds(framework):
    code = source(framework, "batch: dict[str, jax.Array]", 'h = batch["x"].astype(float)\nreturn h * float(h.sum())\n')
    with pytest.raises(Exception, match=r"[Tt]rac|[Cc]oncrete|abstract"):
        run_compiled(framework, code, {"x": jnp.ones(3)})
    (found,) = check(code, "net.py")
    assert (found.code, found.basis) == ("JAX102", "presumed")


# Parameters, the body, arguments, and which of them are static: sizes, flags and modes arrive as plain Python.
VALID = [
    ("x, train", "if train:\n    x = x * 2\nreturn x\n", (jnp.ones(3), True), (1,)),
    ("x, train", "return x * 2 if not train else x\n", (jnp.ones(3), True), (1,)),
    ("x, train=False", "if train and x.ndim == 1:\n    x = x * 2\nreturn x\n", (jnp.ones(3),), ()),
    ("x, size", "return x + np.arange(size)\n", (jnp.ones(3), 3), (1,)),
    ("x, size", "return x + jnp.zeros((size,))\n", (jnp.ones(3), 3), (1,)),
    ("x, size", "half = size // 2\nreturn x[:half] if half > 1 else x\n", (jnp.ones(3), 3), (1,)),
    ("x, depth", "for _ in range(depth - 1):\n    x = x + 1\nreturn x\n", (jnp.ones(3), 3), (1,)),
    ("x, scale", "return x * np.sqrt(scale) + float(scale)\n", (jnp.ones(3), 2.0), (1,)),
    ("x, mode", 'if mode == "sum":\n    return x.sum()\nreturn x\n', (jnp.ones(3), "sum"), (1,)),
    ("x, index", "layers = [jnp.sin, jnp.cos]\nreturn layers[index](x)\n", (jnp.ones(3), 1), (1,)),
    ("x, size: int", "return jnp.reshape(x, (size, -1))\n", (jnp.ones(3), 3), (1,)),
    ("x, mask=None", "if mask is not None:\n    x = x * mask\nreturn x\n", (jnp.ones(3),), ()),
    ("x, config", "return x * 2 if config.flag else x\n", None, ()),
    (
        "x",
        "n, = x.shape\nif n > 2 and x.dtype == jnp.float32:\n    x = x + np.arange(n)\nreturn x\n",
        (jnp.ones(3),),
        (),
    ),
    (
        "batch: dict[str, jnp.ndarray]",
        'x = batch["x"].astype(jnp.float32)\nif "mask" in batch and len(batch) > 1:\n    x = x * batch["mask"]\nreturn x\n',
        ({"x": jnp.ones(3), "mask": jnp.ones(3)},),
        (),
    ),
    (
        "xs: list[jnp.ndarray], pair: tuple[jnp.ndarray, jnp.ndarray]",
        "a, b = pair\nfor x in xs:\n    a = a + x\nreturn a if len(xs) > 1 else b\n",
        ([jnp.ones(3), jnp.ones(3)], (jnp.ones(3), jnp.ones(3))),
        (),
    ),
    ("sizes: dict[str, int], x", 'return x + jnp.zeros(sizes["width"])\n', None, ()),
    ("xs", "a, b = xs\nif len(xs) > 1:\n    a = a + b\nreturn a\n", ((jnp.ones(3), jnp.ones(3)),), ()),
]


@pytest.mark.parametrize("framework", HEADS)
@pytest.mark.parametrize(
    "parameters, body, args, static", VALID, ids=[f"{each[0]}: {each[1][:24]!r}" for each in VALID]
)
def test_parameter_that_may_be_plain_python(framework, parameters, body, args, static):
    code = source(framework, parameters, body)
    if args is not None:
        run_compiled(framework, code, *args, static=static)
    assert check(code, "net.py") == []


def test_visible_transform_makes_it_certain():
    code = (
        source("equinox", "x", "if x.sum() > 0:\n    return -x\nreturn x\n")
        + "\n\nstep = eqx.filter_jit(Net())\nstep(jnp.ones(3))\n"
    )
    (found,) = check(code, "net.py")
    assert (found.code, found.basis) == ("JAX103", "certain")
    assert not any("presumed" in step.message for step in found.related)


def test_body_of_a_loop_in_a_presumed_method_is_certain():
    body = "def step(carry, y):\n    if carry > 0:\n        carry = carry + y\n    return carry, y\nreturn jax.lax.scan(step, x.sum(), x)\n"
    (found,) = check(source("haiku", "x", body), "net.py")
    assert (found.code, found.basis) == ("JAX103", "certain")


def test_transform_in_another_file_makes_it_certain(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.py").write_text(source("equinox", "x", "if x.sum() > 0:\n    return -x\nreturn x\n"))
    (tmp_path / "main.py").write_text(
        "import equinox as eqx\nimport jax.numpy as jnp\n\nfrom lib import Net\n\neqx.filter_jit(Net())(jnp.ones(3))\n"
    )
    runs = ((["--no-importers", "lib.py"], "presumed"), (["lib.py"], "certain"), (["lib.py", "main.py"], "certain"))
    for paths, basis in runs:
        assert main(["check", *paths, "--no-cache", "--output-format", "json"]) == 1
        (found,) = json.loads(capsys.readouterr().out)
        assert (found["code"], found["basis"], found["convention"]) == (
            "JAX103",
            basis,
            "modules" if basis == "presumed" else None,
        )


def test_every_door_says_the_basis(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(source("linen", "x", "return float(x.sum())\n"))
    for cached in (False, True):  # the second run reads what the first has kept
        assert main(["check", "net.py", "--output-format", "sarif"]) == 1
        (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
        assert result["properties"] == {"basis": "presumed", "convention": "modules"}, cached
    assert main(["check", "net.py"]) == 1
    out = capsys.readouterr().out
    assert (
        "basis: presumed by the convention `modules`" in out and "`Net.__call__` is presumed to run under `jit`" in out
    )
    assert main(["check", "net.py", "--statistics"]) == 1
    assert "presumed: 1 function runs under a transform by convention (`presume`)" in capsys.readouterr().out
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\npresume = []\n")
    assert main(["check", "net.py"]) == 0
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\npresume = ["everything"]\n')
    assert main(["check", "net.py", "--output-format", "concise"]) == 2
    assert (
        "'everything' is not a convention; the conventions are modules, beliefs, environments"
        in capsys.readouterr().out
    )


def test_safe_fix_is_not_safe_where_the_hazard_is_presumed():
    code = source("linen", "x", "h = jnp.sin(x)\nreturn np.asarray(h).sum()\n")
    for found in check(code, "net.py"):
        assert found.fix is None or found.fix.applicability.value != "safe"


def test_function_that_fails_in_several_ways_is_taken_to_run_without_a_transform():
    code = source("linen", "x", "low = float(jnp.min(x))\nhigh = float(jnp.max(x))\nreturn (x - low) / (high - low)\n")
    assert check(code, "net.py") == []
    assert {found.code for found in check(code + "\n\nstep = jax.jit(Net().apply)\n", "net.py")} == {"JAX102"}


def test_function_that_fails_at_many_places_of_a_statement_is_taken_to_run_without_a_transform():
    code = source(
        "linen",
        "x",
        "self.sow('scalars', 'x', {'low': x.min().item(), 'high': x.max().item(), 'mean': x.mean().item()})\nreturn x\n",
    )
    assert check(code, "net.py") == []
    assert {found.code for found in check(code + "\n\nstep = jax.jit(Net().apply)\n", "net.py")} == {"JAX101"}


def test_failures_of_two_modules_are_both_reported():
    inner = "class Inner(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n        h = nn.Dense(3)(x)\n        return h * float(h.sum())\n"
    code = (
        source("linen", "x", "h = nn.Dense(3)(x)\nlow = float(jnp.min(h))\nreturn Inner()(h - low)\n") + f"\n\n{inner}"
    )
    rows = code.splitlines()
    found = {rows[each.start.row - 1].strip() for each in check(code, "net.py")}
    assert found == {"low = float(jnp.min(h))", "return h * float(h.sum())"}


def test_function_that_fails_in_one_way_for_each_of_two_modules_runs_without_a_transform():
    helper = "def placed(grid, table):\n    sides = np.asarray(grid).tolist()\n    return np.asarray(table)[: int(sides[0])].sum()\n\n\n"
    one = source("linen", "x", "return x * placed(jnp.exp(x), np.ones(4))\n")
    other = "class Other(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n        return x * placed([2.0], jnp.exp(x))\n"
    code = one.replace("class Net", helper + "class Net") + "\n\n" + other
    names = named(code)
    for each in (names["Net"], names["Other"]):
        each().apply({}, jnp.ones(3))
    assert check(code, "net.py") == []
    assert len(check(code.replace(other, ""), "net.py")) == 1


def test_module_that_fails_in_several_ways_does_so_wherever_it_is_called():
    inner = "class Inner(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n        low = float(jnp.min(x))\n        return (x - low) / float(jnp.max(x))\n"
    code = source("linen", "x", "h = nn.Dense(3)(x)\nif h.sum() > 0:\n    h = -h\nreturn Inner()(h)\n") + f"\n\n{inner}"
    assert [found.code for found in check(code, "net.py")] == ["JAX103"]


# --- what code takes to be traced -----------------------------------------------------------------

HEAD = "from typing import Any, NamedTuple\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jax import lax\n\n\n"
STATE = "class State(NamedTuple):\n    x: Any\n    done: Any\n\n\n"


def function(parameters: str, body: str) -> str:
    return f"{HEAD}{STATE}def step({parameters}):\n{textwrap.indent(body, '    ')}"


def named(code: str) -> dict:
    names: dict = {}
    exec(compile(code, "net.py", "exec"), names)
    return names


# Parameters, body, what is reported: the same value is given to a call that only tracers need, and decided by in Python.
CONTRADICTIONS = [
    ("x, done", "y = lax.cond(done, jnp.sin, jnp.cos, x)\nif done:\n    return y\nreturn y + 1\n", "JAX103"),
    ("x, done", "if done.any():\n    x = -x\nreturn lax.cond(done.any(), jnp.sin, jnp.cos, x)\n", "JAX103"),
    ("x, done", "if done:\n    return x\nreturn lax.cond(done, jnp.sin, jnp.cos, x)\n", "JAX103"),
    ("x, count", "for _ in range(3):\n    x = lax.cond(count % 2 == 0, jnp.sin, jnp.cos, x)\nreturn x * float(count)\n", "JAX102"),
    ("x, count", "k = int(count)\nreturn lax.switch(count, [jnp.sin, jnp.cos], x) * k\n", "JAX102"),
    ("x, count", "y = lax.switch(count, [jnp.sin, jnp.cos], x)\nfor _ in range(count):\n    y = y + 1\nreturn y\n", "JAX107"),
    ("x, loss", "jax.debug.print('{loss}', loss=loss)\nreturn x * loss.item()\n", "JAX101"),
    ("x, loss", "jax.debug.callback(lambda _: None, loss)\nreturn x + np.log(loss)\n", "JAX301"),
    ("x, done", "other = done\ny = lax.cond(done, jnp.sin, jnp.cos, x)\nwhile other:\n    y = y + 1\nreturn y\n", "JAX104"),
    ("x, done", "def inner():\n    return done * 2\ny = lax.cond(done, jnp.sin, jnp.cos, x)\nreturn y * float(inner())\n", "JAX102"),
    ("x, done", "s = State(x, done)\ny = lax.cond(s.done, jnp.sin, jnp.cos, s.x)\nreturn y if s.done else -y\n", "JAX103"),
    ("x, done", "from jax.experimental import checkify\ncheckify.check(done > 0, 'failed')\nassert done\nreturn x\n", "JAX103"),
]  # fmt: skip


@pytest.mark.parametrize("parameters, body, expected", CONTRADICTIONS)
def test_value_that_is_taken_to_be_traced_and_decided_by(parameters, body, expected):
    code = function(parameters, body)
    with pytest.raises(jax.errors.JAXTypeError):
        jax.jit(named(code)["step"])(jnp.ones(3), jnp.int32(1))
    (found,) = check(code, "net.py", presume=["beliefs"])
    assert (found.code, found.basis, found.convention) == (expected, "presumed", "beliefs")
    assert any("is taken to be traced: it is given to `" in step.message for step in found.related)
    assert check(code, "net.py") == [], "off by default"


# Parameters, body, arguments: code that is right when it is called as it stands, outside of a transform.
EAGER = [
    ("x, mask", "if mask.any():\n    x = jnp.where(mask, x, 0)\nreturn x\n", (jnp.ones(3), jnp.ones(3, bool))),
    ("x, n", "x = lax.fori_loop(0, n, lambda i, y: y + i, x)\nreturn x * 2 if n > 1 else x\n", (jnp.ones(3), 3)),
    ("x, i", "part = lax.dynamic_slice_in_dim(x, i, 2)\nreturn part if i == 0 else -part\n", (jnp.ones(3), 0)),
    ("x, y", "y = lax.stop_gradient(y)\nreturn x if y.sum() > 0 else -x\n", (jnp.ones(3), jnp.ones(3))),
    ("x, done=False", "y = lax.cond(done, jnp.sin, jnp.cos, x)\nreturn y if done else -y\n", (jnp.ones(3),)),
    ("x, done: bool", "y = lax.cond(done, jnp.sin, jnp.cos, x)\nreturn y if done else -y\n", (jnp.ones(3), True)),
    ("x, n", "if isinstance(n, int):\n    return x * n\nreturn lax.switch(n, [jnp.sin, jnp.cos], x)\n", (jnp.ones(3), 1)),
    ("x, n", "if isinstance(n, int):\n    return [jnp.sin, jnp.cos][n](x)\nreturn lax.switch(n, [jnp.sin, jnp.cos], x)\n", (jnp.ones(3), 1)),
    ("x, done", "if not isinstance(done, jax.core.Tracer):\n    return x if done else -x\nreturn lax.cond(done, jnp.sin, jnp.cos, x)\n", (jnp.ones(3), True)),
    ("x, n, mode", "if mode == 'host':\n    return float(n)\nreturn lax.switch(n, [jnp.sin, jnp.cos], x)\n", (jnp.ones(3), 1, "host")),
    ("x, n, mode", "if mode == 'host':\n    y = x * float(n)\nelse:\n    y = lax.switch(n, [jnp.sin, jnp.cos], x)\nreturn y\n", (jnp.ones(3), 1, "host")),
    ("x, n", "y = lax.switch(n, [jnp.sin, jnp.cos], x)\nn = 2\nfor _ in range(n):\n    y = y + 1\nreturn y\n", (jnp.ones(3), 1)),
    ("x, done", "y = lax.cond(done, jnp.sin, jnp.cos, x)\nif jnp.ndim(done) == 0 and done.dtype == bool and done is not None:\n    y = -y\nreturn y\n", (jnp.ones(3), jnp.bool_(True))),
    ("x, y", "z = lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x)\nreturn z if y.sum() > 0 else -z\n", (jnp.ones(3), jnp.ones(3))),
    ("x, n", "def pick(i):\n    return lax.switch(i, [jnp.sin, jnp.cos], x) * i\nreturn float(pick(n).sum())\n", (jnp.ones(3), 1)),
    ("x, y", "best = lax.while_loop(lambda v: v.sum() < 9, lambda v: v + 1, x + y)\nreturn float(best.sum())\n", (jnp.ones(3), jnp.ones(3))),
]  # fmt: skip


@pytest.mark.parametrize("parameters, body, args", EAGER)
def test_code_that_runs_outside_of_a_transform(parameters, body, args):
    code = function(parameters, body)
    named(code)["step"](*args)
    assert check(code, "net.py", presume=["beliefs"]) == []


def test_what_is_certain_is_not_presumed():
    """A visible transform decides: traced under `jit`, plain where the module itself calls the function."""
    code = function("x, done", "y = lax.cond(done, jnp.sin, jnp.cos, x)\nreturn y if done + 1 > 1 else -y\n")
    (found,) = check(code + "\n\ncompiled = jax.jit(step)\n", "net.py", presume=["beliefs"])
    assert (found.code, found.basis) == ("JAX103", "certain")
    assert check(code + "\n\nstep(jnp.ones(3), True)\n", "net.py", presume=["beliefs"]) == []


def test_every_door_says_what_is_taken_to_be_traced(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\npresume = ["beliefs"]\n')
    (tmp_path / "net.py").write_text(
        function("x, done", "y = lax.cond(done, jnp.sin, jnp.cos, x)\nreturn y if done else -y\n")
    )
    assert main(["check", "net.py", "--output-format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["basis"], found["convention"]) == ("presumed", "beliefs")
    assert main(["check", "net.py", "--output-format", "sarif"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["properties"] == {"basis": "presumed", "convention": "beliefs"}
    assert main(["check", "net.py"]) == 1
    out = capsys.readouterr().out
    assert "basis: presumed by the convention `beliefs`" in out
    assert "`done` is taken to be traced: it is given to `lax.cond`" in out
    row = (tmp_path / "net.py").read_text().splitlines().index("    return y if done else -y") + 1
    assert main(["reveal", f"net.py:{row}"]) == 0  # which the hover of the language server shows, too
    assert "presumed by the convention `beliefs`" in capsys.readouterr().out


# --- functions of other conventions ---------------------------------------------------------------

# Convention, code, what is compiled, its arguments: the code fails there, and is reported where the convention is on.
COMPILED = [
    (
        "environments",
        "class Env:\n    def reset(self, key):\n        return jax.random.uniform(key, (3,))\n\n    def step(self, state, action):\n"
        "        state = jnp.sin(state) + action\n        return state if state.sum() > 0 else -state\n",
        "Env().step",
        (jnp.ones(3), 1.0),
        "JAX103",
    ),
    (
        "environments",
        "class Env:\n    def reset_env(self, key, params):\n        return int(jax.random.randint(key, (), 0, params))\n\n"
        "    def step_env(self, key, state, action, params):\n        return state\n",
        "Env().reset_env",
        (jax.random.PRNGKey(0), 4),
        "JAX102",
    ),
    (
        "callbacks",
        "import optax\n\n\ndef schedule(count):\n    rate = 1 / jnp.sqrt(count)\n    return float(rate)\n\n\noptimiser = optax.sgd(schedule)\n",
        "schedule",
        (jnp.int32(1),),
        "JAX102",
    ),
    (
        "arrays",
        "def loss(x: jax.Array, weight):\n    total = jnp.sum(x)\n    jax.debug.print('{total}', total=total)\n    return total if total > weight else weight\n",
        "loss",
        (jnp.ones(3), 1.0),
        "JAX103",
    ),
]


@pytest.mark.parametrize("convention, body, compiled, args, expected", COMPILED)
def test_function_that_a_convention_covers(convention, body, compiled, args, expected):
    code = HEAD + body
    with pytest.raises(jax.errors.JAXTypeError):
        jax.jit(eval(compiled, named(code)))(*args)
    (found,) = check(code, "net.py", presume=[convention])
    assert (found.code, found.basis, found.convention) == (expected, "presumed", convention)
    assert check(code, "net.py") == [], "off by default"
    assert check(code, "test_net.py", presume=[convention]) == [], "what a test calls can be seen"


# Convention, code, a call of it that is right outside of a transform.
NOT_COVERED = [
    (
        "environments",
        "class Env:\n    def reset(self, seed=None):\n        self.state = np.zeros(3)\n        return jnp.asarray(self.state)\n\n"
        "    def step(self, action):\n        self.state = self.state + float(jnp.sum(action))\n        return self.state\n",
        "[env := Env(), env.reset(), env.step(jnp.ones(3))]",
    ),
    (
        "environments",
        "class Plane:\n    def reset(self, place):\n        return {'place': place}\n\n    def step(self, planes, target):\n"
        "        return planes, np.random.randint(0, 2)\n",
        "Plane().step([], 0)",
    ),
    (
        "callbacks",
        "import optax\n\n\ndef rate(count):\n    return float(jnp.sqrt(count))\n\n\ndef plot(function):\n    return [function(i) for i in range(3)]\n\n\ndef main():\n    return plot(rate)\n",
        "main()",
    ),
    (
        "arrays",
        "def report(x: jax.Array):\n    return float(jnp.sum(x))\n",
        "report(jnp.ones(3))",
    ),
    (
        "arrays",
        "def report(x):\n    y = lax.cond(True, jnp.sin, jnp.cos, x)\n    return float(jnp.sum(y))\n",
        "report(jnp.ones(3))",
    ),
]


@pytest.mark.parametrize("convention, body, call", NOT_COVERED)
def test_function_that_a_convention_leaves_alone(convention, body, call):
    code = HEAD + body
    eval(call, named(code))
    assert check(code, "net.py", presume=[convention]) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("if __name__ == '__main__':\n    print(Net()(np.ones(3)))\n", ["JAX301"]),
        ("def main():\n    print(Net()(np.ones(3)))\n\n\nif __name__ == '__main__':\n    main()\n", []),
    ],
)
def test_module_that_its_own_file_tries_out_is_presumed_all_the_same(program, expected):
    """A call under `if __name__ == "__main__":` shows that the code runs, and `main()` how a program runs it."""
    code = source("nnx", "x", "h = jnp.sin(x)\nreturn np.sin(h)\n") + f"\n\n{program}"
    exec(compile(code, "net.py", "exec"), {"__name__": "__main__"})
    assert [found.code for found in check(code, "net.py")] == expected


@pytest.mark.parametrize(("family", "made"), [
    ("linen", "Net().init(jax.random.key(0), np.ones(3))"),
    ("linen", "Net().init_with_output(jax.random.key(0), np.ones(3))"),
    ("haiku", "hk.transform(lambda x: Net()(x)).init(jax.random.key(0), np.ones(3))"),
])  # fmt: skip
def test_module_whose_parameters_a_program_makes_is_presumed_all_the_same(family, made):
    """`init` runs once without a transform, whatever compiles the module after that; a call or `apply` there is another matter."""
    code = (
        source(family, "x", "h = jnp.sin(x)\nreturn np.sin(h)\n") + f"\n\ndef main():\n    return {made}\n\n\nmain()\n"
    )
    exec(compile(code, "net.py", "exec"), {"__name__": "__main__"})
    assert [found.code for found in check(code, "net.py")] == ["JAX301"]


@pytest.mark.parametrize(("imported", "annotation"), [
    ("from e3nn_jax import IrrepsArray", "IrrepsArray"), ("import e3nn_jax as e3nn", "e3nn.IrrepsArray"),
    ("import jraph", "jraph.GraphsTuple"), ("import chex", "chex.ArrayTree"), ("import chex", "dict[str, chex.ArrayTree]"),
])  # fmt: skip
def test_argument_that_is_declared_as_a_pytree_of_a_library_holds_tracers(imported, annotation):
    """Its static parts may be asked for, as those of an argument without an annotation."""
    body = "print(jax.tree.leaves(x))\nif len(x) > 2 and x.irreps:\n    return x\nreturn jnp.zeros(3)\n"
    code = f"{imported}\n{source('haiku', f'x: {annotation}', body)}"
    assert [found.code for found in check(code, "net.py")] == ["JAX303"]


def test_result_of_a_list_stays_outside():
    """A function that every path leaves by `return`: its list is undone for the caller, where it may be eager."""
    body = (
        "def both(n):\n    y = lax.switch(n, [jnp.sin, jnp.cos], x)\n    return [y, n]\nreturn x * float(both(n)[1])\n"
    )
    code = function("x, n", body)
    named(code)["step"](jnp.ones(3), 1)
    assert check(code, "net.py", presume=["beliefs"]) == []
