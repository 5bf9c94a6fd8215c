"""Compiled method with a traced `self`, or a static `self` that changes later.

## What it does
Reports `@jax.jit` on a method of a plain class where `self` is not among the static arguments, and calls of a method whose
`self` is static after an attribute that it reads has changed. Where no such call is seen, the read of an attribute is
reported that another method computes anew from its old value, or after it has called the compiled method, and of one that a
loop around the calls sets in each pass. Classes that are registered as pytrees, modules of Flax, Haiku and Equinox, and
classes made to be inherited from are not reported.

## Why is this bad
To `jax.jit`, `self` is an argument, and a plain object is none it can trace: the call raises a `TypeError`.
Where `self` is static, it is looked up by its hash, which does not change with its attributes: the call
runs what was compiled for the old ones, and says nothing.

## Example
```python
class Model:
    def __init__(self, weights):
        self.weights = weights

    @jax.jit
    def predict(self, x):
        return x @ self.weights
```

## Use instead
```python
class Model:
    def __init__(self, weights):
        self.weights = weights

    def predict(self, x):
        return _predict(self.weights, x)


@jax.jit
def _predict(weights, x):
    return x @ weights
```

## When to ignore
Where the object is registered as a pytree in another file.

## Fix safety
`static_argnums=0` is unsafe: attributes become constants of the compiled function, and what they are changed to
later is ignored. It is not applied where the file is seen to change one. Where static arguments are numbered already they are taken to be counted
without `self`. A dataclass of arrays is registered as a pytree, which is unsafe, and displayed where it holds numbers as well,
which may be settings. An attribute that changes becomes an argument of the method, which is unsafe, or displayed where other files may call the method.

## References
- JAX documentation, "Frequently asked questions", How to use `jit` with methods: https://docs.jax.dev/en/latest/faq.html
- JAX documentation, "Pytrees", custom pytree nodes: https://docs.jax.dev/en/latest/custom_pytrees.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.static_self import JitMethodWithoutStaticSelf
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.static_args.static_argument import compiled_self
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX504",
    category=Category.FAILS,
    hazards=(JitMethodWithoutStaticSelf,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: JitMethodWithoutStaticSelf, file: File) -> Iterator[Finding]:
    name, cls = hazard.function.name, hazard.cls.definition.name
    if hazard.attribute is not None and hazard.compiled is not None:
        yield Finding(
            hazard.site,
            f"Stale value of `{hazard.attribute}` in compiled method `{name}`",
            f"Pass `{hazard.attribute}` as an argument, or make `{cls}` a pytree; static `self` is compared by identity.",
            compiled_self(hazard, file),
            also=((f"`{name}` was compiled here", hazard.compiled),),
        )
        return
    if hazard.attribute is not None and hazard.changed is not None:
        yield Finding(
            hazard.site,
            f"Attribute `{hazard.attribute}` of compiled method `{name}` is changed between its calls",
            f"Pass `{hazard.attribute}` as an argument, or make `{cls}` a pytree; static `self` is compared by identity.",
            compiled_self(hazard, file),
            also=((f"`{hazard.attribute}` changes here", hazard.changed),),
        )
        return
    yield Finding(
        hazard.site,
        f"Traced `self` of `{name}`: `{cls}` is not a pytree",
        f"Compile a function of the attributes that `{name}` reads, or register `{cls}` (`jax.tree_util.register_dataclass`).",
        compiled_self(hazard, file),
    )
