"""Literal brace before the first placeholder of `jax.debug.print`.

## What it does
Reports templates of `jax.debug.print` in which `{{` or `}}` stands before the first placeholder, for projects that
support jax 0.7.2 or later.

## Why is this bad
Since 0.7.2 JAX takes such a template for one without placeholders. With arguments by name the program ends in
`AssertionError: Format without placeholders should not have kwargs`; with arguments by position the template is printed
as it stands, and the values behind it: `{{a}} {} [0. 1. 2.]`.

## Example
```python
jax.debug.print("{{step}} {x}", x=x)
```

## Use instead
```python
jax.debug.print("{} {x}", "{step}", x=x)
```

A placeholder in front of the braces is enough as well: `"{x} {{step}}"`.

## When to ignore
Where the project runs with older releases alone: `target-jax` says so.

## Fix safety
Unsafe: the text from the first brace to the last before the placeholder is passed as an argument, which releases of
JAX before 0.4.34 do not take. There is no fix where the placeholders are numbered, or the template is no single
literal.

## References
- JAX documentation, "Compiled prints and breakpoints": https://docs.jax.dev/en/latest/debugging/print_breakpoint.html
- jax.debug.print: https://docs.jax.dev/en/latest/_autosummary/jax.debug.print.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.debug_prints import DebugPrintLeadingBrace
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.fitting_template import text_of, with_leading_braces_passed
from jaxlint.rewrite.requirements import known, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX707",
    category=Category.FAILS,
    hazards=(DebugPrintLeadingBrace,),
    error="AssertionError",
    fixable="unsafe",
)


def check(hazard: DebugPrintLeadingBrace, file: File) -> Iterator[Finding]:
    template = file.code(hazard.operand, 40)
    what = "it is printed verbatim" if hazard.effect == "prints" else "formatting fails"
    yield Finding(
        hazard.site,
        f"Literal brace before first placeholder of `{template}`; {what}",
        "Move the brace after the first placeholder, or pass it as an argument with its own placeholder.",
        _fix(hazard, file),
    )


@or_none
def _fix(hazard: DebugPrintLeadingBrace, file: File) -> Fix:
    node = file.unit.nodes[hazard.operand]
    text = known(text_of(file, node))
    require(text.is_template and isinstance(file.unit.parent(node.site), ir.Call))
    made = known(with_leading_braces_passed(text))
    edit = file.replace(node.site, ", ".join(made))
    return Fix(f"Pass `{made[1]}` as an argument", (edit,), changes="JAX before 0.4.34 rejects it")
