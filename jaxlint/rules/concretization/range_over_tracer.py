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
from jaxlint.rewrite import argument
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.concretization.bindings import own_nodes
from jaxlint.rules.concretization.carried import carried, is_read_elsewhere
from jaxlint.rules.concretization.static_argument import make_static
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.values import Array, Const, Static, Undecided, Unknown

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

_REVERSE_MODE = frozenset({"jax.grad", "jax.value_and_grad", "jax.jacrev", "jax.jacobian", "jax.hessian", "jax.vjp"})
_NEEDS_INT = frozenset({"range", "int", "float", "bool"})


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
    if demand.origin is None or any(step.transform in _REVERSE_MODE for step in demand.origin.steps()):
        return None
    if call.keywords or not 1 <= len(call.args) <= 2 or any(isinstance(each, ir.Starred) for each in call.args):
        return None
    names = carried(file.unit, loop)
    if names is None or loop.target.id in names or is_read_elsewhere(file.unit, loop, loop.target.id):
        return None
    kinds = _kinds(file, loop, names)
    if _index_must_be_int(file, loop) or not kinds <= {Array, Undecided, Const, Static, Unknown}:
        return None
    level = Applicability.DISPLAY if Unknown in kinds else Applicability.UNSAFE
    text, imports = _written(file, loop, call, names)
    message = "Use `fori_loop`: what it hands on keeps shape and dtype, and has no reverse-mode derivative"
    return Fix(message, (file.replace(loop.site, text),), level, imports)


def _kinds(file: File, loop: ir.For, names: list[str]) -> set[type]:
    """Kinds of the values that are handed on."""
    kinds: set[type] = set()
    for statement in loop.body:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        if any(isinstance(target, ir.Name) and target.id in names for target in targets):
            kinds |= {type(value) for value in file.values(statement.value.site)}
    return kinds


def _index_must_be_int(file: File, loop: ir.For) -> bool:
    """Whether the body uses the loop variable where a tracer fails: in slices, and as index of a list or tuple."""
    def mentions(node: Optional[ir.Node]) -> bool:
        return node is not None and any(isinstance(n, ir.Name) and n.id == loop.target.id for n in own_nodes([node]))

    for node in own_nodes(loop.body):
        if isinstance(node, (ir.Slice, ir.Conditional, ir.Boolean, ir.Format)) and mentions(node):
            return True
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and node.func.id in _NEEDS_INT and mentions(node):
            return True
        if isinstance(node, ir.Subscript) and mentions(node.index):
            if any(type(value) not in (Array, Undecided, Unknown) for value in file.values(node.value.site)):
                return True
    return False


def _written(file: File, loop: ir.For, call: ir.Call, names: list[str]) -> tuple[str, frozenset]:
    scope = file.unit.scope(loop.site)
    taken = scope.locals | scope.free | file.unit.module.locals
    function = next(name for name in ("body", "loop_body", "one_round", "body_") if name not in taken)
    fori, imports = file.api("jax.lax.fori_loop")
    text, newline = file.source.text, file.source.newline
    indent = file.indentation(loop.site)
    start, end = file.span(loop.body[0].site)[0], file.span(loop.body[-1].site)[1]
    first_line = text.rfind("\n", 0, start) + 1
    if first_line > file.span(call.site)[1]:
        inner = text[first_line:start]
        body = text[first_line:end]
    else:  # `for i in range(n): x = x + i`
        inner = indent + "    "
        body = inner + text[start:end]
    listed = ", ".join(names)
    lower, upper = (["0"] if len(call.args) == 1 else []) + [argument(file, each.site) for each in call.args]
    if len(names) == 1:
        lines = [f"def {function}({loop.target.id}, {listed}):", body, f"{inner}return {listed}"]
        start_values = listed
    else:
        lines = [f"def {function}({loop.target.id}, carry):", f"{inner}{listed} = carry", body, f"{inner}return {listed}"]
        start_values = f"({listed})"
    lines.append(f"{indent}{listed} = {fori}({lower}, {upper}, {function}, {start_values})")
    return newline.join(lines), imports
