"""Traced value formatted before `jax.debug.print`, at trace time.

## What it does
Reports `jax.debug.print(f"{x}")` and the same with `%`, `str.format`, `str(x)` and `+`, where `x` is
traced.

## Why is this bad
The text is made while the function is traced, so it holds the tracer and no value:
`JitTracer(float32[3])`. `jax.debug.print` then prints that text at every run. It formats the values
itself when the compiled code runs; for that it needs them as arguments.

## Example
```python
@jax.jit
def step(x):
    jax.debug.print(f"x = {x}")
    return x
```

## Use instead
```python
@jax.jit
def step(x):
    jax.debug.print("x = {x}", x=x)
    return x
```

## When to ignore
Where it is the tracer that is to be seen, its shape and dtype; `print` says that more plainly.

## Fix safety
Safe: only traced values are passed as arguments, with their conversion and format specification
(specifications need jax 0.4.33), and the text printed for an array is the same. What is static stays
in the f-string. The fix is unsafe where that is text that might hold a brace, and only shown where
something is passed that may be no array: JAX prints Python floats and tuples in another way. There is
no fix where the text holds a literal brace, which is a placeholder in a template, or where the call
passes further values. Text that is made in a statement before, for this call alone, is taken apart there: unsafe.

## References
- JAX documentation, "Debugging runtime values": `jax.debug.print`
  (https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxlint.analysis.checkers.debug_prints import DebugPrintOfFormattedString
from jaxlint.analysis.domain.values import Api
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value
from jaxlint.rewrite.changes import PRINTED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.print_template import RESERVED, template
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX702",
    name="debug-print-of-formatted-string",
    summary="Traced value formatted before `jax.debug.print`, at trace time.",
    category=Category.WRONG,
    hazards=(DebugPrintOfFormattedString,),
    fixable="safe",
    status="stable",
)

# One parenthesis, that of the call; white space and comments around it.
_OPENING = re.compile(r"\s*\((?:\s|#[^\n]*\n)*")


def check(hazard: DebugPrintOfFormattedString, file: File) -> Iterator[Finding]:
    code = file.code(hazard.operand, 40)
    node = file.unit.nodes[hazard.operand]
    if isinstance(node, ir.Name) and node.id not in RESERVED:
        example = f'jax.debug.print("{{{code}}}", {code}={code})'
    else:
        braces = " ".join(["{}"] * (len(node.elements) if isinstance(node, ir.Sequence) else 1))
        example = f'jax.debug.print("{braces}", {code})'
    yield Finding(
        hazard.site,
        f"Traced value `{code}` formatted at trace time in `jax.debug.print`",
        f"Pass the template and the value separately: `{example}`.",
        _fix(hazard, file) or _made_before(hazard, file),
    )


_TITLE = "Pass the template and the values apart"


def _fix(hazard: DebugPrintOfFormattedString, file: File) -> Fix | None:
    call = file.unit.parent(hazard.site)
    if not isinstance(call, ir.Call) or len(call.args) != 1 or call.args[0].site != hazard.site:
        return None
    if any(type(value) is not Api or value.name != "jax.debug.print" for value in file.values(call.func.site)):
        return None
    if any(keyword.name not in RESERVED for keyword in call.keywords):
        return None
    start, end = file.outer_span(hazard.site)
    if not _OPENING.fullmatch(file.source.text[file.outer_span(call.func.site)[1] : start]):
        return None
    made = template(file, hazard.site)
    if made is None or not made.arguments:
        return None
    edits = (Edit(start, end, made.text), Edit(end, end, ", " + ", ".join(made.arguments)))
    return Fix(_TITLE, edits, made.level, changes=PRINTED)


def _made_before(hazard: DebugPrintOfFormattedString, file: File) -> Fix | None:
    """The template in the place of text that a statement before makes for this call alone."""
    name, call = file.unit.nodes[hazard.site], file.unit.parent(hazard.site)
    scope = file.unit.scope(hazard.site)
    text = only_value(scope, name.id) if isinstance(name, ir.Name) else None
    if text is None or not isinstance(call, ir.Call) or call.args != (name,) or call.keywords:
        return None
    uses = [node for node in ir.walk(scope.body) if isinstance(node, ir.Name) and node.id == name.id]
    read = {node.id for node in ir.walk([text]) if isinstance(node, ir.Name)}
    if len(uses) != 2 or any(len(bindings(scope, each)) + _is_parameter(scope, each) > 1 for each in read):
        return None  # what the text was made of may have changed until here
    made = template(file, text.site)
    if made is None or not made.arguments:
        return None
    end = file.outer_span(name.site)[1]
    edits = (file.replace(text.site, made.text), Edit(end, end, ", " + ", ".join(made.arguments)))
    fix = Fix(_TITLE, edits, changes=PRINTED)
    return fix.lowered(made.level) if made.level is Applicability.DISPLAY else fix


def _is_parameter(scope: ir.Scope, name: str) -> bool:
    return isinstance(scope, ir.Function) and any(each.name == name for each in scope.parameters)
