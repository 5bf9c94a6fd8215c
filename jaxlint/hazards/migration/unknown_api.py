"""Unknown name in JAX, or attribute that objects of its libraries lack.

## What it does
Reports attributes of `jax` and of its modules (`jax.numpy`, `jax.numpy.linalg`, `jax.numpy.fft`, `jax.nn`,
`jax.lax`, `jax.random`, `jax.scipy` and those below it, `jax.tree`, `jax.tree_util`, `jax.debug`, `jax.image`,
`jax.ops`), and names imported from them, that no known release has. Names that were removed are JAX801. Likewise attributes of optimisers of Optax (`opt.step`), of layers of
Flax and Equinox, of modules of the project that derive from theirs (`model.params`), and of what `hk.transform` gives, where no
release has them and nothing in the project sets them; and `hyperparams` of a tuple of states of optimisers.

## Why is this bad
It raises `AttributeError`, or `ImportError` where it is imported: the name is another library's, or
misspelt. In a function that is seldom called this shows late.

## Example
```python
import jax.numpy as jnp


def join(x, y):
    return jnp.cat([x, y])
```

## Use instead
```python
import jax.numpy as jnp


def join(x, y):
    return jnp.concatenate([x, y])
```

## When to ignore
Where JAX is newer than the releases that jaxlint knows, and has the name.

## Fix safety
Unsafe: the name that is nearest, or has the meaning in another library, is what was meant as a rule, and
the code has never run. Files are read and written by NumPy. `jnp.random` has no fix: its functions need a key.

## References
- JAX documentation, "API reference": https://docs.jax.dev/en/latest/jax.html
- JAX documentation, `jax.numpy`: https://docs.jax.dev/en/latest/jax.numpy.html
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.checkers.library_attributes import UnknownAttribute
from jaxlint.analysis.checkers.unknown_names import UnknownApi
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import ARRAY_OF_32_BITS, GUESSED, ON_HOST
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import call_of, expect, or_none, require
from jaxlint.source import spelling
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX806",
    category=Category.FAILS,
    hazards=(UnknownApi, UnknownAttribute),
    error="AttributeError",
    fixable="unsafe",
)
# What other libraries call it.
_CALLED = {
    "cat": "concatenate", "clamp": "clip", "tensor": "array", "permute": "transpose", "unsqueeze": "expand_dims",
    "mm": "matmul", "bmm": "matmul", "reduce_sum": "sum", "reduce_mean": "mean", "reduce_max": "max", "reduce_min": "min",
    "inverse": "linalg.inv", "absolute_value": "abs", "randn": "normal", "rand": "uniform", "standard_normal": "normal",
}  # fmt: skip
_BUILTINS = frozenset({"float", "int", "complex", "object", "str"})
# Where a name may stand that is looked for in the wrong module, the likeliest first.
_PLACES = (
    "jax.numpy",
    "jax.nn",
    "jax.numpy.linalg",
    "jax.scipy.special",
    "jax.lax",
    "jax.random",
    "jax.tree_util",
    "jax",
)
_ADVICE = {
    "jax.numpy.random": "Draw numbers with `jax.random` and a key: `jax.random.normal(key, shape)`.",
    "jax.numpy.matrix": "Use a 2-d array, and multiply with `@`.",
    "jax.numpy.loadtxt": "Read the file with `numpy.loadtxt`, and convert the result to an array.",
    "jax.numpy.genfromtxt": "Read the file with `numpy.genfromtxt`, and convert the result to an array.",
    "jax.numpy.savetxt": "Write the file with `numpy.savetxt`.",
    "jax.numpy.testing": "Compare with `numpy.testing`, which accepts JAX arrays.",
    "jax.nn.dropout": "Use the layer of a library, such as `flax.nnx.Dropout`.",
}  # fmt: skip


def check(hazard: UnknownApi | UnknownAttribute, file: File) -> Iterator[Finding]:
    if type(hazard) is UnknownAttribute:
        yield _of_object(hazard, file)
        return
    assert type(hazard) is UnknownApi
    dotted = f"{hazard.module}.{hazard.name}"
    message = f"Unknown name `{dotted}`"
    advice = _ADVICE.get(dotted)
    if advice is not None:
        yield Finding(hazard.site, message, advice, _by_numpy(hazard, file))
        return
    candidates = _meant(hazard)
    if not candidates:
        yield Finding(hazard.site, message, f"Look up the name in `{hazard.module}`.")
        return
    asked = f"Did you mean {' or '.join(f'`{name}`' for name, _ in candidates)}?"
    meant = candidates[0][0]
    if len({likeness for _, likeness in candidates}) < len(candidates):  # which of the two, nobody can say
        yield Finding(hazard.site, message, asked)
        return
    node = file.unit.nodes[hazard.site]
    fix: Fix | None = None
    if isinstance(node, ir.Attribute):
        builtin = meant in _BUILTINS and getattr(builtins, meant, None) is not None
        text, imports = (meant, frozenset()) if builtin else file.api(meant)
        if not (builtin and meant in file.unit.module.locals):
            fix = Fix(f"Write `{text}`", (file.replace(hazard.site, text),), imports=imports, changes=GUESSED)
    elif isinstance(node, ir.Alias):
        fix = _imported(file, node, meant)
    yield Finding(hazard.site, message, asked, fix)


# What is meant by attributes that optimisers and modules of other libraries have.
_OF_OBJECTS = {
    ("optax.GradientTransformationExtraArgs", "step"):
        "Call `updates, state = {0}.update(grads, state, params)` and `optax.apply_updates(params, updates)`.",
    ("flax.linen.Module", "params"): "The parameters are what `{0}.init` gives: `variables[\"params\"]`.",
    ("flax.linen.Module", "parameters"): "The parameters are what `{0}.init` gives: `variables[\"params\"]`.",
    ("flax.nnx.Module", "parameters"): "Call `nnx.state({0}, nnx.Param)`.",
    ("equinox.Module", "parameters"): "Call `eqx.filter({0}, eqx.is_array)`.",
    ("optax.OptState", "hyperparams"):
        "Make the optimiser with `optax.inject_hyperparams`; in the state of a chain, take the part that is its own.",
    ("haiku.Transformed", "params"): "The parameters are what `{0}.init` gives.",
}  # fmt: skip


def _of_object(hazard: UnknownAttribute, file: File) -> Finding:
    """`opt.step(grads)`, `model.params`, `layer.kernels`."""
    attr, shown = (hazard.api or "").removeprefix("."), file.code(hazard.operand, 40)
    message = f"Unknown attribute `{attr}` of {hazard.owner} `{shown}`"
    library = hazard.base.rpartition(".")[0]
    shared = "equinox.Module" if library.startswith("equinox") else f"{library}.Module"
    advice = _OF_OBJECTS.get((hazard.base, attr)) or _OF_OBJECTS.get((shared, attr))
    if advice is not None:
        return Finding(hazard.site, message, advice.format(shown))
    meant = spelling.nearest(attr, sorted(knowledge.attributes(hazard.base) - {""}))
    node = file.unit.nodes[hazard.site]
    if meant is None or not isinstance(node, ir.Attribute):
        return Finding(hazard.site, message, f"Look up what a `{hazard.owner}` has.")
    edit = file.replace(hazard.site, f"{file.code(node.value.site)}.{meant}")
    return Finding(hazard.site, message, f"Did you mean `{meant}`?", Fix(f"Write `{meant}`", (edit,), changes=GUESSED))


@or_none
def _imported(file: File, alias: ir.Alias, meant: str) -> Fix:
    """The import of the name that was meant, under the name that the code uses."""
    statement, (module, _, last) = expect(ir.ImportFrom, file.unit.parent(alias.site)), meant.rpartition(".")
    require(module and not statement.level and len(statement.aliases) == 1)
    local = alias.asname or alias.name
    text = f"from {module} import {last}" + (f" as {local}" if local != last else "")
    return Fix(f"Import `{meant}`", (file.replace(statement.site, text),), changes=GUESSED)


@or_none
def _by_numpy(hazard: UnknownApi, file: File) -> Fix:
    """What only NumPy does, done by NumPy: a file is read into an array of JAX."""
    node, name, draft = expect(ir.Attribute, file.unit.nodes[hazard.site]), hazard.name, Draft(file)
    require(hazard.module == "jax.numpy")
    if name in ("savetxt", "testing"):
        return using(file, node.site, f"numpy.{name}", ON_HOST)
    require(name in ("loadtxt", "genfromtxt"))
    call, said = call_of(file, node), draft.api(f"numpy.{name}")
    start, end = file.span(call.site)
    draft.edits.append(Edit(start, file.span(node.site)[1], f"{draft.api('jax.numpy.asarray')}({said}"))
    draft.insert(end, ")")
    return draft.fix(f"Read it with `{said}`", ARRAY_OF_32_BITS)


def _meant(hazard: UnknownApi) -> list[tuple[str, float]]:
    """The one or two names that may have been meant, as far as that can be guessed, each with its likeness."""
    if hazard.module == "jax.numpy" and hazard.name in _BUILTINS:
        return [(hazard.name, 1.0)]
    for name in (_CALLED.get(hazard.name), hazard.name):
        for place in (hazard.module, *_PLACES):
            if name is not None and knowledge.known(f"{place}.{name}"):
                return [(f"{place}.{name}", 1.0)]
    names = [name for name in knowledge.exported(hazard.module) if knowledge.known(f"{hazard.module}.{name}")]
    return [(f"{hazard.module}.{name}", likeness) for name, likeness in spelling.near(hazard.name, names)[:2]]
