"""Key of `hk.next_rng_key()` shared by every element or step of a mapped function or loop.

## What it does
Reports `jax.vmap`, `jax.lax.scan`, `jax.lax.fori_loop` and the like inside of `hk.transform`, where the function that
they map or repeat draws numbers with a key of `hk.next_rng_key()`. A key that is made different for each element, with
`jax.random.fold_in`, is not reported.

## Why is this bad
JAX traces the function once, so `hk.next_rng_key()` runs once: every element and every step gets the same key, and
draws the same numbers. Dropout has one mask for the whole batch.

## Example
```python
def net(rows):
    return jax.vmap(lambda row: hk.dropout(hk.next_rng_key(), 0.5, row))(rows)
```

## Use instead
```python
def net(rows):
    thin = hk.vmap(lambda row: hk.dropout(hk.next_rng_key(), 0.5, row), split_rng=not hk.running_init())
    return thin(rows)
```

`split_rng=True` alone fails while parameters are made. `hk.scan`, `hk.map` and `hk.fori_loop` split the key by themselves.

## When to ignore
Where all elements are to have the same noise. Draw the key outside of the mapped function, which says so.

## Fix safety
Unsafe: the numbers that are drawn change, which is the point.

## References
- Haiku documentation, "hk.vmap" (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.vmap)
- Haiku documentation, "Limitations of nesting JAX functions and Haiku modules"
  (https://dm-haiku.readthedocs.io/en/latest/notebooks/transforms.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.haiku import HaikuKeyShared
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.haiku_fixes import VERSIONS, haiku_version
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX604",
    category=Category.WRONG,
    hazards=(HaikuKeyShared,),
    fixable="unsafe",
)


def check(hazard: HaikuKeyShared, file: File) -> Iterator[Finding]:
    api = hazard.api or ""
    short = api.removeprefix("jax.")
    drawn = file.code(hazard.operand, 40)
    each = "step" if short in ("lax.scan", "lax.fori_loop", "lax.while_loop") else "element"
    keyword = "split_rng=not hk.running_init()" if api == "jax.vmap" else ""
    fix = None
    advice = f"Draw the keys outside, `keys = jax.random.split({drawn}, n)`, and pass one to each {each}."
    if api in VERSIONS:
        name, _ = file.api(VERSIONS[api][0])
        advice = f"Use `{name}`{f' with `{keyword}`' if keyword else ''}, for a separate key in each {each}."
        fix = haiku_version(file, hazard.site, api, NUMBERS_DRAWN, keyword) or _decorator(hazard, file, keyword)
    yield Finding(
        hazard.site,
        f"Key `{drawn}` shared by every {each} of `{short}`",
        advice,
        fix,
        also=(("the key is drawn here, once", hazard.operand),),
    )


@or_none
def _decorator(hazard: HaikuKeyShared, file: File, keyword: str) -> Fix:
    """`@partial(hk.vmap, split_rng=not hk.running_init())` for `@jax.vmap`."""
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    above = expect(ir.Function, file.unit.parent(hazard.site))
    require(keyword and isinstance(node, (ir.Name, ir.Attribute)) and any(each is node for each in above.decorators))
    name, running = draft.api(VERSIONS[hazard.api or ""][0]), draft.call("haiku.running_init")
    draft.replace(node.site, draft.call("functools.partial", name, f"split_rng=not {running}"))
    return draft.fix(f"Use `{name}`", NUMBERS_DRAWN)
