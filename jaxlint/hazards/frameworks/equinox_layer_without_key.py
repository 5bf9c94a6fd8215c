"""Active Equinox dropout layer called without a key.

## What it does
Reports calls of an `eqx.nn.Dropout` with a rate above 0, which is not switched to inference, where no key is passed, or None.

## Why is this bad
In training the layer draws which activations it drops, and raises `RuntimeError` without a key. A `key=None` in the
signature of the module hides that a call of the model forgets it.

## Example
```python
import equinox as eqx
import jax.numpy as jnp

dropout = eqx.nn.Dropout(0.5)
y = dropout(jnp.ones(3))
```

## Use instead
```python
import equinox as eqx
import jax
import jax.numpy as jnp

dropout = eqx.nn.Dropout(0.5)
y = dropout(jnp.ones(3), key=jax.random.key(0))
```

For evaluation, `model = eqx.nn.inference_mode(model)`. Under `vmap` each example takes a key of its own.

## When to ignore
Where the call is meant to raise.

## Fix safety
Unsafe: a key that the method, or the function that calls it, has and does not use is passed; under `vmap` one for each element.

## References
- Equinox documentation, "equinox.nn.Dropout": https://docs.kidger.site/equinox/api/nn/dropout/
- Equinox documentation, "equinox.nn.inference_mode": https://docs.kidger.site/equinox/api/nn/inference/
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.keys.layer_keys import EquinoxLayerWithoutKey
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import NUMBERS_DRAWN, new_each_time
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.transforms.axes import number_of
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX623",
    category=Category.FAILS,
    hazards=(EquinoxLayerWithoutKey,),
    error="RuntimeError",
    fixable="unsafe",
)


def check(hazard: EquinoxLayerWithoutKey, file: File) -> Iterator[Finding]:
    message = f"Dropout without a key: `{file.code(hazard.site, 40)}`"
    advice = "Pass `key=` down from the call of the model, or disable dropout with `eqx.nn.inference_mode(model)`."
    yield Finding(hazard.site, message, advice, _fix(hazard, file))


@or_none
def _fix(hazard: EquinoxLayerWithoutKey, file: File) -> Fix:
    """Pass the key that is at hand, where it is left out."""
    call = expect(ir.Call, file.unit.nodes[hazard.caller if hazard.caller is not None else hazard.site])
    method = expect(ir.Function, file.unit.scope(hazard.site))
    require(hazard.ready)
    code, changes, draft = f"key={hazard.ready}", new_each_time(hazard.ready), Draft(file)
    mapped = call.func
    if hazard.caller is not None and isinstance(mapped, ir.Call):
        names = [each.name for each in method.parameters][1:]
        given = file.unit.nodes[hazard.site].keywords
        key = next((each.value.id for each in given if each.name == "key" and isinstance(each.value, ir.Name)), "")
        plain = (
            len(mapped.args) == 1 and not mapped.keywords and not call.keywords and names[len(call.args) :][:1] == [key]
        )
        made = {getattr(value, "name", "") for value in file.values(mapped.func.site)}
        require(plain and made == {"jax.vmap"})
        length = known(number_of(draft, call.args[0]))
        code, changes = draft.call("jax.random.split", hazard.ready, length), NUMBERS_DRAWN
    draft.append_argument(call, code)
    return draft.fix(f"Pass `{hazard.ready}`", changes)
