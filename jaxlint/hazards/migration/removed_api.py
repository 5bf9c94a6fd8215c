"""Removed name of JAX or one of its libraries.

## What it does
Reports functions, classes, modules and options of `jax.config` that are gone in a release the code must
run on: `jax.tree_map`, `from jax.experimental import maps`, `jnp.DeviceArray` … They are reported once:
where they are imported or, reached as an attribute, where they are used. The same goes for Flax, Haiku,
Optax, Equinox and Chex.

Which releases count says `target-jax` in `[tool.jaxlint]` or `--target-jax`, with a specifier such as
`>=0.4.30`. By default it is what the project declares as its dependency, and without that the newest
release that jaxlint knows. For the other libraries the declared dependency counts in the same way.

Names of the project's own that have moved are reported as well where `migrations` in `[tool.jaxlint]` says what
they are now: `migrations = {"mylib.old_name" = "mylib.new_name"}`.

Code that asks first is silent: `try: … except ImportError:`, `hasattr(jax, "tree_map")`,
`getattr(jax, "tree_map", None)`, a comparison with `jax.__version__`, `TYPE_CHECKING`. Of a comparison of
`jax.__version_info__` with a version the branches are judged for the releases that reach them.

## Why is this bad
The import fails with an `ImportError`, the attribute with an `AttributeError`, on each release without the
name.

## Example
```python
import jax


def halve(params):
    return jax.tree_map(lambda p: p / 2, params)
```

## Use instead
```python
import jax


def halve(params):
    return jax.tree.map(lambda p: p / 2, params)
```

## When to ignore
In code for one older release; better, say so: `target-jax = "==0.4.24"`.

## Fix safety
Safe where the new name is the same function, class or module, or one that gives the same values; it is
only offered where all releases aimed at have it. What was imported is imported from its new place, and an
import that nothing uses any more is taken out. Names that other modules may import from this one keep being
there. Unsafe where arguments are to be named or the result has another type.

## References
- JAX documentation, "Change log" (https://docs.jax.dev/en/latest/changelog.html)
- JAX documentation, "API compatibility" (https://docs.jax.dev/en/latest/api_compatibility.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import NameUsed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.library_parameters import admitted, instead, shown
from jaxlint.rewrite.names.moves import name_fix
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX801",
    category=Category.FAILS,
    hazards=(NameUsed,),
    error="AttributeError",
    fixable="safe",
)


def check(hazard: NameUsed, file: File) -> Iterator[Finding]:
    use = hazard.use
    if use is None or use.status not in ("gone", "moved"):
        return
    history = use.history
    if use.status == "moved" and history.replacement is not None:
        message = f"`{history.name}` renamed to `{history.replacement.name}` in `migrations` of this project"
        yield Finding(hazard.site, message, instead(use), name_fix(file, hazard))
        return
    what = f"`{shown(history.name)}`" if history.kind != "option" else f"Option `{history.name}` of `jax.config`"
    since = f"in {history.package} {history.removed}" if history.removed else f"from {history.package}"
    message = f"{what} was removed {since}{admitted(use.releases, history.removed)}"
    yield Finding(hazard.site, message, instead(use), name_fix(file, hazard))
