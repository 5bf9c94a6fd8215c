"""Deprecated name or parameter of JAX or one of its libraries.

## What it does
Reports functions, classes, modules, parameters and options of `jax.config` that warn in the newest release
the code must run on, and are still there in all of them. Which releases count, and what is silent, is as for
`removed-api`: `target-jax`, or what the project declares.

## Why is this bad
JAX removes what it deprecates, as a rule three to six months later. The warning is easily missed: Python
shows a `DeprecationWarning` only where it is caused by the main module or under test.

## Example
```python
import jax
import jax.numpy as jnp


def on_all(x):
    return jax.device_put_replicated(x, jax.devices())
```

## Use instead
```python
import jax
import jax.numpy as jnp


def on_all(x):
    mesh = jax.make_mesh((jax.device_count(),), ("d",))
    copies = jnp.stack([x] * jax.device_count())
    return jax.device_put(copies, jax.NamedSharding(mesh, jax.P("d")))
```

## When to ignore
In code that is bound to its release of JAX.

## Fix safety
As for `removed-api`.

## References
- JAX documentation, "API compatibility" (https://docs.jax.dev/en/latest/api_compatibility.html)
- JAX documentation, "Change log" (https://docs.jax.dev/en/latest/changelog.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import NameUsed, ParameterUsed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.library_parameters import argument_fix, help_for, instead, shown
from jaxlint.rewrite.names.moves import name_fix
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX802",
    category=Category.STYLE,
    hazards=(NameUsed, ParameterUsed),
    error="DeprecationWarning",
    fixable="safe",
)


def check(hazard: NameUsed | ParameterUsed, file: File) -> Iterator[Finding]:
    if isinstance(hazard, ParameterUsed):
        if hazard.use.how == "deprecated":
            since = f"{hazard.use.releases.package} {hazard.use.history.deprecated}"
            message = f"Parameter `{hazard.parameter}` of `{shown(hazard.api or '')}` is deprecated since {since}"
            yield Finding(hazard.site, message, help_for(hazard.use), argument_fix(file, hazard))
    elif hazard.use is not None and hazard.use.status == "deprecated":
        use = hazard.use
        history = use.history
        gone = f", removed in {history.removed}" if history.removed and history.package else ""
        message = f"`{shown(history.name)}` is deprecated since {history.package} {history.deprecated}{gone}"
        yield Finding(hazard.site, message, instead(use), name_fix(file, hazard))
