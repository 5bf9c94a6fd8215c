"""Whether a value can be hashed, as a static argument must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, SetObject
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import release

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_DISPLAYS = {ListObject: "a list", DictObject: "a dict", SetObject: "a set"}


_MAX_DEPTH = 4  # of dataclasses in one another
_OF_FIELDS_SINCE = "0.13.0"  # modules of Equinox were hashed by their leaves before


def unhashable(interpreter: Interpreter, value: v.Value, depth: int = 0) -> str | None:
    """What about a value cannot be hashed, in words; None where all of it can, or that is not known."""
    if isinstance(value, v.Array):
        return "a JAX array"
    if isinstance(value, v.Host):
        return "a NumPy array" if value.aval.ndim else None  # a NumPy scalar can be hashed
    if isinstance(value, v.Tuple):
        found = (unhashable(interpreter, item, depth) for item in value.items or ())
        inside = next((each for each in found if each is not None), None)
        return inside if inside is None or " in a tuple" in inside else f"{inside} in a tuple"
    contents = interpreter.contents(value)
    if type(contents) in _DISPLAYS and not (type(contents) is SetObject and contents.frozen):
        return _DISPLAYS[type(contents)]
    if type(contents) is Instance and not hashable_instances(contents.cls):
        return f"an instance of `{contents.cls.definition.name}`"
    if type(contents) is Instance:
        for name in _hashed_fields(interpreter, contents.cls) if depth < _MAX_DEPTH else ():
            inside = unhashable(interpreter, contents.fields.get(name, v.UNKNOWN), depth + 1)
            if inside is not None:
                return f"an instance of `{contents.cls.definition.name}` containing {inside}"
    return None


def _hashed_fields(interpreter: Interpreter, cls: v.ClassValue) -> list[str]:
    """The fields of which a frozen dataclass or a module of Equinox makes the hash of an instance; none where it has another."""
    if cls.family == "equinox" and cls.lookup("__hash__") is None and cls.lookup("__eq__") is None:
        known = interpreter.target.of("equinox")
        return interpreter.declared_fields(cls) if known and release(known.newest) >= release(_OF_FIELDS_SINCE) else []
    names = {getattr(decorator, "name", "") for decorator in cls.decorators}
    options = _dataclass_options(cls) or {}
    frozen = (options.get("frozen") and options.get("eq")) or names == {"flax.struct.dataclass"}
    # What runs after `__init__` may set the fields anew.
    if not frozen or len(names) != 1 or {"__hash__", "__eq__"} & cls.members.keys() or cls.lookup("__post_init__"):
        return []
    given = {
        statement.target.id: statement.value
        for owner in reversed(cls.mro())
        for statement in owner.definition.body
        if type(statement) is ir.Annotate and type(statement.target) is ir.Name
    }
    return [
        name
        for name in interpreter.declared_fields(cls, passed=True)
        if not any(keyword.name in ("hash", "compare", None) for keyword in getattr(given[name], "keywords", ()))
    ]


def hashable_instances(cls: v.ClassValue) -> bool:
    """Whether instances of a class can be hashed; False only where it is certain that they cannot."""
    for owner in cls.mro():
        made = _dataclass_options(owner)
        if made is None:
            return True
        if "__hash__" in owner.members:
            found = owner.members["__hash__"]
            return not v.is_none(found)
        if made.get("eq", False) and "__eq__" not in owner.members or "__eq__" in owner.members:
            # A dataclass makes `__hash__` where it is frozen; beside `__eq__` there is none otherwise.
            return bool(made.get("frozen") or made.get("unsafe_hash"))
    return True


def surely_hashable(interpreter: Interpreter, value: v.Value, depth: int = 0) -> bool:
    """Whether a value has a hash of what it holds: a number, a string, or a tuple or frozen dataclass of such values."""
    if isinstance(value, v.Tuple):
        return value.items is not None and all(surely_hashable(interpreter, item, depth) for item in value.items)
    contents = interpreter.contents(value)
    if type(contents) is Instance and depth < _MAX_DEPTH:
        fields = _hashed_fields(interpreter, contents.cls)
        inside = (contents.fields.get(name) or contents.cls.lookup(name) or v.UNKNOWN for name in fields)
        return bool(fields) and all(surely_hashable(interpreter, each, depth + 1) for each in inside)
    return isinstance(value, (v.Const, v.Static, v.Text, v.Api, v.FunctionValue, v.ClassValue))


def by_identity(cls: v.ClassValue) -> bool:
    """Whether the hash of an object is that of `object`: no two objects are equal."""
    own = any({"__eq__", "__hash__"} & each.members.keys() for each in cls.mro())
    return not own and cls.family == "" and cls.is_closed and hashable_instances(cls)


def _dataclass_options(cls: v.ClassValue) -> dict[str, bool] | None:
    """Options of `@dataclasses.dataclass`, none for a class without decorators, None for any other decorator."""
    options: dict[str, bool] = {}
    for decorator, node in zip(cls.decorators, cls.definition.decorators):
        if getattr(decorator, "name", "") != "dataclasses.dataclass":
            return None
        options["eq"] = True
        for keyword in node.keywords if isinstance(node, ir.Call) else ():
            if not isinstance(keyword.value, ir.Constant) or keyword.name is None:
                return None
            options[keyword.name] = bool(keyword.value.value)
    return options
