"""Mismatched template and arguments of `jax.debug.print`.

## What it does
Reports calls of `jax.debug.print` (and `jax.debug.log`) with arguments that no placeholder uses, placeholders
without an argument, templates that are no text or no template, and specifications that the value does not take:
`jax.debug.print("x", x)`, `jax.debug.print("{x} {y}", x=x)`, `jax.debug.print("{x:.2f}", x=vector)`.

## Why is this bad
Unlike `print`, the function takes a template first, and formats the other arguments into it when the compiled code
runs. What does not fit raises: `ValueError: Unused positional arguments`, `KeyError`, `IndexError`, and for a
specification an error out of the running program.

## Example
```python
jax.debug.print("loss", loss)
```

## Use instead
```python
jax.debug.print("loss {loss}", loss=loss)
```

## When to ignore
Never: the call raises an error, in traced code and outside of it.

## Fix safety
Unsafe: a value that no placeholder prints gets one at the end of the text, or in the place of `%s`; a placeholder
without an argument prints the variable of its name; fields are numbered, specifications that fail left out, and braces
that are no placeholders taken for text. There is no fix where no variable has the name of the placeholder, and where
the template is no single literal.

## References
- JAX documentation, "Compiled prints and breakpoints": https://docs.jax.dev/en/latest/debugging/print_breakpoint.html
- jax.debug.print: https://docs.jax.dev/en/latest/_autosummary/jax.debug.print.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.debug_prints import DebugPrintArguments
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.fitting_template import fitted
from jaxlint.rewrite.printing.print_template import RESERVED
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX703",
    category=Category.FAILS,
    hazards=(DebugPrintArguments,),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: DebugPrintArguments, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    called = str(hazard.api)
    placeholder, argument = _said(file, hazard.operand)
    advice = f"Add a placeholder to the template: `{placeholder}`, with `{argument}`."
    if hazard.reason == "print style":
        message = f"No placeholder for `{operand}` in the template of `{called}`"
        advice = f"Write one placeholder for each value: `{called}({_with(file, hazard, placeholder)}, {argument})`."
    elif hazard.reason == "unused":
        message = f"Argument `{operand}` without a placeholder in the template"
    elif hazard.reason == "missing":
        message = f"Missing argument for placeholder {hazard.what} of the template"
        word = hazard.what.strip("{}")
        argument = f"the value as `{word}=…`" if word.isidentifier() else "one more argument"
        advice = f"Pass {argument}, or double a literal brace."
    elif hazard.reason == "mixed":
        message = f"Mixed numbered and unnumbered placeholders in `{operand}`"
        advice = "Number all of them or none."
    elif hazard.reason == "malformed":
        message = f"Malformed template `{operand}`: {hazard.what}"
        advice = "Double a literal brace."
    elif hazard.reason == "no text":
        message = f"First argument `{operand}` of `{called}` is not a template string"
        advice = f'Print it with a template: `{called}("{placeholder}", {argument})`.'
    else:
        message = f"Invalid format specification `:{hazard.what}` for `{operand}`"
        advice = "Format scalars only, with `d` for integers. Print a whole array with `{}`."
    yield Finding(hazard.site, message, advice, _fix(hazard, file))


def _fix(hazard: DebugPrintArguments, file: File) -> Fix | None:
    call = file.unit.nodes[hazard.site]
    return fitted(file, call, hazard, hazard.operand) if isinstance(call, ir.Call) and call.args else None


def _said(file: File, site: int) -> tuple[str, str]:
    """A placeholder for a value, and the argument that fills it."""
    node = file.unit.nodes[site]
    if isinstance(node, ir.Name) and node.id not in RESERVED:
        return f"{{{node.id}}}", f"{node.id}={node.id}"
    return "{}", " ".join(operands.argument(file, site).split())


def _with(file: File, hazard: DebugPrintArguments, placeholder: str) -> str:
    """The template with a placeholder at its end."""
    call = file.unit.nodes[hazard.site]
    text = call.args[0].value if isinstance(call, ir.Call) and isinstance(call.args[0], ir.Constant) else "…"
    return '"' + str(text).strip() + " " + placeholder + '"'
