"""`print`, logging or a warning of a traced value, run at trace time.

## What it does
Reports `print(x)`, `logging.info("%s", x)`, `warnings.warn(f"{x}")` and their like where `x` is traced,
also where `x` has been formatted into the text before. The messages of `raise` and `assert` are left alone.
In test files the rule is off unless it is selected by its code: what a test prints is for whoever wrote it.

## Why is this bad
The call runs once, while the function is traced, and not when it is executed. It shows the tracer,
`JitTracer(float32[3])`, and no value.

## Example
```python
@jax.jit
def step(x):
    print("x =", x)
    return x + 1
```

## Use instead
```python
@jax.jit
def step(x):
    jax.debug.print("x = {x}", x=x)
    return x + 1
```

## When to ignore
Where it is meant to show that the function is being traced, or the shape and dtype of a value; printing
`x.shape` says that more plainly, and is not reported.

## Fix safety
Unsafe: `jax.debug.print` runs each time the function does, and once for each element under `jax.vmap`, in
no promised order. What is static stays in the text. Text that a variable holds for `print` alone is put in its place.
Logging, warnings, and `print` with options or with a literal brace before the first value are called in a
`jax.debug.callback`, which is given the values and runs as often. There is no fix for text that was made elsewhere.

## References
- JAX documentation, "Debugging runtime values": `jax.debug.print`, `jax.debug.callback`
  (https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import PrintOfTracer
from jaxlint.analysis.domain.values import Ref
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value
from jaxlint.rewrite.changes import EACH_RUN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.effects.called_back import called_back, traced_names
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.print_template import Template, print_template
from jaxlint.rewrite.requirements import expect, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX303",
    category=Category.WRONG,
    hazards=(PrintOfTracer,),
    in_tests=False,
    fixable="unsafe",
)


def check(hazard: PrintOfTracer, file: File) -> Iterator[Finding]:
    call = file.unit.nodes[hazard.site]
    function = file.called(hazard.site, hazard.api or "")
    prints = hazard.api == "builtins.print"
    yield Finding(
        hazard.site,
        f"`{function}` of traced value `{file.code(hazard.operand, 40)}` runs at trace time"
        if hazard.operand != hazard.site
        else f"`{function}()` runs at trace time and shows tracers",
        help="Use `jax.debug.print`, which prints the values at run time."
        if prints
        else f"Call `{function}` in a function passed to `jax.debug.callback`.",
        fix=_printed(file, call) if prints else _called_back(file, call),
    )


@or_none
def _printed(file: File, call: ir.Node) -> Fix | None:
    call, draft = expect(ir.Call, call), Draft(file)
    made = None if call.keywords else print_template(file, call.args)
    if made is None:
        return _of_text_made_before(file, call) or _called_back(file, call)
    return _with_template(draft, call, made)


def _with_template(draft: Draft, call: ir.Call, made: Template) -> Fix:
    draft.replace(call.site, draft.call("jax.debug.print", made.text, *made.arguments))
    return draft.fix(f"Print with `{draft.api('jax.debug.print')}`", EACH_RUN, made.level)


@or_none
def _of_text_made_before(file: File, call: ir.Call) -> Fix:
    """`message = f"…"; print(message)`: the template takes the place of the variable, which nothing else reads."""
    name, scope = expect(ir.Name, plain_call(call, 1).args[0]).id, expect(ir.Function, file.unit.scope(call.site))
    text, draft = known(only_value(scope, name)), Draft(file)
    require(not isinstance(text, ir.Name) and len(ir.names_below(scope.body)[name]) == 2)
    parameters = {parameter.name for parameter in scope.parameters}
    for each in ir.names_below([text]):
        require(len(bindings(scope, each)) <= (0 if each in parameters else 1))
    made = known(print_template(file, [text]))
    draft.remove(file.unit.statement(text.site))
    return _with_template(draft, call, made)


def _called_back(file: File, call: ir.Node) -> Fix | None:
    nodes = list(ir.walk([call]))
    values = [value for node in nodes if type(node) is ir.Name for value in file.values(node.site)]
    holds = any(type(value) is Ref for value in values) and traced_names(file, nodes) == []
    return None if holds else called_back(file, call)  # an object that holds the tracers may hold what is no array
