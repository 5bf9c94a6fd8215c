"""`while` with a condition that is traced.

## What it does
Reports `while` where Python would need the value of a tracer to know whether to go on.

## Why is this bad
A Python loop runs while JAX traces, and then the condition has no value: JAX raises
TracerBoolConversionError. `jax.lax.while_loop` is one instruction of the compiled program, and asks
for the condition when it runs.

## Example
```python
@jax.jit
def halve(x):
    while x > 1:
        x = x / 2
    return x
```

## Use instead
```python
@jax.jit
def halve(x):
    def condition(x):
        return x > 1
    def body(x):
        x = x / 2
        return x
    x = jax.lax.while_loop(condition, body, x)
    return x
```

## When to ignore
Where the function is only called with the condition concrete, and jaxlint cannot see it.

## Fix safety
Unsafe, and offered for loops whose body only assigns to names. What one round hands to the next
becomes an array that keeps its shape and dtype: an integer array that the body makes a float is
refused by JAX. A `while_loop` has no reverse-mode derivative, so there is no fix under `jax.grad`.
Where it is not known what is handed on, the fix is shown and not applied.

## References
- `jax.lax.while_loop` (https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html)
- JAX documentation, "Control flow and logical operators with JIT"
  (https://docs.jax.dev/en/latest/control-flow.html)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.concretization.carried import carried
from jaxlint.rules.concretization.loop_functions import (
    body_function,
    can_be_handed_on,
    carry,
    condition_function,
    free_name,
    kinds_handed_on,
    needs_python_value,
    under_reverse_mode,
)
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.values import Unknown

RULE = Rule(
    code="JAX104",
    name="while-on-tracer",
    summary="The condition of a `while` is traced.",
    category=Category.FAILS,
    kinds=(Kind.WHILE,),
    error="TracerBoolConversionError",
    fixable="unsafe",
    status="stable",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    code = file.code(demand.operand, 40)
    names = _names(demand, file)
    handed = f", which hands on {', '.join(f'`{name}`' for name in names)}" if names else ""
    help = f"Use `{file.api('jax.lax.while_loop')[0]}`{handed}; a number of rounds that Python knows can stay a `for`."
    yield Finding(demand.site, f"`while` decides by `{code}`, which is traced", help, _fix(demand, file))


def _loop(demand: Demand, file: File) -> Optional[ir.Statement]:
    loop = file.unit.parent(demand.site)
    return loop if isinstance(loop, ir.While) and loop.test.site == demand.site else None


def _names(demand: Demand, file: File) -> list[str]:
    loop = _loop(demand, file)
    return (carried(file.unit, loop) or []) if loop is not None else []


def _fix(demand: Demand, file: File) -> Optional[Fix]:
    """The loop as two functions and a call of `while_loop`; None where its body does more than assign."""
    loop, names = _loop(demand, file), _names(demand, file)
    if loop is None or not names or under_reverse_mode(demand):
        return None
    if any(isinstance(node, ir.Walrus) for node in ir.walk([loop.test], into_scopes=False)):
        return None
    kinds = kinds_handed_on(file, loop, names)
    if needs_python_value(file, loop, set(names)) or not can_be_handed_on(kinds):
        return None
    condition = free_name(file, loop, "condition", "keep_going")
    body = free_name(file, loop, "body", "one_round")
    while_loop, imports = file.api("jax.lax.while_loop")
    indent, newline = file.indentation(loop.site), file.source.newline
    test = file.code(demand.site)
    parts = [
        condition_function(file, loop, condition, names, f"({test})" if "\n" in test else test),
        body_function(file, loop, body, names),
        [f"{', '.join(names)} = {while_loop}({condition}, {body}, {carry(names)})"],
    ]
    text = (newline + indent).join(newline.join(part) for part in parts)
    level = Applicability.DISPLAY if Unknown in kinds else Applicability.UNSAFE
    message = "Use `while_loop`: what it hands on keeps shape and dtype, and has no reverse-mode derivative"
    return Fix(message, (file.replace(loop.site, text),), level, imports)
