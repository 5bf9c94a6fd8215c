"""Fields of dataclasses that are told what to hold: `field(default_factory=list)`, `eqx.field(converter=jnp.asarray)`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.state import Instance
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Decorators of dataclasses whose objects are frozen; those of `jax_dataclasses` have copies that can be changed.
_FROZEN = frozenset({"flax.struct.dataclass"})
FACTORIES = frozenset({"dataclasses.field", "equinox.field", "flax.struct.field"})


class Field(v.Value):
    """What a class body binds to the name of such a field."""

    __slots__ = ("keywords",)

    def __init__(self, keywords: dict[str, v.Value]) -> None:
        self.keywords = keywords

    @property
    def key(self) -> Hashable:
        return ("field", tuple((name, value.key) for name, value in sorted(self.keywords.items())))


def keyword_only(cls: v.ClassValue) -> frozenset[str]:
    """Names of the fields of a dataclass that are given by keyword alone."""
    found: set[str] = set()
    for owner in cls.mro():
        decorators = [each for each in owner.definition.decorators if type(each) is ir.Call]
        rest = any(_flag(each) is True for each in decorators)
        for statement in owner.definition.body:
            if type(statement) is not ir.Annotate or type(statement.target) is not ir.Name:
                continue
            annotation = statement.annotation
            rest = rest or "KW_ONLY" in (getattr(annotation, "id", ""), getattr(annotation, "attr", ""))
            said = _flag(statement.value) if type(statement.value) is ir.Call else None
            if rest if said is None else said:
                found.add(statement.target.id)
    return frozenset(found)


def _flag(call: ir.Call) -> bool | None:
    given = [each.value.value for each in call.keywords if each.name == "kw_only" and type(each.value) is ir.Constant]
    return bool(given[0]) if given else None


def held(i: Interpreter, cls: v.ClassValue, name: str, given: v.Value | None, call: Call) -> v.Value | None:
    """What a field holds in an object that is made; None where that is not known."""
    declared = cls.lookup(name)
    if type(declared) is not Field:
        return given if given is not None or not _is_default(i, declared) else declared
    value = given
    if value is None and "default_factory" in declared.keywords:
        value = i.call(declared.keywords["default_factory"], i.simple_call(call.node, []))
    elif value is None:
        value = declared.keywords.get("default")
    converter = declared.keywords.get("converter")
    return value if value is None or converter is None else i.call(converter, i.simple_call(call.node, [value]))


def _is_default(i: Interpreter, declared: v.Value | None) -> bool:
    """Whether what the class body binds to the name of a field is a plain value, which objects share."""
    plain = (v.Const, v.Api, v.Static, v.Array, v.Host)
    return declared is not None and (type(declared) in plain or type(i.contents(declared)) is Instance)


def finish(i: Interpreter, ref: v.Ref, cls: v.ClassValue, call: Call) -> None:
    """Run what the class does once its fields are set."""
    method = cls.lookup("__post_init__")
    if type(method) is not v.FunctionValue:
        return
    if len(method.function.parameters) == 1:
        i.call(method, i.simple_call(call.node, [ref]))
    else:  # it is given what is no field
        assert i.state is not None
        i.state.write(ref.location, Instance(cls, {}))


def is_frozen_struct(i: Interpreter, cls: v.ClassValue) -> bool:
    """Whether a class is certainly a dataclass of Flax, or one like it, whose objects are frozen."""
    nodes = [each for owner in cls.mro() for each in owner.definition.decorators]
    keywords = [each for node in nodes if isinstance(node, ir.Call) for each in node.keywords]
    keywords += [each for owner in cls.mro() for each in owner.definition.keywords]
    if any(each.name in ("frozen", None) for each in keywords):
        return False
    names = {i.decorator_name(decorator) for decorator in cls.decorators}
    bases = {base.name for owner in cls.mro() for base in owner.bases if type(base) is v.Api}
    return bool(names & _FROZEN) or "flax.struct.PyTreeNode" in bases
