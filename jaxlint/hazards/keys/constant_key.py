"""Constant key in code that runs repeatedly.

## What it does
Reports `jax.random.key(0)` whose key is drawn from or split, where the code is compiled by `jit`, or stands in a
`while` loop or a `for` loop over `range`. In the bodies of `scan`, `fori_loop` and `vmap` JAX404 reports it. Also where a
function draws numbers in the shape of an argument, `jax.random.normal(jax.random.key(0), x.shape)`, and one run of its caller
calls it with different arguments: in a loop or comprehension, or at two places. A key that dropout draws from is reported by
JAX404.

## Why is this bad
The key is the same each time, and so are the numbers: a jitted step adds the same noise in every call, every pass
of a loop repeats the first.

## Example
```python
@jax.jit
def noisy(x):
    key = jax.random.key(0)
    return x + jax.random.normal(key, x.shape)
```

## Use instead
```python
@jax.jit
def noisy(x, key):
    return x + jax.random.normal(key, x.shape)
```

## When to ignore
Where the same numbers are wanted each time: fixed projections, comparisons on equal noise. A key that something is
folded into is left alone. Off in test files and benchmarks.

## Fix safety
Unsafe: the numbers drawn change. In a loop the key is made above it and split in each pass; a function that `vmap` or `scan`
runs gets a key for each element; another function gets a parameter, for which each call in the file passes a key made of
another seed. The last is only shown where callers elsewhere may have to change, and there is no fix where a call is not in
sight or stands in a loop.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Api
from jaxlint.analysis.keys.constant_keys import ConstantKey
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_target
from jaxlint.rewrite.calls import add_parameter
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.own_keys import another_key, drawn_for_each, is_of_module, made_beside, own_keys
from jaxlint.rewrite.requirements import known, or_none, require
from jaxlint.rewrite.statements import removed
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX405",
    category=Category.WRONG,
    hazards=(ConstantKey,),
    on="preview",
    status="preview",
    in_tests=False,
    fixable="unsafe",
)

_REPEATING = {
    "jax.vmap": "vmap", "jax.lax.scan": "lax.scan", "jax.lax.map": "lax.map", "jax.lax.fori_loop": "lax.fori_loop",
}  # fmt: skip


def check(hazard: ConstantKey, file: File) -> Iterator[Finding]:
    yield Finding(
        hazard.site,
        f"Constant key `{file.code(hazard.site, 40)}`; every run draws the same numbers",
        help="Make the key once, outside, and pass a new key to each run, from `jax.random.split` or `fold_in`.",
        fix=_fix(file, hazard.site),
    )


def _fix(file: File, made: int) -> Fix | None:
    """The key is made outside of what runs again, or comes in as an argument."""
    below: ir.Node = file.unit.nodes[made]
    for above in file.unit.ancestors(made):
        if isinstance(above, (ir.For, ir.While)) and any(below is each for each in above.body):
            return made_beside(file, above, made)
        if isinstance(above, ir.Comprehension):
            return drawn_for_each(file, above, made)
        if isinstance(above, ir.Function):
            return _inside(file, above, made) or _passed(file, above, made)
        below = above
    return None


def _inside(file: File, function: ir.Function, made: int) -> Fix | None:
    """The function is given to a transform that runs it for many elements."""
    taken = file.unit.parent(function.site)
    for node in file.unit.own:
        if isinstance(node, ir.Call) and node.args:
            names = {value.name for value in file.values(node.func.site) if type(value) is Api}
            how = _REPEATING.get(names.pop() if len(names) == 1 else "")
            given = node.args[2 if how == "lax.fori_loop" and len(node.args) > 2 else 0]
            named = type(given) is ir.Name and given.id == function.name and type(taken) is ir.Define
            if how and (given is taken or named):
                return own_keys(file, node.site, how, made)
    return None


@or_none
def _passed(file: File, function: ir.Function, made: int) -> Fix:
    """A parameter in the place of the key, for which each call passes a key of its own."""
    statement, name, gone = file.unit.statement(made), "key", None
    target = only_target(statement) if isinstance(statement, ir.Assign) and statement.value.site == made else None
    if isinstance(target, ir.Name):
        name = target.id
        gone = removed(file, statement) if len(bindings(function, name)) == 1 else None
    require(gone is not None or name not in function.locals)
    returned = statement.value if isinstance(statement, ir.Return) else None
    require((returned is None or returned.site != made) and is_of_module(file, made))
    calls: list[ir.Call] = []

    def argument(call: ir.Call) -> str | None:
        calls.append(call)
        return another_key(file, made, call, len(calls) - 1)

    change = known(add_parameter(file, function, name, argument, rebinds=gone is not None))
    edits = (*change.edits, gone or file.replace(made, name))
    level = change.level if calls else Applicability.DISPLAY
    title = f"Take `{name}` as an argument, another key in each call"
    return Fix(title, edits, level, changes=NUMBERS_DRAWN)
