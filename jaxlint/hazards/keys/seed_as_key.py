"""Integer passed as a random key, or a key as the streams of NNX.

## What it does
Reports calls of `jax.random` functions and initializers whose key is an integer: `jax.random.normal(0)`,
`jax.random.split(seed)`. Also layers of Flax NNX that are given a key or an integer for `rngs`: `nnx.Linear(2, 3, rngs=key)`.

## Why is this bad
NumPy's generators are made from a seed; JAX's functions draw from a key, which `jax.random.key` makes of
a seed. The call raises `TypeError: JAX encountered invalid PRNG key data`. A layer of NNX asks `rngs` for a stream, such as
`rngs.params`, which keys and integers do not have: it raises `AttributeError`.

## Example
```python
noise = jax.random.normal(0, (3,))
```

## Use instead
```python
noise = jax.random.normal(jax.random.key(0), (3,))
```

Make one key for the program, and split it for each use.

## When to ignore
Never: the call raises an error, in traced code and outside of it.

## Fix safety
The fix makes a key of the integer in place. It is unsafe: each time the same integer comes, the same
numbers are drawn. A key that is handed in is better. Streams are made of what is passed, `nnx.Rngs(key)`,
by the first caller where the key is a parameter.

## References
- JAX documentation, "Pseudorandom numbers": https://docs.jax.dev/en/latest/random-numbers.html
- jax.random.key: https://docs.jax.dev/en/latest/_autosummary/jax.random.key.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.refusals import RefusedArgument
from jaxlint.analysis.domain import values as v
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import parameter_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.calls import first_passed
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, require
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX413",
    category=Category.FAILS,
    hazards=(RefusedArgument,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: RefusedArgument, file: File) -> Iterator[Finding]:
    if hazard.form == "rngs":
        yield _streams(hazard, file)
    if hazard.form != "seed":
        return
    call = file.unit.nodes[hazard.site]
    key, imports = file.api("jax.random.key")
    if not isinstance(call, ir.Call) or hazard.operand not in [
        arg.site for arg in ir.passed_values(call)
    ]:  # the function, or what calls it, holds the integer
        yield Finding(
            hazard.site,
            f"Integer passed as key to `{hazard.api}`",
            help=f"Make a key once, with `{key}`, and split it for each use.",
        )
        return
    called, operand = file.code(call.func.site, 40), file.code(hazard.operand, 40)
    text = f"{key}({operands.argument(file, hazard.operand)})"
    edit = Edit(*file.outer_span(hazard.operand), text)
    yield Finding(
        hazard.site,
        f"Integer `{operand}` passed as key to `{called}`",
        help=f"Make a key once, `{key}({operand})`, and split it for each use.",
        fix=Fix(
            f"Draw from `{key}({operand})`",
            (edit,),
            imports=imports,
            changes="the same integer gives the same numbers",
        ),
    )


def _streams(hazard: RefusedArgument, file: File) -> Finding:
    """`nnx.Linear(2, 3, rngs=key)`"""
    operand = file.code(hazard.operand, 40)
    made = file.api("flax.nnx.Rngs")[0]
    message = f"Key `{operand}` passed as `rngs` to `{hazard.api}`"
    if type(hazard.value) is v.Const:
        message = f"Integer `{operand}` passed as `rngs` to `{hazard.api}`"
    help = f"Pass streams: `{made}({operand})`, made once for the whole model."
    if _parameter(file, file.unit.nodes[hazard.operand]):
        help = f"Pass streams from where the key is made: `{made}(key)`."
    return Finding(hazard.site, message, help, _made_of_key(hazard, file))


@or_none
def _made_of_key(hazard: RefusedArgument, file: File) -> Fix:
    """`nnx.Rngs(key)` where the key is passed first: what is handed on to several layers is made once for all of them."""
    home, key = first_passed(file, hazard)
    require(not _parameter(home, key))
    draft = Draft(home)
    made = f"{draft.api('flax.nnx.Rngs')}({operands.argument(home, key.site)})"
    draft.replace_whole(key.site, made)
    return file.placed(draft.fix(f"Pass `{made}`", "layers that are made with one key begin alike"), key.site)


def _parameter(file: File, node: ir.Node) -> ir.Parameter | None:
    return parameter_of(file.unit.scope(node.site), node.id) if isinstance(node, ir.Name) else None
