"""Names that a module of JAX has in no release that is known."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Modules of which every public name is known, release by release.
_COMPLETE = frozenset({
    "jax", "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.nn", "jax.nn.initializers", "jax.lax", "jax.random",
    "jax.scipy", "jax.scipy.linalg", "jax.scipy.special", "jax.scipy.stats", "jax.scipy.signal", "jax.scipy.stats.norm",
    "jax.tree", "jax.tree_util", "jax.debug", "jax.image", "jax.ops",
})  # fmt: skip
# Modules below `jax` that are not part of its interface, and have no names in the tables.
_INSIDE = frozenset({"jax.tools", "jax.collect_profile", "jax.version"})


@hazard_class(decided_by="name")
class UnknownApi(Hazard):
    """A name that no release has. Site: the Alias or Attribute; api: the dotted name."""

    module: str
    name: str
    newest: str  # the newest release that is known


def unknown_name(
    interpreter: Interpreter, node: ir.Node, module: str, name: str, names_set: Callable[[], frozenset[str]]
) -> UnknownApi | None:
    """What is to be said of ``module.name``; None where some release has it, or it is among the names that the file sets."""
    dotted = f"{module}.{name}"
    if is_known(module, dotted):
        return None
    if interpreter.api.owns("jax") or interpreter.model.part(node.site) is not None:
        return None
    releases = interpreter.target.of("jax")
    if releases is None or interpreter.releases.at(node, releases) is None:
        return None
    if name in names_set() or _asked_for(interpreter.unit, node, name):
        return None
    return UnknownApi(module, name, knowledge.releases("jax")[-1])


def is_known(module: str, dotted: str) -> bool:
    """Whether some release has a name of a module, or not all of the names are known that it has."""
    name = dotted.rpartition(".")[2]
    return module not in _COMPLETE or name.startswith("_") or dotted in _INSIDE or _is_listed(dotted)


@functools.cache
def _is_listed(dotted: str) -> bool:
    canonical = knowledge.canonical(dotted)
    return any(knowledge.kind(each) or knowledge.history(each) is not None for each in (dotted, canonical))


def names_set_by(unit: ir.Unit) -> frozenset[str]:
    """Attributes that the file sets on something, and texts that it may set them by."""
    found: set[str] = set()
    for node in unit.own:
        if type(node) is ir.Assign:
            found.update(target.attr for target in node.targets if type(target) is ir.Attribute)
        elif type(node) is ir.Call and type(node.func) is ir.Name and node.func.id == "setattr":
            found.update(each.value for each in node.args if type(each) is ir.Constant and isinstance(each.value, str))
        elif type(node) is ir.Import:  # `import jax.extension`: a module that is put below
            found.update(part for dotted, _ in node.names for part in dotted.split(".")[1:])
    return frozenset(found)


def _asked_for(unit: ir.Unit, node: ir.Node, name: str) -> bool:
    """Whether the code around asks first whether there is such a name."""
    for around in unit.ancestors(node.site):
        test = getattr(around, "test", None)
        for each in ir.walk([test]) if test is not None else ():
            if isinstance(each, ir.Constant) and each.value == name:
                return True
    return False
