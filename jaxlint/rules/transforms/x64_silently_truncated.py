"""A program asks for 64 bits, and JAX gives it 32.

## What it does
Reports dtypes of 64 bits (`jnp.float64`, `"int64"`, `jnp.complex128`) that are passed to functions of
JAX, and Python integers beyond 32 bits that meet an array, in programs that never set
`jax_enable_x64`. Only code that the file itself runs is judged, and only where the file imports
nothing that could set the option: a module of a library does not know what its user has set.

## Why is this bad
JAX warns once and computes with 32 bits: seven digits in place of sixteen, and integers up to 2**31.
A Python integer that does not fit raises an `OverflowError`.

## Example
```python
import jax.numpy as jnp

steps = jnp.linspace(0.0, 1.0, 1001, dtype=jnp.float64)
```

## Use instead
```python
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

steps = jnp.linspace(0.0, 1.0, 1001, dtype=jnp.float64)
```

## When to ignore
Where the environment sets `JAX_ENABLE_X64`.

## Fix safety
The fix that writes the dtype of 32 bits is displayed. It is what runs now; that it is enough is for
you to say.

## References
- JAX documentation, "JAX - The Sharp Bits", double (64bit) precision:
  https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
- JAX documentation, "Default dtypes and the X64 flag": https://docs.jax.dev/en/latest/default_dtypes.html
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rule import ElsewhereError, File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.widths import Narrowed

RULE = Rule(
    code="JAX509",
    name="x64-silently-truncated",
    summary="64 bits are asked for, and not switched on.",
    category=Category.WRONG,
    kinds=(Kind.NARROWED,),
    error="OverflowError",
    fixable="display",
    on="preview",
    status="preview",
)

_ENABLE = '`jax.config.update("jax_enable_x64", True)` at the start of the program'


def check(demand: Demand, file: File) -> Iterator[Finding]:
    narrowed: Narrowed = demand.detail
    if narrowed.given:
        message = f"`{narrowed.asked}` is not switched on: `{file.code(demand.site, 40)}` gives {narrowed.given}"
        advice = f"Ask for `{narrowed.given}`, or switch 64 bits on with {_ENABLE}."
    else:
        message = f"{narrowed.asked} does not fit into 32 bits, and 64 are not switched on"
        advice = f"Make it a float, or a NumPy or jnp number of a dtype that holds it; or switch 64 bits on with {_ENABLE}."
    yield Finding(demand.site, message, advice, _narrow(demand, narrowed, file))


def _narrow(demand: Demand, narrowed: Narrowed, file: File) -> Optional[Fix]:
    """The fix that asks for what JAX gives."""
    node = file.unit.nodes[demand.operand]
    try:
        text = file.code(demand.operand)
    except ElsewhereError:
        return None
    plain = isinstance(node, ir.Constant) or (isinstance(node, ir.Attribute) and node.attr == narrowed.asked)
    if not narrowed.given or not plain or text.count(narrowed.asked) != 1:
        return None
    edit = file.replace(demand.operand, text.replace(narrowed.asked, narrowed.given))
    return Fix(f"Ask for {narrowed.given}", (edit,), Applicability.DISPLAY)
