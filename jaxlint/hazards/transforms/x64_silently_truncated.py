"""64-bit value or dtype without x64 enabled.

## What it does
Reports dtypes of 64 bits (`jnp.float64`, `"int64"`, `jnp.complex128`) that are passed to functions of
JAX, and integers beyond 32 bits that meet an array or become one, in programs that never set
`jax_enable_x64`: those of Python, in lists too, and literal ones in an array of NumPy. Also a quotient of two calls of one function by a step of 1e-7 or
less, as of finite differences. Only code that the file itself runs is judged, and only where the file imports
nothing that could set the option: a module of a library does not know what its user has set.

## Why is this bad
JAX warns once and computes with 32 bits: seven digits in place of sixteen, and integers up to 2**31.
A Python integer that does not fit raises an `OverflowError`. Of one in an array of NumPy the lower 32 bits are kept, without a
warning: 1700000000000 becomes -807049216.

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
you to say. A large integer beside an array of floats or of uint32 becomes a number of its kind, which is unsafe:
a float32 rounds it. One that is made an array is displayed with a dtype that holds it.

## References
- JAX documentation, "JAX - The Sharp Bits", double (64bit) precision:
  https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
- JAX documentation, "Default dtypes and the X64 flag": https://docs.jax.dev/en/latest/default_dtypes.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.widths import X64SilentlyTruncated
from jaxlint.analysis.domain.values import Array, Const
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import known, only, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX509",
    category=Category.WRONG,
    hazards=(X64SilentlyTruncated,),
    error="OverflowError",
    fixable="unsafe",
)

_ENABLE = '`jax.config.update("jax_enable_x64", True)` at the start of the program'


def check(hazard: X64SilentlyTruncated, file: File) -> Iterator[Finding]:
    if hazard.given:
        message = f"`{hazard.asked}` truncated to {hazard.given} in `{file.code(hazard.site, 40)}`"
        advice = f"Use `{hazard.given}`, or enable x64 with {_ENABLE}."
    elif hazard.step:
        message = f"Step {hazard.asked} of a finite difference is lost in 32 bits; x64 is disabled"
        advice = f"Use a step of about 1e-3, or `jax.grad`, or enable x64 with {_ENABLE}."
    elif hazard.cut:
        message = f"{hazard.asked} truncated to 32 bits in `{file.code(hazard.site, 40)}`"
        advice = f"Subtract an offset or convert to float in NumPy, or enable x64 with {_ENABLE}."
    else:
        message = f"{hazard.asked} does not fit in 32 bits; x64 is disabled"
        advice = f"Make it a float, or a NumPy or `jnp` number of a large enough dtype, or enable x64 with {_ENABLE}."
    yield Finding(hazard.site, message, advice, _fix(hazard, file))


def _fix(hazard: X64SilentlyTruncated, file: File) -> Fix | None:
    if hazard.cut or hazard.step:
        return None
    return _narrow(hazard, file) if hazard.given else _held(hazard, file)


@or_none
def _narrow(hazard: X64SilentlyTruncated, file: File) -> Fix:
    """The fix that asks for what JAX gives."""
    node, text = file.unit.nodes[hazard.operand], file.code(hazard.operand)
    require(isinstance(node, ir.Constant) or (isinstance(node, ir.Attribute) and node.attr == hazard.asked))
    require(text.count(hazard.asked) == 1)
    edit = file.replace(hazard.operand, text.replace(hazard.asked, hazard.given))
    return Fix(f"Ask for {hazard.given}", (edit,), Applicability.DISPLAY)


@or_none
def _held(hazard: X64SilentlyTruncated, file: File) -> Fix:
    """The fix that writes a large integer as a number of a dtype that holds it."""
    require(hazard.site in file.unit)
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    if isinstance(node, (ir.Binary, ir.Compare)) and isinstance(hazard.value, Array):
        operands = (node.left, *((node.right,) if isinstance(node, ir.Binary) else node.rights))
        side = only(side for side in operands if _large(file, side) is not None)
        dtype, code = hazard.value.aval.dtype or "", argument(file, side.site)
        if "float" in dtype:
            draft.replace(side.site, f"float({code})")
            return draft.fix("Make it a float, as the array is", "it is rounded to what the array can hold")
        require(dtype == "uint32" and 0 <= known(_large(file, side)) < 2**32)
        draft.replace(side.site, draft.call("jax.numpy.uint32", code))
        return draft.fix("Make it a uint32, as the array is", "it is no Python number")
    value = known(_large(file, file.unit.nodes[hazard.operand]))
    require(isinstance(node, ir.Call) and hazard.operand != hazard.site)
    dtype = "uint32" if 0 <= value < 2**32 else "float32"
    draft.insert(file.outer_span(hazard.operand)[1], f", {draft.api(f'jax.numpy.{dtype}')}")
    return draft.fix(f"Ask for {dtype}", level=Applicability.DISPLAY)


def _large(file: File, node: ir.Node) -> int | None:
    """The value of an integer that is known and needs more than 32 bits."""
    found = {
        value.value if isinstance(value, Const) and type(value.value) is int else None
        for value in file.values(node.site)
    }
    value = found.pop() if len(found) == 1 else None
    return value if value is not None and not -(2**31) <= value < 2**31 else None
