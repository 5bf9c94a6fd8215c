"""JAX array passed to `json.dump` or `json.dumps`.

## What it does
Reports `json.dump` and `json.dumps` of a JAX array, or of a dict, list or tuple that holds one, without `default=` and
`cls=`.

## Why is this bad
JSON has the numbers and lists of Python. Python raises `TypeError: Object of type ArrayImpl is not JSON serializable`, at the
end of a run, when its results are written.

## Example
```python
import json

metrics = {"loss": jnp.mean(losses)}
json.dumps(metrics)
```

## Use instead
```python
import json

metrics = {"loss": float(jnp.mean(losses))}
json.dumps(metrics)
```

## When to ignore
Never: the call fails.

## Fix safety
Unsafe: arrays are converted with `tolist`, which makes a number of one without axes. There is no fix for traced values.

## References
- Python documentation, "json": https://docs.python.org/3/library/json.html
- JAX documentation, `jax.Array.tolist`: https://docs.jax.dev/en/latest/_autosummary/jax.Array.tolist.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.json_texts import ArrayAsJson
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import ON_HOST
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX322",
    category=Category.FAILS,
    hazards=(ArrayAsJson,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: ArrayAsJson, file: File) -> Iterator[Finding]:
    operand, call = file.code(hazard.operand, 40), file.unit.nodes[hazard.site]
    traced = hazard.value.cls is not None
    message = f"{'Traced array' if traced else 'JAX array'} in `{operand}` passed to `{hazard.api}`"
    advice = (
        "Return the values, and write them outside traced code." if traced else "Convert with `float` or `.tolist()`."
    )
    fix = None
    if not traced and isinstance(call, ir.Call):
        last = call.keywords[-1] if call.keywords else call.args[-1]
        end = file.outer_span(last.site)[1]
        edit = file.insert(end, ", default=lambda array: array.tolist()")
        fix = Fix("Convert arrays with `tolist`", (edit,), changes=ON_HOST)
    yield Finding(hazard.site, message, advice, fix)
