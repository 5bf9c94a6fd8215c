"""A literal brace before the first placeholder of `jax.debug.print` breaks the template.

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
jax.debug.print("{x} {{step}}", x=x)
```

## When to ignore
Where the project runs with older releases alone: `target-jax` says so.

## Fix safety
There is no fix: where the text is to go is not in the code. A placeholder in front of it is enough, and text
may be passed as an argument like any value: `jax.debug.print("{} {x}", "{step}", x=x)`.

## References
- JAX documentation, "Compiled prints and breakpoints": https://docs.jax.dev/en/latest/debugging/print_breakpoint.html
- jax.debug.print: https://docs.jax.dev/en/latest/_autosummary/jax.debug.print.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX707",
    name="debug-print-leading-brace",
    summary="A literal brace before the first placeholder of `jax.debug.print` breaks the template.",
    category=Category.FAILS,
    kinds=(Kind.LEADING_BRACE,),
    error="AssertionError",
    status="stable",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    template = file.code(demand.operand, 40)
    what = "it is printed as it stands" if demand.detail == "prints" else "formatting it fails"
    yield Finding(
        demand.site,
        f"a brace stands before the first placeholder of `{template}`: {what}",
        "Put the text behind the first placeholder, or pass it as an argument with a placeholder of its own.",
    )
