"""Where cells begin, that free text silences nothing, and what is read afterwards."""

import pytest

from jaxlint.analysis.interpreter.liveness import unread
from jaxlint.configuration.config import Config
from jaxlint.ir.lowering import lower
from jaxlint.ir.nodes import Assign, walk
from jaxlint.run.pipeline import check_source
from jaxlint.source.cells import begins_cell, has_cells
from jaxlint.source.text import Source


@pytest.mark.parametrize(
    "comment",
    ["# %%", "#%%", "# %% [markdown]", "# %% cell 3", "# In[3]:", "# In[ ]:", "# +", '# + {"tags": []}', "# %% \ue000"],
)
def test_marker_begins_a_cell(comment):
    assert begins_cell(comment)


@pytest.mark.parametrize("comment", ["# 50 %% off", "# + and - are overloaded", "# Input[0]", "# Inside", "# %d"])
def test_other_comment_begins_none(comment):
    assert not begins_cell(comment)
    assert not has_cells(f"x = 1  # %%\n{comment}\n")


REUSE = "import jax\nkey = jax.random.key(0)\n{}a = jax.random.normal(key)\n{}b = jax.random.normal(key)\n"


def reported(text):
    return [each.code for each in check_source(Source.from_text(text, "a.py"), Config(select=("JAX401",))).diagnostics]


def test_two_cells_use_one_key():
    assert reported(REUSE.format("", "")) == ["JAX401"]
    assert reported(REUSE.format("# %%\n", "\n# %%\n")) == []
    assert reported(REUSE.format("# %%\n", "# a remark\n")) == ["JAX401"]


def test_earlier_cell_does_not_hide_what_one_cell_does_twice():
    assert reported(REUSE.format("", "\n# %%\n") + "c = jax.random.normal(key)\n") == ["JAX401"]


def test_what_a_cell_shows_is_not_thrown_away():
    text = "import jax\n{}key = jax.random.key(0)\njax.random.split(key)\n{}y = 1\n"
    found = [
        [
            each.code
            for each in check_source(
                Source.from_text(text.format(*marks), "a.py"), Config(select=("discarded-split",))
            ).diagnostics
        ]
        for marks in (("", ""), ("# %%\n", ""), ("# %%\n", "# %%\n"))
    ]
    assert found == [["JAX406"], ["JAX406"], []]


def test_function_of_a_notebook_is_judged_as_ever():
    body = "def f(key):\n    a = jax.random.normal(key)\n    # %%\n    return a, jax.random.normal(key)\n"
    assert reported("import jax\n\n# %%\nx = 1\n\n# %%\n" + body) == ["JAX401"]


@pytest.mark.parametrize(
    "comment",
    [
        "# Use the same rng as events are mutually exclusive", "# same key on purpose", "# Common random numbers.",
        "# Correlated crop between views for multi-pixel case.", "# reuse the key",
        "# shared-key=key", "# raises KeyReuseError", "# this fails",
    ],
)  # fmt: skip
def test_free_text_silences_nothing(comment):
    for text in (
        REUSE.format(f"{comment}\n", ""),
        REUSE.format("", f"{comment}\n"),
        REUSE.format("", "").replace("(key)\n", f"(key)  {comment}\n"),
    ):
        assert reported(text) == ["JAX401"], text


@pytest.mark.parametrize(
    ("body", "dead"),
    [
        ("x = 1\n    return 2", True),
        ("x = 1\n    return x", False),
        ("x = 1\n    x = 2\n    return x", True),
        ("x = 1\n    x = x + 2\n    return x", False),
        ("x = 1\n    x.block_until_ready()\n    return 2", True),
        ("x = 1\n    x[0] = 2\n    return 2", False),
        ("for i in a:\n        y = x\n        x = 1\n    return y", False),
        ("if a:\n        x = 1\n    return 2", True),
        ("if a:\n        x = 1\n    return x", False),
        ("x = 1\n    return lambda: x", False),
        ("try:\n        x = 1\n    except E:\n        print(x)\n    return 2", False),
        ("x = 1\n    if a:\n        return x\n    return 2", False),
    ],
)
def test_value_that_nothing_reads(body, dead):
    source = Source.from_text(f"def f(a, x=0, y=0):\n    {body}\n", "a.py")
    unit = lower(source)
    first = next(node for node in walk([unit.module]) if type(node) is Assign and node.targets[0].id == "x")
    assert unread(unit, first, "x") == dead


def fixes(text, code):
    found = check_source(Source.from_text(text, "a.py"), Config(select=(code,))).diagnostics
    return [[(edit.start, edit.end, edit.content) for edit in each.fix.edits] if each.fix else None for each in found]


def test_no_statement_moves_from_cell_to_cell():
    text = 'import jax\nimport jax.numpy as jnp\n\nx = jnp.ones(3)\n{}jax.config.update("jax_enable_x64", True)\n'
    assert fixes(text.format(""), "JAX520") != [None]
    assert fixes(text.format("# %%\n"), "JAX520") == [None]
