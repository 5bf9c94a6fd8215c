"""Python `if`, conditional expression, `assert`, `match` or comprehension condition on a traced value.

## What it does
Reports `if`, `elif`, a ternary, `assert`, `case` and the `if` of a comprehension whose condition is
traced. Conditions that Python knows while it traces are left alone: `x.shape[0] > 1`, `x is None`,
`isinstance(x, tuple)`, a static argument.

## Why is this bad
A traced function is run once for all values of its arguments, so there is no value to decide by: JAX
raises TracerBoolConversionError.

## Example
```python
@jax.jit
def clip(x, limit):
    if x > limit:
        return limit
    return x
```

## Use instead
```python
@jax.jit
def clip(x, limit):
    return jnp.where(x > limit, limit, x)
```

`jax.lax.cond` computes one of two branches, `jax.lax.switch` one of several.

## When to ignore
Where the function is only called with the argument concrete, and jaxlint cannot see it.

## Fix safety
Unsafe. Branches that return, or assign to one name, become `jnp.where`: it computes both values, gives
them one type and shape, and their gradients mix (a NaN in the value that is not chosen reaches the
gradient of the other). Branches of several statements, and what follows a branch that returns, become
functions for `jax.lax.cond`; chains of `elif` and `match` for `jax.lax.switch`. Both want all branches to
give the same shapes and dtypes. A `jax.debug.print` or `jax.debug.callback` that is all of an `if` goes into a
`jax.lax.cond`, both of whose sides `vmap` runs. There is no fix where a branch does more than compute, as appending to
a list, or where the values are known to differ in type. A condition inside of a `sum` counts 0 for
what it leaves out.

`assert` and `if …: raise` become `checkify.debug_check`, which checks only in functions that
`checkify.checkify` has transformed and otherwise does nothing; in files that use Equinox `eqx.error_if`; in
files with callbacks to the host, and where the message holds values that the others do not take, a callback
that raises the error when the program runs. Of `assert a and b` Python goes on deciding what it knows.

## References
- JAX documentation, "Control flow and logical operators with JIT"
  (https://docs.jax.dev/en/latest/control-flow.html)
- JAX documentation, "Errors": `TracerBoolConversionError` (https://docs.jax.dev/en/latest/errors.html)
- JAX documentation, "The checkify transformation"
  (https://docs.jax.dev/en/latest/debugging/checkify_guide.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import BranchOnTracer
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arrays.masks import masked_sum
from jaxlint.rewrite.control_flow.branches import cases, chain, effect, rewritten
from jaxlint.rewrite.control_flow.checked import assertion, refusal
from jaxlint.rewrite.control_flow.choice import choose
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_functions import one_round, while_loop
from jaxlint.rewrite.statements import keeps_comments
from jaxlint.rewrite.static_args.static_argument import how_to_make_concrete, static_fix, traced_flag
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX103",
    category=Category.FAILS,
    hazards=(BranchOnTracer,),
    error="TracerBoolConversionError",
    fixable="unsafe",
)

_WHERE = "Choose between values with `jnp.where`, or between computations with `jax.lax.cond`."
_HELP = {
    "if": _WHERE,
    "ternary": _WHERE,
    "assert": "Check with `checkify.debug_check`, or on the host with `jax.debug.callback`.",
    "comprehension": "Compute every element, and mask out the others with `jnp.where` and `{code}`.",
    "filter": "Compute every element, and mask out the others with `jnp.where`.",
    "match": "Compute the number of the case with `jnp`, and choose between computations with `jax.lax.switch`.",
}
_MESSAGE = {
    "if": "Python `if` on traced value `{code}`",
    "ternary": "Conditional expression on traced value `{code}`",
    "assert": "`assert` on traced value `{code}`",
    "comprehension": "Comprehension `if` on traced value `{code}`",
    "filter": "`filter()` with traced result of `{code}`",
    "match": "`case {code}` on a traced value",
}


def check(hazard: BranchOnTracer, file: File) -> Iterator[Finding]:
    form = hazard.form
    code = file.code(hazard.operand, 40)
    flag = traced_flag(hazard, file)
    help = how_to_make_concrete(hazard, file) if flag is not None else None
    fix = static_fix(flag, file) if flag is not None else _fix(hazard, file)
    yield Finding(hazard.site, _MESSAGE[form].format(code=code), help or _HELP[form].format(code=code), fix)


def _fix(hazard: BranchOnTracer, file: File) -> Fix | None:
    test = file.unit.nodes[hazard.site]
    if hazard.form in ("if", "ternary"):
        special = refusal(hazard, file) or _stopping(hazard, file)
        if special is not None:
            return special
        choice = chain(file, test, {each.site for each in file.model.of(BranchOnTracer)})
        chosen = choose(file, test)
        if choice is None or (chosen is not None and keeps_comments(file, chosen)):
            return chosen
        return rewritten(file, choice) or chosen or effect(file, test)
    if hazard.form == "match":
        return _of_match(file, test)
    if hazard.form == "assert":
        return assertion(hazard, file)
    return masked_sum(hazard, file)


def _of_match(file: File, pattern: ir.Node) -> Fix | None:
    """The fix for the `match` around a pattern, which is one for all of its cases."""
    node = next((above for above in file.unit.ancestors(pattern.site) if isinstance(above, ir.Match)), None)
    if node is None:
        return None

    def made() -> Fix | None:
        choice = cases(file, node)
        return rewritten(file, choice) if choice is not None else None

    return file.once("match", node.site, made)


def _stopping(hazard: BranchOnTracer, file: File) -> Fix | None:
    """`if traced: break` in a `while True` or a loop over a range, which becomes a `while_loop`."""
    node = file.unit.parent(hazard.site)
    loop = file.unit.parent(node.site) if isinstance(node, ir.If) else None
    if not isinstance(loop, (ir.For, ir.While)):
        return None
    each = one_round(loop)
    if (
        each is None
        or each.test is not None
        or not any(hazard.site == test.site for test in (each.first, each.last) if test)
    ):
        return None
    return while_loop(hazard, file, loop)
