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
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX702",
    category=Category.WRONG,
    hazards=(DebugPrintOfFormattedString,),
    fixable="safe",
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


@or_none
def _fix(hazard: DebugPrintOfFormattedString, file: File) -> Fix:
    call = expect(ir.Call, file.unit.parent(hazard.site))
    require(len(call.args) == 1 and call.args[0].site == hazard.site)
    require(all(type(value) is Api and value.name == "jax.debug.print" for value in file.values(call.func.site)))
    require(all(keyword.name in RESERVED for keyword in call.keywords))
    start, end = file.outer_span(hazard.site)
    require(_OPENING.fullmatch(file.source.text[file.outer_span(call.func.site)[1] : start]))
    made = known(template(file, hazard.site))
    require(made.arguments)
    edits = (Edit(start, end, made.text), file.insert(end, ", " + ", ".join(made.arguments)))
    return Fix(_TITLE, edits, made.level, changes=PRINTED)


@or_none
def _made_before(hazard: DebugPrintOfFormattedString, file: File) -> Fix:
    """The template in the place of text that a statement before makes for this call alone."""
    name, call = expect(ir.Name, file.unit.nodes[hazard.site]), expect(ir.Call, file.unit.parent(hazard.site))
    scope = file.unit.scope(hazard.site)
    text = known(only_value(scope, name.id))
    require(call.args == (name,) and not call.keywords and len(ir.names_below(scope.body)[name.id]) == 2)
    for each in ir.names_below([text]):  # what the text was made of may have changed until here
        require(len(bindings(scope, each)) + _is_parameter(scope, each) <= 1)
    made = known(template(file, text.site))
    require(made.arguments)
    end = file.outer_span(name.site)[1]
    edits = (file.replace(text.site, made.text), file.insert(end, ", " + ", ".join(made.arguments)))
    fix = Fix(_TITLE, edits, changes=PRINTED)
    return fix.lowered(made.level) if made.level is Applicability.DISPLAY else fix


def _is_parameter(scope: ir.Scope, name: str) -> bool:
    return isinstance(scope, ir.Function) and any(each.name == name for each in scope.parameters)
