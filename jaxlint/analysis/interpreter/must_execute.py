"""Whether a place is reached whenever its function runs: no condition around it, and no way out before it."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings

CONDITIONAL = (ir.If, ir.Conditional, ir.Boolean, ir.Try, ir.Match)
_REPEATED = (ir.For, ir.While, ir.Comprehension)  # perhaps no time at all


def unconditional(unit: ir.Unit, site: int, loops: bool = True) -> bool:
    """Whether nothing decides if ``site`` is reached. ``loops``: loops are taken to run."""
    for node in unit.ancestors(site):
        if type(node) in (ir.Function, ir.Module):
            return not any(
                type(other) in (ir.Return, ir.Raise)
                and unit.scope(other.site) is node
                and unit.parent(other.site) is not node
                for other in (unit.nodes[at] for at in range(node.site, site))
            )
        if type(node) in CONDITIONAL and not is_main_guard(node):
            return False
        if type(node) in _REPEATED and not loops:
            return False
    return True


def is_main_guard(node: ir.Node) -> bool:
    """Whether it is `if __name__ == "__main__"`."""
    test = getattr(node, "test", None)
    return isinstance(test, ir.Compare) and type(test.left) is ir.Name and test.left.id == "__name__"


def is_narrowed(unit: ir.Unit, site: int, name: str) -> bool:
    """Whether a condition around a place may decide which of several values a name has there.

    It reads the name, or what a condition around an assignment of the name reads.
    """
    around = _names_in_conditions(unit, site)
    if not around or name in around:
        return bool(around)
    own = unit.statement(site)
    return any(
        not around.isdisjoint(_names_in_conditions(unit, each.site))
        for each in bindings(unit.scope(site), name)
        if each is not own
    )


def _names_in_conditions(unit: ir.Unit, site: int) -> set[str]:
    """The names that conditions read around a place, in its function."""
    found: set[str] = set()
    for node in unit.ancestors(site):
        if isinstance(node, (ir.Function, ir.Module)):
            break
        if isinstance(node, (ir.If, ir.Conditional)):
            found.update(each.id for each in ir.walk([node.test]) if isinstance(each, ir.Name))
    return found
