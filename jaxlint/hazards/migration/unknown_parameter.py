"""Unknown parameter of a function, or unknown option of `jax.config`.

## What it does
Reports keywords that no known release of the library takes (`jnp.sum(x, axs=0)`), of functions and of
array methods, arguments by position beyond those that any release takes (`nn.Sequential(nn.Dense(4), nn.relu)`, which
takes a list), and names of `jax.config` options that no release has. Functions that take any keyword are
left alone.

## Why is this bad
The call raises `TypeError`, the option `AttributeError`. In a branch that is seldom taken this shows late.

## Example
```python
import jax.numpy as jnp


def total(x):
    return jnp.sum(x, axs=0)
```

## Use instead
```python
import jax.numpy as jnp


def total(x):
    return jnp.sum(x, axis=0)
```

## When to ignore
Where the library is newer than the releases that jaxlint knows, and has the parameter.

## Fix safety
Unsafe: the nearest name is what was meant as a rule, and the call has never run. The layers of a `Sequential` become a
list.

## References
- JAX documentation, "API reference" (https://docs.jax.dev/en/latest/jax.html)
- JAX documentation, "Configuration options" (https://docs.jax.dev/en/latest/config_options.html)
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import NameUse, NameUsed, ParameterUse, ParameterUsed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.library_parameters import shown
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX805",
    category=Category.FAILS,
    hazards=(ParameterUsed, NameUsed),
    error="TypeError",
    fixable="unsafe",
)


# What other libraries call it.
_CALLED = {
    "dim": "axis",
    "dims": "axis",
    "keepdim": "keepdims",
    "keep_dims": "keepdims",
    "reduction_indices": "axis",
    "size": "shape",
}


def check(hazard: ParameterUsed | NameUsed, file: File) -> Iterator[Finding]:
    use = hazard.use
    if isinstance(use, ParameterUse) and use.how == "unknown":
        yield _keyword(hazard, file, use)
    elif isinstance(use, ParameterUse) and use.how == "surplus":
        yield _surplus(hazard, file, use)
    elif isinstance(use, NameUse) and use.status == "unknown":
        yield _option(hazard, file, use)


def _surplus(hazard: ParameterUsed | NameUsed, file: File, use: ParameterUse) -> Finding:
    """More arguments by position than a function takes, as `Sequential` of PyTorch does."""
    call = file.unit.parent(hazard.site)
    assert isinstance(call, ir.Call)
    number = [each.site for each in call.args].index(hazard.site)
    message = f"Extra positional argument {number + 1} of `{shown(hazard.api or '')}`, which takes {number}"
    parameters = knowledge.signature(hazard.api or "", use.releases.newest)
    if not parameters or parameters[0].name != "layers":
        return Finding(hazard.site, message, "Leave it out, or pass it by the name of its parameter.")
    start, end = file.outer_span(call.args[0].site)[0], file.outer_span(call.args[-1].site)[1]
    fix = Fix("Pass a list of the layers", (file.insert(start, "["), file.insert(end, "]")), changes=GUESSED)
    return Finding(hazard.site, message, "Pass a list of the layers.", fix)


def _keyword(hazard: ParameterUsed | NameUsed, file: File, use: ParameterUse) -> Finding:
    name = hazard.parameter or ""
    node = file.unit.nodes[hazard.site]
    call = file.unit.parent(hazard.site)
    assert isinstance(node, ir.Keyword) and isinstance(call, ir.Call)
    given = {keyword.name for keyword in call.keywords}
    parameters = [
        each for each in knowledge.signature(hazard.api or "", use.releases.newest) or () if each.kind != "star"
    ]
    by_position = {each.name for each in parameters[: len(call.args)]}
    free = [each.name for each in parameters if each.kind != "positional-only" and each.name not in given | by_position]
    message = f"Unknown parameter `{name}` of `{shown(hazard.api or '')}`"
    called = _CALLED.get(name)
    nearest = called if called in free else _nearest(name, free)
    if nearest is None:
        return Finding(hazard.site, message, f"Use one of {_listed(free)}." if free else None)
    start = file.span(hazard.site)[0]
    fix = Fix(f"Write `{nearest}=`", (Edit(start, start + len(name), nearest),), changes=GUESSED)
    return Finding(hazard.site, message, f"Did you mean `{nearest}`?", fix)


def _option(hazard: ParameterUsed | NameUsed, file: File, use: NameUse) -> Finding:
    name = use.history.name
    message = f"Unknown option `{name}` of `jax.config`"
    nearest = _nearest(name.lower(), knowledge.options())
    if nearest is None:
        return Finding(hazard.site, message, "Look up the name in the list of JAX options.")
    node = file.unit.nodes[hazard.site]
    start, end = file.span(hazard.site)
    if isinstance(node, ir.Attribute):
        edit: Edit | None = Edit(end - len(name), end, nearest)
    else:
        at = file.code(hazard.site).find(name)
        edit = Edit(start + at, start + at + len(name), nearest) if at >= 0 else None
    # `jax_enable_x32` is no slip of the pen for `jax_enable_x64`, which does the contrary.
    same = sorted(re.findall(r"\d", name)) == sorted(re.findall(r"\d", nearest))
    fix = None if edit is None or not same else Fix(f"Write `{nearest}`", (edit,), changes=GUESSED)
    return Finding(hazard.site, message, f"Did you mean `{nearest}`?", fix)


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """The name with the same words in another order, or the most like one."""
    found = [each for each in known if sorted(each.split("_")) == sorted(name.split("_"))]
    found = found or difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return found[0] if found else None


def _listed(names: Sequence[str]) -> str:
    shown = [f"`{name}`" for name in names[:8]]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")
