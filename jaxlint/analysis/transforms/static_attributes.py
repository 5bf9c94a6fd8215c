"""Python numbers that modules of NNX hold and `nnx.jit` compiles in: each change of one compiles the function anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.declared_fields import DeclaredFields
from jaxlint.analysis.interpreter.narrowing import guard_key
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Level

_COMPILING = frozenset({"flax.nnx.jit", "flax.nnx.pmap"})


@hazard_class()
class StaticAttributeChanges(Hazard):
    """A function that NNX compiles counts in an attribute of a module. Site: the target of the store; api: the transform."""

    attribute: str
    module: str  # its class


class StaticAttributes(Checker):
    """Attributes of modules that are given to compiled functions."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.fields = DeclaredFields()

    def subscribe(self, events: Events) -> None:
        events.attribute_stored.append(self.stored)

    def stored(self, target: ir.Node, base: v.Value, attr: str, value: v.Value, source: ir.Node, op: str) -> None:
        """An attribute is set."""
        contents = self.i.contents(base)
        if type(contents) is not Instance or contents.cls.family != "nnx" or self.i.silent:
            return
        # What a call left open is a number where the class says so.
        declared = bool(op) and type(value) is v.Unknown and self.fields.kind(contents.cls, attr) == "number"
        is_number = declared or v.is_scalar_const(value) or (type(value) is v.Static and value.type in v.NUMERIC_TYPES)
        text = guard_key(target)
        again = bool(op) or (text is not None and any(guard_key(each) == text for each in ir.walk([source])))
        if not is_number or not again:
            return
        level: Level | None = self.i.context.level
        if level is None or level.transform.name not in _COMPILING or base.location >= level.entered:  # type: ignore[attr-defined]
            return
        hazard = StaticAttributeChanges(attr, contents.cls.definition.name)
        self.i.report(hazard, target, target, value, api=level.transform.name, origin=self.i.context.origin)
