"""Random key as the default of a parameter.

## What it does
Reports `def f(x, key=jax.random.key(0))`, a parameter whose default makes a key, where two calls of a program leave it out and
draw from it, or one call in a loop does.

## Why is this bad
The default is made once, where the function is defined. Whoever leaves it out draws the same numbers in every call,
and as everybody else who does, without a sign of it: two layers start with the same weights.

## Example
```python
def noise(shape, key=jax.random.key(0)):
    return jax.random.normal(key, shape)


x, y = noise((2,)), noise((2,))
```

## Use instead
```python
def noise(shape, key):
    return jax.random.normal(key, shape)


x, y = noise((2,), jax.random.key(0)), noise((2,), jax.random.key(1))
```

## When to ignore
Where the same numbers are wanted each time. Off in test files.

## Fix safety
Unsafe: the parameter is required, and each call in the file that left it out passes a key made of another seed. It is only
shown where callers elsewhere may have to change. There is none where a call is not in sight, as those of methods that
operators call are, or stands in a loop.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.keys.constant_keys import KeyAsDefault
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arguments import append_argument
from jaxlint.rewrite.calls import is_closed, visible_calls
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.own_keys import another_key, is_of_module
from jaxlint.rewrite.requirements import expect, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX414",
    category=Category.WRONG,
    hazards=(KeyAsDefault,),
    in_tests=False,
    fixable="unsafe",
)


def check(hazard: KeyAsDefault, file: File) -> Iterator[Finding]:
    parameter: ir.Node = file.unit.nodes[hazard.operand]
    name = parameter.name if isinstance(parameter, ir.Parameter) else "key"
    calls = [("drawn from here", hazard.first), ("and again here", hazard.second)]
    yield Finding(
        hazard.site,
        f"Key as default of `{name}`; calls of `{hazard.function}` draw the same numbers",
        help=f"Require `{name}`, and let callers pass their own key.",
        fix=_fix(file, parameter, parameter.default)
        if isinstance(parameter, ir.Parameter) and parameter.default is not None
        else None,
        also=tuple((what, site) for what, site in calls if site in file.unit),
    )


@or_none
def _fix(file: File, parameter: ir.Parameter, default: ir.Expression) -> Fix:
    """The parameter is required, and calls that left it out pass a key of their own."""
    function = expect(ir.Function, file.unit.parent(parameter.site))
    require(is_of_module(file, default.site))
    edits, keyword_only = _required(file, function, parameter, default)
    position = function.parameters.index(parameter) - function.is_method
    number = 0
    for use in known(visible_calls(file, function)):
        call = plain_call(use.call)
        by_position = parameter.kind != "keyword-only" and len(call.args) > position
        require(not by_position or not keyword_only)
        if by_position or any(each.name == parameter.name for each in call.keywords):
            continue
        code = known(another_key(file, default.site, call, number))
        fits = (
            parameter.kind != "keyword-only" and not keyword_only and not call.keywords and len(call.args) == position
        )
        edits.append(known(append_argument(file, call, code if fits else f"{parameter.name}={code}")))
        number += 1
    level = Applicability.UNSAFE if number and is_closed(file, function) else Applicability.DISPLAY
    title = f"Require `{parameter.name}`, and pass another key in each call"
    return Fix(title, tuple(edits), level, changes=NUMBERS_DRAWN)


def _required(
    file: File, function: ir.Function, parameter: ir.Parameter, default: ir.Expression
) -> tuple[list[Edit], bool]:
    """Edits that take the default away, and whether the parameter is passed by keyword only after that."""
    start = file.span(parameter.site)[0] + len(parameter.name)
    if parameter.annotation is not None:
        start = file.outer_span(parameter.annotation.site)[1]
    gone = Edit(start, file.outer_span(default.site)[1], "")
    before = function.parameters[: function.parameters.index(parameter)]
    after = function.parameters[len(before) + 1 :]
    if parameter.kind == "keyword-only" or all(each.default is None for each in before):
        return [gone], False
    require(parameter.kind in ("ordinary", "double-star") and all(each.kind == "double-star" for each in after))
    return [file.insert(file.span(parameter.site)[0], "*, "), gone], True
