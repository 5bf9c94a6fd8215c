"""Operations that give the very array they are given where they have nothing to do.

JAX stages nothing then: of a captured array, which is concrete, comes a concrete one, in staged code too.
"""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call

_OF_SHAPE = frozenset({"reshape", "broadcast_to"})
_OF_AXES = frozenset({"transpose", "permute_dims", "T"})
_OF_DTYPE = frozenset(
    "astype convert_element_type asarray view float16 bfloat16 float32 float64 complex64 int8 int16 int32 int64 uint8 uint32 bool_".split()
)
# Those that hand their operand to nothing but `jit` where they would not change it (measured).
_UNDER_DISABLE_JIT = frozenset(
    "around atleast_1d atleast_2d atleast_3d ceil clip conj conjugate flatten floor identity nan_to_num positive ravel real round squeeze trunc".split()
)


def made(name: str, operands: list[v.Value], result: v.Array, disabled: bool = False) -> v.Array:
    """The result of an operation, or its operand where that is what it gives; where that is not known, either.

    ``disabled`` is whether it runs inside `jax.disable_jit`, where no `jit` of the operation's own stages it.
    """
    operand = operands[0] if operands else None
    if (
        operand is None
        or type(operand) not in (v.Array, v.Unknown)
        or operand.cls is not None
        or result.mode != v.STAGED
    ):
        return result  # of a tracer comes one; something unknown may be a captured array
    last = name.rpartition(".")[2]
    array = operand if isinstance(operand, v.Array) else v.Array(v.MAYBE)  # of the unknown nothing is known to stay
    aval = array.aval
    if last in _OF_SHAPE:
        same = same_shape(aval.shape, result.aval.shape)
    elif last in _OF_DTYPE:
        same = _same_dtype(aval, result.aval)
    elif last in _OF_AXES:
        same = _same_axes(aval.ndim, given_axes=len(operands) > 1)
    elif disabled and last in _UNDER_DISABLE_JIT:
        same = _same_aval(aval, result.aval) and (len(operands) == 1 or None)  # what else it is given may change it
    else:
        return result
    return either(same, array, result)


def item(base: v.Array, index: v.Value, result: v.Array) -> v.Array:
    """`x[:]`, `x[...]` and slices that leave nothing out."""
    if base.mode != v.CONCRETE or result.mode != v.STAGED:
        return result
    parts = index.items if type(index) is v.Tuple and index.items is not None else (index,)
    if not all(type(part) is v.Slice or (type(part) is v.Const and part.value is ...) for part in parts):
        return result
    slices = [part for part in parts if type(part) is v.Slice]
    if all(v.is_none(each) for part in slices for each in (part.lower, part.upper, part.step)):
        return base
    steps = [part.step for part in slices if not v.is_none(part.step)]
    if any(type(step) is v.Const and step.value != 1 for step in steps):
        return result
    return either(same_shape(base.aval.shape, result.aval.shape), base, result)


def reshaped(call: Call, made: v.Array) -> v.Value:
    """`jnp.reshape` asks the method of what it is given, and so makes an array of NumPy of one of NumPy."""
    given = call.get(0, "a")
    if type(given) is v.Host:
        return v.Host(made.aval)
    if type(given) is v.Unknown:
        return v.Array(v.MAYBE, made.aval) if made.cls is not None else v.Unknown(v.fresh())
    return made


def either(same: bool | None, operand: v.Array, result: v.Array) -> v.Array:
    if same is None:
        return v.Array(v.MAYBE, result.aval)
    return operand if same else result


def same_shape(one: v.Shape | None, other: v.Shape | None) -> bool | None:
    if one is None or other is None:
        return None
    if len(one) != len(other):
        return False
    pairs = list(zip(one, other))
    if any(type(a) is int and type(b) is int and a != b for a, b in pairs):
        return False
    return True if all(type(a) is int and a == b for a, b in pairs) else None


def _same_dtype(one: v.Aval, other: v.Aval) -> bool | None:
    if one.dtype is None or other.dtype is None:
        return None
    if one.dtype != other.dtype:
        return False
    return None if one.weak is None else not one.weak


def _same_aval(one: v.Aval, other: v.Aval) -> bool | None:
    same = same_shape(one.shape, other.shape)
    if same is False or (one.dtype is not None and other.dtype is not None and one.dtype != other.dtype):
        return False
    return None if one.dtype is None or other.dtype is None else same


def _same_axes(rank: int | None, given_axes: bool) -> bool | None:
    if rank is None or (given_axes and rank > 1):
        return None
    return rank < 2
