"""Haiku module, parameter or key used outside `hk.transform`.

## What it does
Reports `hk.Linear(…)` and other modules that are made, `hk.get_parameter`, `hk.next_rng_key`, `hk.scan` and the like,
where the code certainly runs outside of `hk.transform`: at module level, in a class body or a default, and in functions
that are called from there. A function that only others call may run inside of a transform, and is not reported.

## Why is this bad
Haiku keeps parameters, state and keys for the function that `hk.transform` was given, while `init` or `apply` runs it.
CrossFileDiagnostic there is nothing to keep them in, and Haiku raises `ValueError`.

## Example
```python
layer = hk.Linear(3)
y = layer(x)
```

## Use instead
```python
def forward(x):
    return hk.Linear(3)(x)

model = hk.transform(forward)
params = model.init(key, x)
y = model.apply(params, key, x)
```

## When to ignore
Where the call is meant to raise.

## Fix safety
Unsafe: a module that is given to `hk.transform` is made in a lambda, and one that `__init__` keeps in the one
method that uses it. Else the fix is only shown: the function that is called is
transformed, with parameters made right there, of a key of seed 0; where they are made and kept is a matter of design. There is
none for defaults and other attributes that hold a module.

## References
- Haiku documentation, "Haiku Fundamentals", "hk.transform" (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.transform)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.haiku import HaikuOutsideTransform
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.haiku_fixes import transformed
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX603",
    category=Category.FAILS,
    hazards=(HaikuOutsideTransform,),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: HaikuOutsideTransform, file: File) -> Iterator[Finding]:
    code = file.code(hazard.site, 40)
    calls = [site for site in hazard.chain if site != hazard.site]
    yield Finding(
        hazard.site,
        f"`{code}` used outside `hk.transform`",
        "Move it into a function `f`, and call `model.init(key, …)` and `model.apply(params, key, …)` of"
        " `model = hk.transform(f)`.",
        transformed(file, hazard.site, hazard.api or "", hazard.chain),
        also=(("called from here, outside `hk.transform`", calls[0]),) if calls else (),
    )
