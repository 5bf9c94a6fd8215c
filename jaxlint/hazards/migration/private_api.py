"""Private name of JAX or one of its libraries.

## What it does
Reports what is reached through a name that begins with an underscore: `jax._src.core`,
`from jax._src.lib import xla_client`, `optax._src.base`. It is reported where it is imported or, reached as an
attribute, where it is used. A package may use what is its own, and code that asks first is silent, as for
`removed-api`. Private names of random keys are the business of `private-prng`.

## Why is this bad
Private names move and vanish in any release, without a warning and without a word in the change log.

## Example
```python
from jax._src import core


def is_tracer(x):
    return isinstance(x, core.Tracer)
```

## Use instead
```python
from jax import core


def is_tracer(x):
    return isinstance(x, core.Tracer)
```

## When to ignore
Where there is no public name and the project is bound to its releases: say so beside the import.

## Fix safety
Unsafe, and offered only where the public module has the name, and all that is read of it where it is a module: it may
stand for another object.

## References
- JAX documentation, "API compatibility" (https://docs.jax.dev/en/latest/api_compatibility.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import NameUsed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import DIFFERS
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.moves import uses
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX804",
    category=Category.STYLE,
    hazards=(NameUsed,),
    fixable="unsafe",
    on="preview",
    status="preview",
)


def check(hazard: NameUsed, file: File) -> Iterator[Finding]:
    use = hazard.use
    if use is None or use.status != "private":
        return
    node = file.unit.nodes[hazard.site]
    path = hazard.api or ""
    above = file.unit.parent(node.site)
    while isinstance(node, ir.Attribute) and isinstance(above, ir.Attribute):
        node, path = above, f"{path}.{above.attr}"
        above = file.unit.parent(node.site)
    public = _public(path)
    if public and not _has_what_is_read(file, node, public):
        public = None
    help_ = (
        f"Use `{public}`."
        if public
        else f"Use the documented API of {use.history.package}, or ask its authors for one."
    )
    yield Finding(hazard.site, f"Private {use.history.package} API `{path}`", help_, _fix(file, node, public))


def _public(path: str) -> str | None:
    """The public name that the path has without its private modules."""
    parts = path.split(".")
    name = ".".join(part for part in parts if not part.startswith("_"))
    return name if not parts[-1].startswith("_") and name.count(".") and knowledge.known(name) else None


@or_none
def _fix(file: File, node: ir.Node, public: str | None) -> Fix:
    name, draft = known(public), Draft(file)
    if isinstance(node, ir.Attribute):
        draft.use(node.site, name)
        return draft.fix(f"Write `{name}`", DIFFERS)
    alias, statement = expect(ir.Alias, node), expect(ir.ImportFrom, file.unit.parent(node.site))
    module, _, last = name.rpartition(".")
    require(len(statement.aliases) == 1 and alias.name == last)
    asname = f" as {alias.asname}" if alias.asname else ""
    draft.replace(statement.site, f"from {module} import {last}{asname}")
    return draft.fix(f"Write `{name}`", DIFFERS)


def _has_what_is_read(file: File, node: ir.Node, public: str) -> bool:
    """Whether a public module has all that is read of the private one that is imported."""
    statement = file.unit.parent(node.site)
    if knowledge.kind(public) != "module" or not isinstance(statement, ir.ImportFrom) or not isinstance(node, ir.Alias):
        return True
    reads = uses(file, statement, node.asname or node.name)
    if reads is None:
        return False
    above = [file.unit.parent(read.site) for read in reads]
    return all(isinstance(each, ir.Attribute) and knowledge.known(f"{public}.{each.attr}") for each in above)
