"""`range` over a traced value.

## What it does
Reports `range(n)` where `n`, or another of its arguments, is a tracer.

## Why is this bad
`range` needs Python integers. While JAX traces, `n` has no value: under `jax.jit`, `jax.vmap` and
in `lax` control flow the call raises `TracerIntegerConversionError`. A Python loop is unrolled
while tracing, so that its number of rounds has to be known then; `jax.lax.fori_loop` is one
instruction of the compiled program, and takes traced bounds.

## Example
```python
@jax.jit
def power(x, n):
    y = 1.0
    for i in range(n):
        y = y * x
    return y
```

## Use instead
```python
@jax.jit
def power(x, n):
    y = 1.0
    def body(i, y):
        y = y * x
        return y
    y = jax.lax.fori_loop(0, n, body, y)
    return y
```

Or make `n` static, where there are few values of it and the loop is short.

## When to ignore
Never: it fails whenever the function is traced with this value.

## Fix safety
The fixes are unsafe. A loop whose body only assigns to names becomes a `fori_loop` over those that
one round hands to the next: they become arrays that keep shape and dtype, and the loop variable is
a tracer. Such a loop has no reverse-mode derivative. Under `jax.grad`, and for other loops, the
argument is made static where `jax.jit` is applied, as in JAX108.

## References
- jax.lax.fori_loop: https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html
- JAX documentation, "Control flow and logical operators with JIT":
  https://docs.jax.dev/en/latest/control-flow.html
"""

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rewrite.operands import argument
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.concretization.carried import carried, is_read_elsewhere
from jaxlint.rules.concretization.loop_functions import (
    body_function,
    can_be_handed_on,
    carry,
    free_name,
    kinds_handed_on,
    needs_python_value,
    under_reverse_mode,
)
from jaxlint.rules.concretization.static_argument import make_static
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.values import Unknown

RULE = Rule(
    code="JAX107",
    name="range-over-tracer",
    summary="`range` over a traced value.",
    category=Category.FAILS,
    kinds=(Kind.RANGE,),
    error="TracerIntegerConversionError",
    fixable="unsafe",
    status="stable",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    code = file.code(demand.operand, 40)
    fori = file.api("jax.lax.fori_loop")[0]
    yield Finding(
        demand.site,
        f"`range` needs a Python integer, and `{code}` is traced",
        help=f"`{fori}` loops with traced bounds, here from {_bounds(file, demand)}; or make `{code}` a static argument.",
        fix=_best(_fori_loop(demand, file), make_static(demand, file)),
    )


def _best(*fixes: Optional[Fix]) -> Optional[Fix]:
    """The first that is applied on request, else the first that is shown."""
    offered = [fix for fix in fixes if fix is not None]
    applied = [fix for fix in offered if fix.applicability is not Applicability.DISPLAY]
    return (applied or offered or [None])[0]


def _bounds(file: File, demand: Demand) -> str:
    call = file.unit.nodes[demand.site]
    codes = [f"`{file.code(each.site, 40)}`" for each in call.args[:2]] if isinstance(call, ir.Call) else []
    return " to ".join(codes if len(codes) > 1 else ["`0`", *codes])


def _fori_loop(demand: Demand, file: File) -> Optional[Fix]:
    """The loop as a function and a call of `fori_loop`; None where its body does more than assign."""
    call = file.unit.nodes[demand.site]
    loop = file.unit.parent(call.site)
    if not isinstance(loop, ir.For) or loop.iterable is not call or not isinstance(loop.target, ir.Name):
        return None
    if under_reverse_mode(demand):
        return None
    if call.keywords or not 1 <= len(call.args) <= 2 or any(isinstance(each, ir.Starred) for each in call.args):
        return None
    names = carried(file.unit, loop)
    if names is None or loop.target.id in names or is_read_elsewhere(file.unit, loop, loop.target.id):
        return None
    kinds = kinds_handed_on(file, loop, names)
    if needs_python_value(file, loop, {loop.target.id}) or not can_be_handed_on(kinds):
        return None
    level = Applicability.DISPLAY if kinds == {Unknown} else Applicability.UNSAFE
    text, imports = _written(file, loop, call, names)
    message = "Use `fori_loop`: what it hands on keeps shape and dtype, and has no reverse-mode derivative"
    return Fix(message, (file.replace(loop.site, text),), level, imports)


def _written(file: File, loop: ir.For, call: ir.Call, names: list[str]) -> tuple[str, frozenset]:
    function = free_name(file, loop, "body", "loop_body", "one_round")
    fori, imports = file.api("jax.lax.fori_loop")
    lines = body_function(file, loop, function, names, first=(loop.target.id,))
    lower, upper = (["0"] if len(call.args) == 1 else []) + [argument(file, each.site) for each in call.args]
    indent = file.indentation(loop.site)
    lines.append(f"{indent}{', '.join(names)} = {fori}({lower}, {upper}, {function}, {carry(names)})")
    return file.source.newline.join(lines), imports
