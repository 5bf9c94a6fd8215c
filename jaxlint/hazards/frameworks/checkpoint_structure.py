"""Checkpoint read or written without what tells its structure.

## What it does
Reports what is read from a checkpoint without a target (`flax.serialization.msgpack_restore`, `from_bytes(None, …)`, `restore`
of Orbax's `StandardCheckpointer` and `PyTreeCheckpointer`), or with a class as the target, and then used as something else than
dicts and lists of arrays: an attribute that these lack, such as `restored.params`, or the state of an optimiser. Also a tree that
is given to `orbax.checkpoint.CheckpointManager` without `args`, and a relative path given to a checkpointer of Orbax, which is what
`flax.training.checkpoints.save_checkpoint` writes with.

## Why is this bad
A checkpoint holds arrays and the keys that lead to them, and no classes. A training state comes back as a dict, and the state of
an optimiser as dicts and lists, so that attributes of both raise `AttributeError`. Of a class Flax makes nothing: `from_bytes` gives
the dicts. A manager without `args` raises `ValueError`, as does a checkpointer that is given a relative path.

## Example
```python
from flax import serialization


def resume(data):
    state = serialization.msgpack_restore(data)
    return state.params
```

## Use instead
```python
from flax import serialization


def resume(data, state):
    state = serialization.from_bytes(state, data)
    return state.params
```

## When to ignore
Where a class of the project registers functions that make something else of it.

## Fix safety
The fix passes the tree of a manager in `args`, or the absolute path. Both are unsafe: the manager stores what it is then told to,
and the path begins in the working directory at that time. A target has no fix: what it looks like is written where the state is made.

## References
- Flax documentation, "Save and load checkpoints": https://flax-linen.readthedocs.io/en/latest/guides/training_techniques/use_checkpointing.html
- Orbax documentation, "Checkpointing PyTrees": https://orbax.readthedocs.io/en/latest/guides/checkpoint/checkpointing_pytrees.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.checkpoints import (
    PlainCheckpoint,
    RelativeCheckpointPath,
    TreeAsCheckpointArgs,
)
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, plain_call, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX636",
    category=Category.FAILS,
    hazards=(PlainCheckpoint, TreeAsCheckpointArgs, RelativeCheckpointPath),
    error="AttributeError",
    fixable="unsafe",
)


def check(hazard: PlainCheckpoint | TreeAsCheckpointArgs | RelativeCheckpointPath, file: File) -> Iterator[Finding]:
    shown = file.code(hazard.operand, 40)
    if isinstance(hazard, PlainCheckpoint):
        also = () if hazard.used is None else ((f"they are used as {hazard.use} here", hazard.used),)
        message = f"Plain dicts from `{shown}` used as {hazard.use}"
        yield Finding(hazard.site, message, "Pass a target of the structure that was saved.", None, also)
    elif isinstance(hazard, TreeAsCheckpointArgs):
        message = f"Tree `{shown}` passed to a checkpoint manager as it is"
        advice = f"Pass `args=ocp.args.{hazard.wanted}(…)` with the tree."
        yield Finding(hazard.site, message, advice, _as_args(hazard, file))
    else:
        message = f"Relative path `{shown}` of a checkpoint"
        yield Finding(hazard.site, message, "Pass an absolute path: `os.path.abspath(…)`.", _absolute(hazard, file))


@or_none
def _as_args(hazard: TreeAsCheckpointArgs, file: File) -> Fix:
    """`args=ocp.args.StandardSave(tree)`"""
    call, draft = plain_call(file.unit.nodes[hazard.site]), Draft(file)
    by_name = any(each.value.site == hazard.operand for each in call.keywords)
    require(by_name or call.args and call.args[-1].site == hazard.operand)
    made = f"{draft.api(f'orbax.checkpoint.args.{hazard.wanted}')}({operands.argument(file, hazard.operand)})"
    draft.replace_whole(hazard.operand, made if by_name else f"args={made}")
    return draft.fix(f"Pass `args={made}`", "right where all of the checkpoint is this tree")


@or_none
def _absolute(hazard: RelativeCheckpointPath, file: File) -> Fix:
    """`os.path.abspath(path)`"""
    draft = Draft(file)
    draft.replace_whole(hazard.operand, draft.call("os.path.abspath", operands.argument(file, hazard.operand)))
    return draft.fix("Pass an absolute path", "it begins in the working directory at that time")
