"""Members of the project's enumerations: the same wherever their class is asked for them, and told apart by their names.

What a member is equal to that is none of its class is left open: one of a class that derives from `str` as well is equal to a string.
"""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir

# Of members that are numbers as well nothing is said: arrays are compared with them, and indexed by them.
_BASES = frozenset({"enum.Enum", "enum.StrEnum", "builtins.str", "builtins.object"})
_DECIDES = frozenset({"__eq__", "__new__", "__init__", "_missing_", "_generate_next_value_", "_ignore_"})
_CONSTANT = "constant"
_COUNTED = "auto"  # which no other member of the class has


def member(cls: v.ClassValue, name: str) -> v.Static | None:
    """A member of an enumeration; None for what may be none, or where the class says itself what its members are."""
    if cls.family != "enum" or name.startswith("_") or not all(map(_is_plain, cls.mro())):
        return None
    for statement in cls.definition.body:
        if type(statement) is ir.Assign and len(statement.targets) == 1:
            target = statement.targets[0]
            if type(target) is ir.Name and target.id == name:
                value = _value(statement.value, name)
                own = f"{cls.definition.site} {cls.frame.serial}"
                return None if value is None else v.Static(v.MEMBER, (v.MEMBER, own, name, *value))
    return None


def attribute(value: v.Value, name: str) -> v.Value | None:
    """The name of a member, or its value; None for anything else."""
    ident = value.ident if type(value) is v.Static and value.type == v.MEMBER else None
    if ident is None or len(ident) != 5:
        return None
    if name == "name":
        return v.Const(ident[2])
    return v.Const(ident[4]) if name == "value" and ident[3] == _CONSTANT else None


def are_same(left: v.Value, right: v.Value) -> bool | None:
    """Whether two values are one member; None where that is not known, or one is no member of the same class."""
    if type(left) is not v.Static or type(right) is not v.Static or {left.type, right.type} != {v.MEMBER}:
        return None
    one, other = left.ident, right.ident
    if one is None or other is None or len(one) != 5 or len(other) != 5 or one[1] != other[1]:
        return None
    if one[2] == other[2]:
        return True
    return False if one[3] == other[3] and one[4] != other[4] else None  # names of equal values are of one member


def _value(node: ir.Node, name: str) -> tuple[str, object] | None:
    """What a name in the body of an enumeration is bound to, as (kind, value); None where it may be no member."""
    if type(node) is ir.Constant and node.value is not ...:
        return _CONSTANT, node.value
    is_counted = type(node) is ir.Call and ir.last_part(node.func) == "auto"
    return (_COUNTED, name) if is_counted else None


def _is_plain(cls: v.ClassValue) -> bool:
    return (
        not cls.definition.keywords
        and _DECIDES.isdisjoint(cls.members)
        and all(type(base) is v.ClassValue or (type(base) is v.Api and base.name in _BASES) for base in cls.bases)
    )
