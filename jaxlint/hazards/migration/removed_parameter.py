"""Removed parameter, or argument passed by name or position where it no longer can be.

## What it does
Reports keywords that were removed or renamed (`jnp.clip(x, a_min=0.0)`), keywords of parameters that are
positional-only (`jnp.where(c, x=a, y=b)`), and arguments passed by position whose parameters are now
keyword-only. Methods of arrays count as well. Which releases count says `target-jax`, or what the project
declares. Functions that take any keyword are left alone.

## Why is this bad
The call raises `TypeError` on each release that does not take the argument.

## Example
```python
import jax.numpy as jnp


def relu6(x):
    return jnp.clip(x, a_min=0.0, a_max=6.0)
```

## Use instead
```python
import jax.numpy as jnp


def relu6(x):
    return jnp.clip(x, min=0.0, max=6.0)
```

## When to ignore
In code for one older release; better, say so: `target-jax = "==0.4.24"`.

## Fix safety
Safe where a parameter has another name and the same meaning, or only has to be passed by name or by
position. Unsafe where the change log says less than that.

## References
- JAX documentation, "Change log" (https://docs.jax.dev/en/latest/changelog.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import ParameterUse, ParameterUsed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.library_parameters import admitted, argument_fix, help_for, shown
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX803",
    category=Category.FAILS,
    hazards=(ParameterUsed,),
    error="TypeError",
    fixable="safe",
)


def check(hazard: ParameterUsed, file: File) -> Iterator[Finding]:
    use: ParameterUse = hazard.use
    history, package = use.history, use.releases.package
    what = f"Parameter `{hazard.parameter}` of `{shown(hazard.api or '')}`"
    if use.how == "gone":
        since = f" in {package} {history.removed}" if history.removed else ""
        message = f"{what} was removed{since}{admitted(use.releases, history.removed)}"
    elif use.how == "positional-only":
        since = f" since {package} {history.became_in}" if history.became == use.how else ""
        message = f"{what} is positional-only{since}"
    elif use.how == "keyword-only":
        since = f" since {package} {history.became_in}" if history.became == use.how else ""
        message = f"{what} is keyword-only{since}"
    else:
        return
    yield Finding(hazard.site, message, help_for(use), argument_fix(file, hazard))
