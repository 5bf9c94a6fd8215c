"""Numeric formatting of a traced value.

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
The fixes are unsafe. Where the text is printed, also by a name that is only printed, `jax.debug.print` formats it: each time
the function runs, and once for each element under `jax.vmap`. What `print` and logging do otherwise goes into a
`jax.debug.callback`. Text that goes elsewhere has to be made where the value is known: outside, or in a function given
to `jax.debug.callback`; there is no fix for it.

## References
- JAX documentation, "Debugging runtime values": `jax.debug.print`, `jax.debug.callback`
  (https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
- JAX documentation, "Errors", ConcretizationTypeError: https://docs.jax.dev/en/latest/errors.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import FormatOfTracer
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, reads_of
from jaxlint.rewrite.changes import EACH_RUN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.effects.called_back import called_back
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.print_template import print_template, template
from jaxlint.rewrite.requirements import expect, known, only, or_none, require
from jaxlint.rewrite.statements import taken_out
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX110",
    category=Category.FAILS,
    hazards=(FormatOfTracer,),
    error="TypeError",
    fixable="unsafe",
)

_LEVELS = ("debug", "info", "warning", "error", "critical", "exception", "warn", "log")


def check(hazard: FormatOfTracer, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    name = file.api("jax.debug.print")[0]
    yield Finding(
        hazard.site,
        f"Numeric formatting of traced value `{operand}`",
        help=f"Print `{operand}` with `{name}`. Make text for other uses outside the traced function, or in a function"
        " passed to `jax.debug.callback`.",
        fix=_fix(hazard, file),
    )


@or_none
def _fix(hazard: FormatOfTracer, file: File) -> Fix | None:
    """The text as a template, where it is printed at once, or has a name that is only printed."""
    call = next(
        (node for node in file.unit.ancestors(hazard.site) if not isinstance(node, (ir.Format, ir.Field))), None
    )
    draft = Draft(file)
    if isinstance(call, ir.Assign):
        args = [call.value]
        draft.edits.append(known(taken_out(file, call)))
        call = known(_printed(file, call))
    else:
        args = list(call.args) if isinstance(call, ir.Call) else []
    call = expect(ir.Call, call)
    require(isinstance(file.unit.parent(call.site), ir.Evaluate))
    function, called = draft.api("jax.debug.print"), file.code(call.func.site)
    made = None
    if called == "print" and not call.keywords:
        made = print_template(file, args)
    elif called == function and len(args) == 1 and not call.keywords:
        made = template(file, args[0].site)
    if made is None or not made.arguments or made.level is Applicability.DISPLAY:
        shows = called == "print" or any(called.endswith(f".{level}") for level in _LEVELS)
        return called_back(file, call) if shows and not draft.edits else None
    made.lower(Applicability.UNSAFE)
    draft.replace(call.site, f"{function}({', '.join([made.text, *made.arguments])})")
    return draft.fix(f"Print with `{function}`", EACH_RUN, made.level)


@or_none
def _printed(file: File, assign: ir.Assign) -> ir.Call:
    """The call that alone reads the assigned name, as its only argument, while nothing in the text changes in between."""
    scope, read = file.unit.scope(assign.site), only(known(reads_of(file.unit, assign)))
    call = expect(ir.Call, file.unit.parent(read.site))
    require(call.args == (read,))
    statement = file.unit.statement(call.site)
    require(file.unit.parent(statement.site) is file.unit.parent(assign.site))
    for name in ir.names_below([assign.value]):
        require(not any(assign.site < each.site < statement.site for each in bindings(scope, name)))
    return call
