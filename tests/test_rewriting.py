"""Fixes that change a function and its calls, or the order of statements: what is written, and where nothing is offered."""

import pytest

from jaxlint.api import check
from jaxlint.fixing.apply import apply_edits

HEAD = "import jax\nimport jax.numpy as jnp\n\n\n"


def rewritten(text: str, code: str) -> list[str | None]:
    """The text with the fix of each finding of a rule; None for a finding that has none."""
    found = check(text, select=[code], preview=True)
    assert all(each.code == code for each in found)
    return [apply_edits(text, each.fix.edits) if each.fix and each.fix.edits else None for each in found]


# --- one more result -------------------------------------------------------------------------

UPDATE = '@jax.jit\ndef _update(stats, x):\n    stats["mean"] = x.mean()\n    return x - x.mean()\n\n\n'
UPDATED = UPDATE.replace("return x - x.mean()", "return x - x.mean(), stats")
LOSS = 'def _loss(stats, x):\n    stats["mean"] = x.mean()\n    return (stats["w"] * x).sum()\n\n\n'
LOSS_ALSO = LOSS.replace(".sum()\n", ".sum(), stats\n")
SCALE = "def _scale(a, far):\n    if far:\n        return\n    a *= 2\n\n\n"


@pytest.mark.parametrize(
    ("function", "call", "changed", "received"),
    [
        # the argument that stands for the parameter, by position and by keyword
        (UPDATE, "y = _update(stats, x)", UPDATED, "y, stats = _update(stats, x)"),
        (UPDATE, "y = _update(x=x, stats=stats)", UPDATED, "y, stats = _update(x=x, stats=stats)"),
        (UPDATE, "_update(stats, x)", UPDATED, "_, stats = _update(stats, x)"),
        # parentheses show where the first result ends
        (
            UPDATE.replace("x - x.mean()", "x if x.ndim else -x"),
            "y = _update(stats, x)",
            UPDATED.replace("x - x.mean(), ", "(x if x.ndim else -x), "),
            "y, stats = _update(stats, x)",
        ),
        # a gradient has the further result beside the value
        (
            LOSS,
            "value, grads = jax.value_and_grad(_loss)(stats, x)",
            LOSS_ALSO,
            "(value, stats), grads = jax.value_and_grad(_loss, has_aux=True)(stats, x)",
        ),
        (
            LOSS,
            "value, *rest = jax.value_and_grad(_loss)(stats, x)",
            LOSS_ALSO,
            "(value, stats), *rest = jax.value_and_grad(_loss, has_aux=True)(stats, x)",
        ),
        (
            "@functools.partial(jax.value_and_grad, argnums=0)\n" + LOSS,
            "value, grads = _loss(stats, x)",
            "@functools.partial(jax.value_and_grad, argnums=0, has_aux=True)\n" + LOSS_ALSO,
            "(value, stats), grads = _loss(stats, x)",
        ),
    ],
)
def test_container_that_a_function_changes_is_a_result_of_its_calls(function, call, changed, received):
    text = "import functools\n\n" + HEAD + "{}def _run(stats, x):\n    {}\n    return stats\n"
    assert rewritten(text.format(function, call), "JAX313") == [text.format(changed, received)]


@pytest.mark.parametrize(
    ("function", "call"),
    [
        # nothing in the file calls it
        (UPDATE, "y = x"),
        # two calls in one statement: the second has to see what the first has stored
        (UPDATE, "y = _update(stats, x) + _update(stats, x)"),
        # the argument has no name, or the results go elsewhere
        (UPDATE, 'y = _update({"mean": x}, x)'),
        (UPDATE, "y = [z for z in _update(stats, x)]"),
        (UPDATE, "y = _update(*(stats, x))"),
        # not every path returns a value
        (UPDATE.replace("return x", "if x.ndim:\n        return x"), "y = _update(stats, x)"),
        # there is a further result already
        (LOSS.replace(".sum()\n", ".sum(), x\n"), "y = jax.grad(_loss, has_aux=True)(stats, x)"),
        # the value and the gradient have no target each
        (LOSS, "y = jax.value_and_grad(_loss)(stats, x)"),
        (LOSS, "*value, grads = jax.value_and_grad(_loss)(stats, x)"),
        # a gradient of nothing
        (LOSS.replace('    return (stats["w"] * x).sum()\n', ""), "jax.grad(_loss)(stats, x)"),
    ],
)
def test_no_further_result_where_a_call_cannot_take_it(function, call):
    text = f"{HEAD}{function}def _run(stats, x):\n    {call}\n    return stats\n"
    assert rewritten(text, "JAX313") == [None]


def test_no_further_result_of_a_method_whose_name_begins_a_line():
    """Above the statement nothing would hold the two lines together."""
    text = """\
import functools

import jax


class Model:
    @functools.partial(jax.jit, static_argnums=0)
    def _update(self, stats, x):
        stats["mean"] = x
        return x

    def run(self, stats, x):
        print({}._update(stats, x))
        return stats
"""
    assert rewritten(text.format("self\n            "), "JAX313") == [None]
    [fixed] = rewritten(text.format("self"), "JAX313")
    assert "        result, stats = self._update(stats, x)\n        print(result)\n" in fixed


def test_each_way_out_of_a_function_returns_the_array():
    text = HEAD + "{}def run(far):\n    x = jnp.ones(3)\n    {}\n    return x\n"
    changed = SCALE.replace("return\n", "return a\n").replace("a *= 2\n", "a *= 2\n    return a\n")
    assert rewritten(text.format(SCALE, "_scale(x, far)"), "JAX315") == [text.format(changed, "x = _scale(x, far)")]


def test_what_a_function_stored_outside_is_stored_after_each_call():
    text = """\
import jax
import jax.numpy as jnp


def run():
    seen = []

    @jax.jit
    def double(x):
        y = x * 2
        seen.append(y)
        return y + 1

    z = double(jnp.ones(3))
    if z.ndim:
        double(z)
    return double(z) + 1, seen
"""
    assert rewritten(text, "JAX305") == [
        """\
import jax
import jax.numpy as jnp


def run():
    seen = []

    @jax.jit
    def double(x):
        y = x * 2
        return y + 1, y

    z, y = double(jnp.ones(3))
    seen.append(y)
    if z.ndim:
        _, y = double(z)
        seen.append(y)
    result, y = double(z)
    seen.append(y)
    return result + 1, seen
"""
    ]


# --- one more parameter ----------------------------------------------------------------------

DRAWN = "    key = jax.random.key(0)\n    return (w * x + jax.random.normal(key, x.shape)).sum()\n\n\n"


@pytest.mark.parametrize("transform", ["jax.jit", "jax.checkpoint", "jax.remat", "jax.grad", "jax.value_and_grad"])
def test_calls_through_a_transform_pass_the_key(transform):
    text = (
        HEAD
        + "def _loss(w, x{}):\n{}step = jax.jit({}(_loss))\n\n\ndef run(w, x):\n    return step(w, x{}), step(w, x{})\n"
    )
    passed = DRAWN.replace("    key = jax.random.key(0)\n", "")
    assert rewritten(text.format("", DRAWN, transform, "", ""), "JAX405") == [
        text.format(", key", passed, transform, ", jax.random.key(0)", ", jax.random.key(1)")
    ]


def test_calls_through_a_map_do_not_pass_the_key():
    text = (
        HEAD + f"def _loss(w, x):\n{DRAWN}step = jax.jit(jax.vmap(_loss))\n\n\ndef run(w, x):\n    return step(w, x)\n"
    )
    assert rewritten(text, "JAX404") == [None]


def test_parameter_has_no_place_where_the_parentheses_are_on_a_line_of_their_own():
    text = (
        HEAD
        + "def _draw{}():\n    key = jax.random.key(0)\n    return jax.random.normal(key)\n\n\n"
        + "step = jax.jit(_draw)\n\n\ndef run():\n    return step(), step()\n"
    )
    assert rewritten(text.format(" \\\n        "), "JAX405") == [None]
    assert rewritten(text.format(""), "JAX405") != [None]


def test_default_of_a_method_goes_where_its_calls_can_be_seen():
    text = """\
import jax


class Net:
    def __call__(self, x, key=jax.random.key(0)):
        return x + jax.random.normal(key, x.shape)

    def draw(self, x{}):
        return x + jax.random.normal(key, x.shape)


def run(x):
    net = Net()
    return net.draw(x{}) + net.draw(x{}) + net(x) + net(x)
"""
    assert rewritten(text.format(", key=jax.random.key(0)", "", ""), "JAX414") == [
        None,
        text.format(", key", ", jax.random.key(0)", ", jax.random.key(1)"),
    ]


@pytest.mark.parametrize(
    "call",
    [
        "other.draw(x)",  # of an object that is not known
        "(net if other else Fixed()).draw(x)",  # of one class or another
        "Net.draw(net, x)",  # the object is an argument like the others
        "list(map(net.draw, [x]))",  # called by somebody else
    ],
)
def test_default_of_a_method_stays_where_a_use_of_it_cannot_be_changed(call):
    text = f"""\
import jax


class Net:
    def draw(self, x, key=jax.random.key(0)):
        return x + jax.random.normal(key, x.shape)


class Fixed:
    def draw(self, x):
        return x


def run(x, other):
    net = Net()
    return net.draw(x), net.draw(x), {call}
"""
    assert rewritten(text, "JAX414") == [None]


# --- statements in another order -------------------------------------------------------------

SET = 'os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={count}"\n'


def test_statement_moves_above_what_starts_the_backend():
    text = f"import os\n\nimport jax\n\ncount = 2\njax.devices()\n{SET}"
    assert rewritten(text, "JAX520") == [f"import os\n\nimport jax\n\ncount = 2\n{SET}jax.devices()\n"]


@pytest.mark.parametrize(
    "between",
    [
        "count = len(jax.devices())\n",
        "jax.devices()\ncount = 2\n",
        "jax.devices()\nfor count in range(3):\n    pass\n",
        "jax.devices()\nmatch 2:\n    case count:\n        pass\n",
        "jax.devices()\nmatch [1, 2]:\n    case [_, *count]:\n        pass\n",
        "jax.devices()\nmatch {1: 2}:\n    case {**count}:\n        pass\n",
        "count = 2\njax.devices(); ",
        "count = 2\njax.devices()\n# %%\n",
        "count = 2\njax.devices()\nif count:\n    ",
    ],
)
def test_statement_stays_below_what_it_needs_and_in_its_block(between):
    text = f"import os\n\nimport jax\n\n{between}{SET}"
    assert rewritten(text, "JAX520") == [None]


# --- imports -----------------------------------------------------------------------------------


def test_imports_behind_a_semicolon_stay_on_their_line():
    text = "import os; from jax.util import partial, prod\n"
    assert rewritten(text, "JAX801") == [
        "import os; from jax.util import prod; from functools import partial\n",
        "import os; from jax.util import partial; from math import prod\n",
    ]
