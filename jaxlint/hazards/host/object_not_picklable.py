"""Object passed to `pickle` that holds a function which `pickle` cannot write.

## What it does
Reports `pickle.dump` and `pickle.dumps` of an optimiser or schedule of Optax, a function of `jax.jit`, `jax.vmap`,
`jax.grad` or `hk.transform`, a lambda or a local function, and of a container or object that holds one: a `TrainState`
holds its optimiser.

## Why is this bad
`pickle` writes a function as the name of a module, and reads it by that name. What Optax and the transforms of JAX give
are functions that were made inside of other functions, and have no such name. Python raises `AttributeError: Can't pickle
local object` or `PicklingError`, at the end of a run, when its results are to be saved.

## Example
```python
import pickle

import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

state = TrainState.create(apply_fn=None, params=jnp.ones(3), tx=optax.adam(1e-3))
pickle.dumps(state)
```

## Use instead
```python
import pickle

import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

state = TrainState.create(apply_fn=None, params=jnp.ones(3), tx=optax.adam(1e-3))
pickle.dumps((state.step, state.params, state.opt_state))
```

## When to ignore
Never: the call fails.

## Fix safety
There is no fix: which parts are to be saved, its author knows.

## References
- Python documentation, "What can be pickled and unpickled?": https://docs.python.org/3/library/pickle.html
- Orbax documentation, "Checkpointing PyTrees": https://orbax.readthedocs.io/
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.pickles import NotPicklable
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX325",
    category=Category.FAILS,
    hazards=(NotPicklable,),
    error="AttributeError",
)

_KINDS = {
    "optimiser": "an optimiser of `{name}`",
    "schedule": "a schedule of `{name}`",
    "transformed": "a function of `{name}`",
    "lambda": "a lambda",
    "local": "the local function `{name}`",
}


def check(hazard: NotPicklable, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    place = f"{operand}{hazard.path}" if operand.isidentifier() else f"…{hazard.path}" if hazard.path else operand
    what = _KINDS[hazard.what].format(name=hazard.name)
    advice = "Save the arrays alone, and make the functions anew where they are read."
    if hazard.what == "optimiser" and hazard.path:
        advice = "Save the parameters and the state of the optimiser, and make the optimiser anew where they are read."
    yield Finding(hazard.site, f"`{place}` is {what}, which `{hazard.api}` cannot write", advice)
