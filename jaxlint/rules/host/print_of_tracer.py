"""`print`, logging or a warning shows a tracer.

## What it does
Reports `print(x)`, `logging.info("%s", x)`, `warnings.warn(f"{x}")` and their like where `x` is traced,
also where `x` has been formatted into the text before. The messages of `raise` and `assert` are left alone.

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
no promised order. What is static stays in the text. There is no fix for `print` with `sep=`, `end=` or
`file=`, for text that was made elsewhere, and where a literal brace stands before the first value. For
logging and warnings the call in a `jax.debug.callback` is shown and not applied.

## References
- JAX documentation, "Debugging runtime values": `jax.debug.print`, `jax.debug.callback`
  (`debugging/print_breakpoint.html`)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.host.printed_values import print_template
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.values import Array, Text, Undecided

RULE = Rule(
    code="JAX303",
    name="print-of-tracer",
    summary="`print`, logging or a warning shows a tracer.",
    category=Category.WRONG,
    kinds=(Kind.PRINT,),
    fixable="unsafe",
)

# Nodes that bind names of their own, or that a lambda cannot hold.
_NOT_IN_LAMBDA = (ir.Comprehension, ir.Lambda, ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    call = file.unit.nodes[demand.site]
    function = file.code(call.func.site, 40) if isinstance(call, ir.Call) else (demand.api or "")
    prints = demand.api == "builtins.print"
    yield Finding(
        demand.site,
        f"`{function}` runs while JAX traces the code, and shows the tracer in place of `{file.code(demand.operand, 40)}`",
        help="Use `jax.debug.print`, which prints the values each time the code runs."
        if prints
        else f"Call `{function}` in a `jax.debug.callback`, which is given the values each time the code runs.",
        fix=_printed(file, call) if prints else _called_back(demand, file, call),
    )


def _printed(file: File, call: ir.Node) -> Optional[Fix]:
    if not isinstance(call, ir.Call) or call.keywords:
        return None
    made = print_template(file, call.args)
    if made is None:
        return None
    function, imports = file.api("jax.debug.print")
    content = f"{function}({', '.join([made.text, *made.arguments])})"
    return Fix(f"print with `{function}`", (file.replace(call.site, content),), made.level, imports)


def _called_back(demand: Demand, file: File, call: ir.Node) -> Optional[Fix]:
    """The call as it is, in a lambda that is given the traced names it uses."""
    if not isinstance(call, ir.Call):
        return None
    inside = [node for arg in [*call.args, *call.keywords] for node in ir.walk([arg])]
    if any(isinstance(node, _NOT_IN_LAMBDA) for node in inside) or demand.operand not in {n.site for n in inside}:
        return None
    names: dict[str, None] = {}
    for node in inside:
        values = file.values(node.site) if isinstance(node, ir.Name) else []
        if any(type(value) is Text for value in values):
            return None
        if any(type(value) in (Array, Undecided) for value in values):
            names[node.id] = None
    if not any(isinstance(node, ir.Name) and node.id in names for node in ir.walk([file.unit.nodes[demand.operand]])):
        return None
    callback, imports = file.api("jax.debug.callback")
    listed = ", ".join(names)
    content = f"{callback}(lambda {listed}: {file.code(call.site)}, {listed})"
    return Fix(f"call it in a `{callback}`", (file.replace(call.site, content),), Applicability.DISPLAY, imports)
