"""What functions give that read checkpoints: a tree like their target, or without one dicts and lists of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.shapes.bound_arguments import dtype_name, shape_of

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Functions that read -> the position and the name of their target, or None for those that have none (measured on flax 0.12.8).
READING: dict[str, tuple[int, str] | None] = {
    "flax.serialization.msgpack_restore": None,
    "flax.serialization.to_state_dict": None,
    "flax.serialization.from_bytes": (0, "target"),
    "flax.serialization.from_state_dict": (0, "target"),
    "flax.training.checkpoints.restore_checkpoint": (1, "target"),
}


def read(i: Interpreter, name: str, call: Call) -> v.Value:
    """What a call of one of these functions gives."""
    place = READING[name]
    target = call.get(*place) if place is not None else None
    if call.star or call.double_star or (place is not None and target is None):
        return v.Unknown(v.fresh())
    if place is None or target is None or v.is_none(target) or is_class(target):
        sites = (call.site, *reversed(i.chain))
        site = next((each for each in sites if not i.is_in_source(each)), call.site)
        return v.Unknown(v.fresh(), structure=v.Structure(v.READ, None, site))
    return _like(i, target)


def _like(i: Interpreter, part: v.Value) -> v.Value:
    """A tree with other arrays in the places of those of the target."""
    if type(part) in (v.Array, v.Host):
        aval = i.aval_of(part)
        return v.Unknown(v.fresh()) if aval.dtype in v.KEYS else v.Array(v.MAYBE, aval, None, v.fresh())
    if type(part) is v.OpaqueInstance and part.name == v.SHAPE_STRUCT:
        dtype = part.args[1]
        name = dtype_name(dtype.name) if type(dtype) is v.Api else None
        return v.Array(v.MAYBE, v.Aval(name, shape_of(i, part.args[0])), None, v.fresh())
    if type(part) in (v.Tuple, v.Ref):
        rebuilt: v.Value = i.transforms.rebuilt(part, lambda each: _like(i, each))
        return rebuilt
    return v.Unknown(v.fresh(), structure=v.structure_of(part)) if type(part) in (v.Unknown, v.Undecided) else part


def is_class(value: v.Value | None) -> bool:
    """Whether a value is a class, and no object of it."""
    return type(value) is v.ClassValue or (type(value) is v.Api and value.name.rpartition(".")[2][:1].isupper())
