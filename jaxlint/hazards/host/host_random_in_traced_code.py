"""NumPy or Python random numbers drawn once, at trace time.

## What it does
Reports `np.random.normal()`, `random.random()` and their like, `np.random.seed`, unseeded generators and draws from a
generator of outside, in code that JAX traces; not in a function without parameters that a script calls once. Under `vmap`
alone it reports numbers that are added to what is mapped or compared with it, and a single number that it is multiplied by.
A generator that is made there from a seed is left alone: it gives the same numbers each time, as the code says.

## Why is this bad
The call runs once, while the function is traced. What it gave is compiled in: every later call of a jitted function,
and every pass of a loop, computes with the same number. `vmap` calls its function once as well, for all elements of the batch.

## Example
```python
@jax.jit
def noisy(x):
    return x + np.random.normal(size=x.shape)
```

## Use instead
```python
@jax.jit
def noisy(x, key):
    return x + jax.random.normal(key, x.shape)
```

## When to ignore
Where a constant is wanted that is drawn once for each compiled version. Drawing it outside, and passing it, says so.

## Fix safety
Unsafe: the draw takes the key that the functions around hold and never read. Otherwise the fix is only shown: it draws with
`jax.random` and a key, which the functions on the way get as a parameter, and makes a key for each call that is seen where
the code runs as it stands. Where the program starts one seed is to be chosen for all of it; the numbers drawn change. There
is none where a call is not seen, in a Python loop of traced code, and for distributions that are called otherwise.

## References
- JAX documentation, "Sharp Bits", "Pure functions" and "Random numbers"
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.models.host_effects import HostRandomInTracedCode
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.drawn_with_keys import drawn_with_a_key
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX306",
    category=Category.WRONG,
    hazards=(HostRandomInTracedCode,),
    fixable="unsafe",
)

# Functions of `jax.random` for those that are called otherwise there.
_COUNTERPARTS = {
    "rand": "uniform", "random": "uniform", "random_sample": "uniform", "ranf": "uniform", "sample": "uniform",
    "randn": "normal", "standard_normal": "normal", "gauss": "normal", "normalvariate": "normal",
    "integers": "randint", "randrange": "randint", "shuffle": "permutation", "permuted": "permutation",
    "standard_exponential": "exponential", "expovariate": "exponential", "standard_gamma": "gamma",
    "gammavariate": "gamma", "betavariate": "beta", "choices": "choice", "getrandbits": "bits",
}  # fmt: skip


def check(hazard: HostRandomInTracedCode, file: File) -> Iterator[Finding]:
    called = file.called(hazard.site, hazard.api)
    name = (hazard.api or "").rpartition(".")[2]
    if hazard.shared:
        message = f"`{called}()` draws the same numbers for every element of `vmap`"
    elif name == "seed":
        message = f"`{called}()` runs once, at trace time"
    elif name[:1].isupper() or name == "default_rng":
        message = f"Unseeded generator `{called}()` is created at trace time"
    else:
        message = f"`{called}()` is evaluated once, at trace time"
    yield Finding(hazard.site, message, help=_help(name, file), fix=drawn_with_a_key(hazard, file))


def _help(name: str, file: File) -> str | None:
    counterpart = f"jax.random.{_COUNTERPARTS.get(name, name)}"
    if knowledge.facts(counterpart) is None:
        return "Pass a key to the function, and draw from it with `jax.random`."
    return f"Pass a key to the function, and draw with `{file.api(counterpart)[0]}`."
