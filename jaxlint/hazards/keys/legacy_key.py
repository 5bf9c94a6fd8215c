"""Legacy random key.

## What it does
Reports calls of `jax.random.PRNGKey`. The rule is opt-in.

## Why is this bad
`PRNGKey` gives an array of two `uint32` numbers. Nothing tells such a key from data: it can be added to,
indexed, or taken for a batch, and every mistake of that kind runs and draws bad numbers. A key made by
`jax.random.key` has a type of its own, with which such code fails, and knows its implementation.

## Example
```python
key = jax.random.PRNGKey(0)
```

## Use instead
```python
key = jax.random.key(0)
```

## When to ignore
Where keys are saved as plain arrays, given to a library that wants the old form, or where the code has to run on
releases before JAX 0.4.16.

## Fix safety
Unsafe: the draws are the same, but the key has shape `()` in place of `(2,)`. What takes it apart (`key[0]`,
`np.asarray(key)`, `key.shape`) has to use `jax.random.key_data`, and checkpoints hold another tree.

## References
- JAX documentation, "JEP 9263: Typed keys & pluggable RNGs": https://docs.jax.dev/en/latest/jep/9263-typed-keys.html
- JAX documentation, `jax.random`: https://docs.jax.dev/en/latest/jax.random.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.keys.consumption import LegacyKey
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none
from jaxlint.source.diagnostic import Category, Fix, ImportRequest

RULE = Rule(
    code="JAX407",
    category=Category.STYLE,
    hazards=(LegacyKey,),
    fixable="unsafe",
    on="opt-in",
)

_NO_IMPORTS: frozenset[ImportRequest] = frozenset()
_LEGACY = "jax.random.PRNGKey"


def check(hazard: LegacyKey, file: File) -> Iterator[Finding]:
    yield Finding(
        hazard.site,
        f"Legacy key `{file.code(hazard.site, 40)}`",
        help="Make a typed key with `jax.random.key`, and read its numbers with `jax.random.key_data`.",
        fix=_fix(file, file.unit.nodes[hazard.site]),
    )


@or_none
def _fix(file: File, call: ir.Node) -> Fix:
    # Under a transform the call is that of the transformed function.
    function, draft = known(_named(file, expect(ir.Call, call).func)), Draft(file)
    if isinstance(function, ir.Attribute) and function.attr == "PRNGKey":
        draft.replace(function.site, f"{file.code(function.value.site)}.key")
    else:
        draft.use(function.site, "jax.random.key")
    return draft.fix("Make a typed key", "it draws the same, but has another shape and dtype")


def _named(file: File, called: ir.Node) -> ir.Node | None:
    """The name of `PRNGKey`: what is called, or what the transform that is called was given."""
    if file.is_api(called.site, _LEGACY):
        return called
    return _named(file, called.args[0]) if isinstance(called, ir.Call) and called.args else None
