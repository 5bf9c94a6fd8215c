"""The sources that stand for libraries give what the libraries give: the same structure, shapes and dtypes."""

import importlib
import types
from pathlib import Path

import pytest

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.library_sources import SOURCES, source_of
from jaxlint.source.text import Source

jax = pytest.importorskip(
    "jax", reason="the sources are compared with the libraries under real JAX, which is not installed"
)
optax = pytest.importorskip("optax", reason="the sources are compared with Optax, which is not installed")

import jax.numpy as jnp
import numpy as np

ROWS, LABELS = np.linspace(0.1, 0.9, 12, dtype=np.float32).reshape(3, 4), np.arange(3)
TREE = {"w": jnp.ones((3, 4)), "b": [jnp.zeros(2, jnp.bfloat16)]}
PROMOTED = [(ROWS, LABELS), (LABELS, LABELS > 1), (LABELS > 1,), (2, ROWS.astype(jnp.bfloat16)), (1, 2.0)]
ARGUMENTS = {
    "softmax_cross_entropy_with_integer_labels": [
        (ROWS, LABELS),
        (ROWS.astype(jnp.bfloat16), LABELS),
        (ROWS[0], LABELS[0]),
    ],
    "smooth_labels": [(ROWS, 0.1)],
    "triplet_margin_loss": [(ROWS, ROWS, ROWS)],
    "apply_updates": [(TREE, TREE)],
    "incremental_update": [(TREE, TREE, 0.1)],
    "global_norm": [(TREE,), ({"w": jnp.ones(3)},)],
    "promote_dtypes": PROMOTED,
    "promote_dtypes_inexact": PROMOTED,
    "replicate": [(TREE,)],
    "unreplicate": [(TREE["w"],)],
}
PAIRS = [(ROWS, ROWS), (jnp.asarray(ROWS, jnp.bfloat16), jnp.asarray(ROWS, jnp.bfloat16)), (ROWS[0], ROWS[0])]
CALLS = [
    pytest.param(dotted, arguments, id=f"{dotted}-{number}")
    for dotted, (file, name) in SOURCES.items()
    if file not in ("train_state.txt", "checkpoints.txt")
    for number, arguments in enumerate(ARGUMENTS.get(name, PAIRS))
]


def of_library(dotted):
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


def of_source(dotted):
    file, name = source_of(dotted)
    module = types.ModuleType("source")
    exec(compile(Path(file).read_text(encoding="utf-8"), file, "exec"), module.__dict__)
    return getattr(module, name)


def described(tree):
    return jax.tree.map(lambda leaf: (jnp.shape(leaf), jnp.result_type(leaf)), tree)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("dotted, arguments", CALLS)
def test_functions_give_the_same_shapes_and_dtypes(dotted, arguments):
    assert described(of_source(dotted)(*arguments)) == described(of_library(dotted)(*arguments))


def test_training_state_keeps_its_structure():
    dotted = "flax.training.train_state.TrainState"
    states = []
    for cls in (of_source(dotted), of_library(dotted)):
        state = cls.create(apply_fn=print, params=TREE, tx=optax.adam(0.1))
        states.append(jax.jit(lambda state: state.apply_gradients(grads=state.params))(state))
    leaves = [jax.tree.leaves(described(state)) for state in states]
    assert leaves[0] == leaves[1]
    assert [state.apply_fn for state in states] == [print, print]


def test_what_orbax_restores_has_the_form_of_its_target(tmp_path):
    checkpointer = of_library("orbax.checkpoint.StandardCheckpointer")()
    state = {"opt_state": optax.adam(0.1).init(TREE)}
    checkpointer.save(tmp_path / "state", state)
    checkpointer.wait_until_finished()
    assert described(checkpointer.restore(tmp_path / "state", state)) == described(state)
    plain = checkpointer.restore(tmp_path / "state")
    assert set(map(type, (plain, plain["opt_state"], plain["opt_state"][0]))) == {dict, list}


def test_a_source_has_every_name():
    for dotted in SOURCES:
        assert callable(of_source(dotted)) and callable(of_library(dotted))


MISUSE = """\
import jax
import jax.numpy as jnp
import optax


@jax.jit
def step(logits, labels):
    return optax.softmax_cross_entropy(logits, jnp.asarray([labels, 1])[None, :, :, :, :, :])
"""


def test_nothing_is_reported_in_a_source(tmp_path):
    found = check_source(Source.from_text(MISUSE, str(tmp_path / "train.py")), Config(root=str(tmp_path))).diagnostics
    assert {each.filename for each in found} <= {str(tmp_path / "train.py")}


@pytest.mark.parametrize("name, found", [("train.py", ["JAX309"]), ("test_train.py", [])])
def test_a_test_may_ask_whether_a_tree_can_be_mapped(name, found, tmp_path):
    program = "import jax\n\n\ndef test_tree(tree):\n    jax.tree.map(lambda x: x + 1, tree)\n"
    source = Source.from_text(program, str(tmp_path / name))
    assert [each.code for each in check_source(source, Config(root=str(tmp_path))).diagnostics] == found


RESTORED = """\
import jax
from flax.training import checkpoints


def same(folder, expected):
    restored = checkpoints.restore_checkpoint(folder, target=None)
    return jax.tree.map(lambda a, b: a == b, restored, {"step": expected})
"""


def test_what_is_restored_without_a_target_is_not_known(tmp_path):
    found = check_source(Source.from_text(RESTORED, str(tmp_path / "train.py")), Config(root=str(tmp_path))).diagnostics
    assert found == []
