"""Copies of objects with some fields changed: `state.replace(a=1)`, `dataclasses.replace(state, a=1)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.models.dataclass_fields import finish

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.state import Contents

NAMED_TUPLE = "collections.namedtuple"
_FUNCTIONS = frozenset({"dataclasses.replace", "copy.replace"})
_DECORATORS = frozenset({"flax.struct.dataclass", "chex.dataclass", "jax_dataclasses.pytree_dataclass"})


def method(i: Interpreter, contents: Contents | None, attr: str) -> bool:
    """Whether ``attr`` of an object is the `replace` that its decorator or base gives it."""
    if attr != "replace" or type(contents) is not Instance or contents.cls.family != "dataclass":
        return False
    for cls in contents.cls.mro():
        if any(type(base) is v.Api and base.name == "flax.struct.PyTreeNode" for base in cls.bases):
            return True
        if any(i.decorator_name(decorator) in _DECORATORS for decorator in cls.decorators):
            return True
    return False


def function(i: Interpreter, name: str, call: Call) -> v.Value | None:
    """What a function that replaces fields gives, or one that makes a class with such a method; None for any other call."""
    if name == NAMED_TUPLE:
        return named_tuple(i, call)
    contents = i.contents(call.args[0]) if name in _FUNCTIONS and call.args else None
    return replaced(i, contents, call) if type(contents) is Instance else None


def replaced(i: Interpreter, contents: Instance, call: Call) -> v.Value:
    """The copy. A class that makes its objects itself may put anything into them."""
    if call.double_star or any(contents.cls.lookup(name) is not None for name in ("__init__", "__replace__")):
        return v.Unknown(v.fresh())
    copy = i.new_object(Instance(contents.cls, {**contents.fields, **call.keywords}, contents.called))
    finish(i, copy, contents.cls, call)
    return copy


def named_tuple(i: Interpreter, call: Call) -> v.Value | None:
    """The class that `collections.namedtuple("Point", "x y")` makes, where its fields are written out."""
    names = call.get(1, "field_names")
    if type(names) is v.Const and isinstance(names.value, str):
        found: list[str] | None = names.value.replace(",", " ").split()
    else:
        found = v.constants(i.items_of(names) if names is not None else None, str)
    if found is None:
        return None
    return (
        None
        if set(call.keywords) - {"field_names", "typename"}
        else v.OpaqueInstance(NAMED_TUPLE, (v.Const(tuple(found)),))
    )


def named(made: v.OpaqueInstance, call: Call) -> v.Value:
    """An object of such a class."""
    names = made.args[0].value  # type: ignore[attr-defined]
    items = [call.get(number, name) for number, name in enumerate(names)]
    if call.star or call.double_star or any(item is None for item in items):
        return v.Unknown(v.fresh())
    return v.Tuple(tuple(items), fields=names)  # type: ignore[arg-type]
