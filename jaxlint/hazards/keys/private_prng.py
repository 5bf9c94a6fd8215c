"""Private or removed PRNG name of JAX.

## What it does
Reports names that were never public or are gone: `jax._src.prng` and what is in it
(`PRNGKeyArray`, `random_wrap`, `random_unwrap`, `threefry_prng_impl` …), `jax.prng`,
`jax.random.KeyArray`, the switch `jax_enable_custom_prng`, and the attributes `unsafe_raw_array`
and `impl` of keys. They are reported where they are imported, or where they are reached through a
module. JAX's own modules may use them, and so may code that expects them to be missing
(`try: … except ImportError:`, `hasattr`).

## Why is this bad
These names moved and vanished between releases: `jax._src.prng` is no module any more on jax 0.10.2,
`jax.random.KeyArray` is gone since 0.4.24. The file fails when it is imported, or when the line runs.

## Example
```python
from jax._src import prng


def restore(data):
    return prng.random_wrap(data, impl=prng.threefry_prng_impl)
```

## Use instead
```python
import jax


def restore(data):
    return jax.random.wrap_key_data(data, impl="threefry2x32")
```

## When to ignore
In code that supports one release of JAX, the one in which the name is there.

## Fix safety
Safe for annotations, which become `jax.Array`. Unsafe for calls and tests: a key that is made or taken
apart by the public functions is one of the implementation that is named, and a test of the dtype wants an
array. There is no fix where one of the names that are imported together has no counterpart, is used
in another way, or is imported for others to import.

## References
- JAX documentation, "JEP 9263: Typed keys & pluggable RNGs" (https://docs.jax.dev/en/latest/jep/9263-typed-keys.html)
- JAX documentation, `jax.random.wrap_key_data`, `jax.random.key_data`, `jax.random.key_impl`
- JAX documentation, "Change log": 0.4.16, 0.4.24 (https://docs.jax.dev/en/latest/changelog.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import NameUsed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.public_keys import import_fix, use_fix
from jaxlint.rewrite.names.library_parameters import sentence
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX409",
    category=Category.FAILS,
    hazards=(NameUsed,),
    error="AttributeError",
    fixable="safe",
    supersedes=("JAX801", "JAX802", "JAX804"),
)

_SWITCH = "enable_custom_prng"


def check(hazard: NameUsed, file: File) -> Iterator[Finding]:
    api = hazard.api or ""
    node = file.unit.nodes[hazard.site]
    if isinstance(node, (ir.Import, ir.ImportFrom)):
        yield _imported(hazard, file, node)
        return
    if isinstance(node, ir.Alias):
        return  # the statement is reported, once for all its names
    use = knowledge.private_prng(api)
    above = file.unit.parent(hazard.site)
    if isinstance(above, ir.Attribute) and knowledge.private_prng(f"{api}.{above.attr}") is not None:
        return  # of `jax.prng.random_wrap` the whole is reported
    if use is not None:
        code = file.code(hazard.site, 40)
        said = f"Obsolete PRNG option `{code}`" if _SWITCH in api else _said([code], "." in api)
        yield Finding(hazard.site, said, f"Use {use}.", use_fix(file, node, api))


def _imported(hazard: NameUsed, file: File, node: ir.Import | ir.ImportFrom) -> Finding:
    prefix = f"{node.module}." if isinstance(node, ir.ImportFrom) else ""
    names = [prefix + name for name, _ in node.names if knowledge.private_prng(prefix + name) is not None]
    instead = "; ".join(f"for `{name.rpartition('.')[2]}` use {knowledge.private_prng(name)}" for name in names)
    if len(names) == 1:
        instead = f"use {knowledge.private_prng(names[0])}"
    return Finding(hazard.site, _said(names, True), sentence(instead), import_fix(file, node, names))


def _said(names: list[str], is_path: bool) -> str:
    quoted = ", ".join(f"`{name}`" for name in [names[0], *(each.rpartition(".")[2] for each in names[1:])])
    kind = "PRNG name" if is_path else "key attribute"
    return f"Private or removed {kind}{'' if len(names) == 1 else 's'} {quoted}"
