"""A traced value is formatted as a number.

## What it does
Reports `f"{x:.2f}"`, `"{:.2f}".format(x)`, `format(x, ".2f")` and `"%f" % x` where `x` is traced. What merely shows
the tracer, `f"{x}"` or `"%s" % x`, does not fail, and is JAX303 where it is printed.

## Why is this bad
A number is written out from its value, and a tracer has none yet: Python raises `TypeError` or JAX
`ConcretizationTypeError` while the function is traced.

## Example
```python
@jax.jit
def step(loss):
    print(f"loss {loss:.3f}")
    return loss * 2
```

## Use instead
```python
@jax.jit
def step(loss):
    jax.debug.print("loss {loss:.3f}", loss=loss)
    return loss * 2
```

## When to ignore
Never: the code fails whenever the function is traced.

## Fix safety
The fix is shown where the text is printed, and is not applied: `jax.debug.print` runs each time the function does, and
once for each element under `jax.vmap`. Text that goes elsewhere has to be made where the value is known: outside, or
in a function given to `jax.debug.callback`.

## References
- JAX documentation, "Debugging runtime values": `jax.debug.print`, `jax.debug.callback`
  (https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
- JAX documentation, "Errors", ConcretizationTypeError: https://docs.jax.dev/en/latest/errors.html
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.debugging.print_template import template
from jaxlint.rules.host.printed_values import print_template
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX110",
    name="format-of-tracer",
    summary="A traced value is formatted as a number.",
    category=Category.FAILS,
    kinds=(Kind.FORMAT,),
    error="TypeError",
    fixable="display",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    operand = file.code(demand.operand, 40)
    name = file.api("jax.debug.print")[0]
    yield Finding(
        demand.site,
        f"formatting `{operand}` as a number needs its value, which is traced",
        help=f"`{name}` formats `{operand}` when the code runs; text for other uses is made outside,"
        " or in a function given to `jax.debug.callback`.",
        fix=_fix(demand, file),
    )


def _fix(demand: Demand, file: File) -> Optional[Fix]:
    """The text as a template, where it is printed at once."""
    call = next((node for node in file.unit.ancestors(demand.site) if not isinstance(node, (ir.Format, ir.Field))), None)
    if not isinstance(call, ir.Call) or call.keywords or not isinstance(file.unit.parent(call.site), ir.Evaluate):
        return None
    function, imports = file.api("jax.debug.print")
    called = file.code(call.func.site)
    if called == "print":
        made = print_template(file, call.args)
    elif called == function and len(call.args) == 1:
        made = template(file, call.args[0].site)
    else:
        return None
    if made is None or not made.arguments:
        return None
    content = f"{function}({', '.join([made.text, *made.arguments])})"
    return Fix(f"print with `{function}`", (file.replace(call.site, content),), Applicability.DISPLAY, imports)
