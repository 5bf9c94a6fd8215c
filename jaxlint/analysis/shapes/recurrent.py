"""Recurrent cells and layers: the state that they take, and what they give beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter


class Cell(NamedTuple):
    """A cell, as measured of flax 0.12.8, equinox 0.13.8 and dm-haiku 0.0.17."""

    position: int  # of the state in a call
    name: str
    states: int  # how many arrays the state consists of
    output: int | None  # its place beside the state in what the cell gives, which may be the state alone


_FIRST = (0, "carry")
CELLS = {
    "equinox.nn.LSTMCell": Cell(1, "hidden", 2, None),
    "equinox.nn.GRUCell": Cell(1, "hidden", 1, None),
    **{
        f"{package}.{name}": Cell(*_FIRST, 2 if "LSTM" in name else 1, 1)
        for package, names in (
            ("flax.linen", "LSTMCell OptimizedLSTMCell ConvLSTMCell GRUCell MGUCell SimpleCell"),
            ("flax.nnx", "LSTMCell OptimizedLSTMCell GRUCell SimpleCell"),
        )
        for name in names.split()
    },
    "haiku.LSTM": Cell(1, "prev_state", 2, 0),
    "haiku.GRU": Cell(1, "state", 1, 0),
    "haiku.VanillaRNN": Cell(1, "prev_state", 1, 0),
}
LAYERS = frozenset({"flax.linen.RNN", "flax.nnx.RNN"})  # which call a cell step by step
_STATE_OF_HAIKU = v.Fields(("hidden", "cell"))
_STACKING = frozenset({"flax.nnx.SimpleCell", "haiku.GRU", "haiku.VanillaRNN"})  # these make one array of a pair


def called(i: Interpreter, layer: v.OpaqueInstance, call: Call) -> v.Value | None:
    """What a call of a cell, or of a layer of cells, gives; None for any other."""
    name = layer.class_name
    if name in LAYERS and len(layer.args) == 3:
        return _unrolled(i, layer, call)
    cell = CELLS.get(name)
    if cell is None:
        return None
    state = call.get(cell.position, cell.name)
    if state is not None and not call.star and _refuses(name, cell, state):
        i.events.state_misfits(call, cell.states, call.node_of(cell.position, cell.name) or call.node, state, name)
        return v.UNKNOWN
    if cell.states == 2 and type(state) is v.Array:
        return v.Unknown(v.fresh())  # of another shape, it may be a pair
    made = _state(i, name, call)
    if cell.output is None:
        return made
    output = i.layers.array(call)
    return v.Tuple((made, output) if cell.output else (output, made))


def _state(i: Interpreter, name: str, call: Call) -> v.Value:
    if CELLS[name].states == 1:
        return i.layers.array(call)
    return v.Tuple((i.layers.array(call), i.layers.array(call)), fields=_STATE_OF_HAIKU if "haiku" in name else None)


def _refuses(name: str, cell: Cell, state: v.Value) -> bool:
    """Whether a cell that takes a pair is given one array, which it cannot take apart, or the other way round."""
    if type(state) is v.Array and not state.presumed:
        shape = state.aval.shape
        if cell.states == 1 or shape is None:
            return False
        return name.startswith("haiku.") or len(shape) < 2 or (type(shape[0]) is int and shape[0] != 2)
    if type(state) is not v.Tuple or state.items is None:
        return False
    if name == "haiku.LSTM":
        return state.fields is None
    return cell.states == 1 and state.fields is None and len(state.items) == 2 and name not in _STACKING


def _unrolled(i: Interpreter, layer: v.OpaqueInstance, call: Call) -> v.Value:
    """What a layer gives that calls a cell step by step: its outputs, or the last state and its outputs."""
    _, cell, option = layer.args
    given = call.keywords.get("return_carry", v.NONE)
    option = option if v.is_none(given) else given
    if call.double_star or (type(option) is not v.Const and not v.is_none(option)):
        return v.Unknown(v.fresh())
    outputs = i.layers.array(call)
    if type(option) is v.Const and not option.value:
        return outputs
    state: v.Value = v.Unknown(v.fresh())
    if type(cell) is v.OpaqueInstance and cell.class_name in CELLS:
        state = _state(i, cell.class_name, call)
    return v.Tuple((state, outputs))
