"""Defaults of fields of modules and other dataclasses of JAX's libraries, which may be no list, dict or set."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.state import DictObject, ListObject, SetObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

_FAMILIES = frozenset({"linen", "equinox"})  # whose classes are dataclasses without a decorator
_DECORATORS = frozenset({"flax.struct.dataclass", "chex.dataclass"})
_MUTABLE = (ListObject, DictObject, SetObject)


class MutableFieldDefault(Hazard):
    """The default of a field is a list, a dict or a set. Site: the default."""

    of_plain_values = True


class ClassFields(Checker):
    """Fields that a class declares."""

    def subscribe(self, events: Events) -> None:
        events.class_defined.append(self.defined)

    def defined(self, cls: v.ClassValue) -> None:
        names = {self.i.decorator_name(decorator) for decorator in cls.decorators}
        nodes = any(type(base) is v.Api and base.name == "flax.struct.PyTreeNode" for base in cls.bases)
        if not (cls.family in _FAMILIES or nodes or names & _DECORATORS):
            return
        for statement in cls.definition.body:
            if type(statement) is not ir.Annotate or type(statement.target) is not ir.Name or statement.value is None:
                continue
            annotation = (
                statement.annotation.value if type(statement.annotation) is ir.Subscript else statement.annotation
            )
            value = cls.members.get(statement.target.id, v.UNKNOWN)
            contents = self.i.contents(value)
            mutable = isinstance(contents, _MUTABLE) and not (type(contents) is SetObject and contents.frozen)
            if mutable and (ir.dotted(annotation) or "").split(".")[-1] != "ClassVar":
                default = statement.value
                self.i.report(MutableFieldDefault(), default, default, value, parameter=statement.target.id)
