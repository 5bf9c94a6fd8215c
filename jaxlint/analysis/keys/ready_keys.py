"""Keys at hand: variables that hold one, and that nothing reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Frame


def ready_key(interpreter: Interpreter, site: int, purpose: str = "") -> str:
    """The name of the one key that the functions around ``site`` hold and never read; of several the one named for ``purpose``."""
    frame = running_at(interpreter, site)
    while frame is not None:
        names = [
            name for name, value in interpreter.variables(frame).items()
            if _is_key(interpreter, value) and not _is_read(interpreter, frame, name)
        ]  # fmt: skip
        if names:
            named = [name for name in names if purpose and purpose in name]
            found = named or names
            return found[0] if len(found) == 1 else ""
        frame = frame.parent if frame.parent is not None and type(frame.parent.scope) is ir.Function else None
    return ""


def running_at(interpreter: Interpreter, site: int) -> Frame | None:
    """The frame that runs the scope in which ``site`` stands."""
    scope = interpreter.unit.scope(site)
    frames = (interpreter.frame, *reversed(interpreter.running))
    return next((each for each in frames if each is not None and each.scope is scope), None)


def _is_key(interpreter: Interpreter, value: v.Value) -> bool:
    if type(value) is not v.Array or value.aval.dtype not in v.KEYS:
        return False
    return not value.aval.shape or value.aval.shape == (2,) and interpreter.key_arrays.batch(value) is None


def _is_read(interpreter: Interpreter, frame: Frame, name: str) -> bool:
    unit, scope = interpreter.unit, frame.scope
    if name not in scope.locals:
        return True
    return any(
        isinstance(node, ir.Name) and node.id == name and defining_scope(unit, node.site, name) is scope
        and not _is_bound(unit, node)
        for node in ir.walk(scope.body)
    )  # fmt: skip


def _is_bound(unit: ir.Unit, node: ir.Node) -> bool:
    """Whether a name stands where it is bound, alone or in a tuple."""
    above = unit.parent(node.site)
    while isinstance(above, (ir.Sequence, ir.Starred)):
        node, above = above, unit.parent(above.site)
    return (isinstance(above, ir.Assign) and node in above.targets) or (
        isinstance(above, ir.For) and above.target is node
    )
