"""Fields of modules and other dataclasses of JAX's libraries: their defaults, and what objects are made with."""

from __future__ import annotations

from typing import Literal

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, ListObject, SetObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

_FAMILIES = frozenset({"linen", "equinox"})  # whose classes are dataclasses without a decorator
_DECORATORS = frozenset({"flax.struct.dataclass", "chex.dataclass"})
_BASES = frozenset(
    {"flax.linen.Module", "equinox.Module", "flax.struct.PyTreeNode", "typing.Generic"}
)  # without other fields
_OPTIONS = frozenset(
    {"frozen", "kw_only", "eq", "order", "repr", "mappable_dataclass"}
)  # which leave `__init__` as it is
_OF_MODULES = {"linen": frozenset({"name", "parent"})}
_MUTABLE = (ListObject, DictObject, SetObject)


@hazard_class(of_plain_values=True)
class MutableFieldDefault(Hazard):
    """The default of a field is a list, a dict or a set. Site: the default."""


@hazard_class(of_plain_values=True)
class FieldMisuse(Hazard):
    """An object is made with what its class does not take. Site: the keyword, or the call; api: the class."""

    how: Literal["unknown", "position"]  # no such field; fields of a mappable dataclass of Chex are passed by name
    fields: tuple[str, ...]


class ClassFields(Checker):
    """Fields that a class declares."""

    def subscribe(self, events: Events) -> None:
        events.class_defined.append(self.defined)
        events.dataclass_made.append(self.made)

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
            if mutable and ir.last_part(annotation) != "ClassVar":
                default = statement.value
                self.i.report(MutableFieldDefault(), default, default, value, parameter=statement.target.id)

    def made(self, cls: v.ClassValue, fields: list[str], call: Call) -> None:
        """An object is made of a class without an `__init__` of its own."""
        if call.double_star or self.i.possible or not self.is_known(cls):
            return  # of another class, perhaps
        name = cls.definition.name
        known = _OF_MODULES.get(cls.family, frozenset()).union(fields)
        unknown = next((each for each in call.keywords if each not in known), None)
        outside = next(
            (site for site in (call.site, *reversed(self.i.chain)) if not self.i.is_in_source(site)), call.site
        )
        node = self.i.unit.nodes[outside]
        if type(node) is not ir.Call:
            return
        if unknown is not None:
            at = next((each for each in node.keywords if each.name == unknown), None)
            if at is not None:
                hazard = FieldMisuse("unknown", tuple(each for each in fields if each not in call.keywords))
                self.i.report(hazard, at, at, v.UNKNOWN, api=name, parameter=unknown)
        elif len(call.args) > 1 and not call.star and self.is_mappable(cls):
            self.i.report(FieldMisuse("position", tuple(fields)), node, node, v.UNKNOWN, api=name)

    def is_known(self, cls: v.ClassValue) -> bool:
        """Whether all fields of a class are seen, and its `__init__` is the one that a library makes of them."""
        for owner in cls.mro():
            if any(type(base) is not v.ClassValue and getattr(base, "name", "") not in _BASES for base in owner.bases):
                return False
            if any(self.i.decorator_name(each) not in _DECORATORS for each in owner.decorators):
                return False
            calls = [each for each in owner.definition.decorators if type(each) is ir.Call]
            if any(keyword.name not in _OPTIONS for each in calls for keyword in each.keywords):
                return False
        return cls.family in _FAMILIES or any(
            owner.decorators or any(type(base) is v.Api for base in owner.bases) for owner in cls.mro()
        )

    def is_mappable(self, cls: v.ClassValue) -> bool:
        """Whether the dataclass is one of Chex that is made by keyword alone."""
        options = [k.name for each in cls.definition.decorators if type(each) is ir.Call for k in each.keywords]
        decorated = any(self.i.decorator_name(each) == "chex.dataclass" for each in cls.decorators)
        return decorated and "mappable_dataclass" not in options
