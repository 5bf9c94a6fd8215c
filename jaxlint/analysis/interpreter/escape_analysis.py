"""What is left of a call when it has returned: whether its variables can still be read, by a function or class that it made."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.state import Contents, Instance, Left, State, values_in

# Values that refer to nothing, or to objects that are followed by their idents.
DATA = frozenset({v.Unknown, v.Const, v.Static, v.Array, v.Host, v.Undecided, v.Api, v.ModuleValue, v.Imported})

MAX_LEFT = 200  # frames and objects of one call


def are_left(result: v.Value, made: dict[int, Contents], entry: int, before: State, after: State | None) -> bool:
    """Whether the result of a call leads to variables of frames that are younger than ``entry``, or are in ``after`` alone.

    ``made`` holds the objects that it leads to; ``before`` and ``after`` are the states around the call. Values that are not
    looked into count as if they led there.
    """
    back = set[int]() if after is None else after.frames.keys() - before.frames.keys()
    parts = [result]
    for contents in made.values():
        parts += values_in(contents)
        if type(contents) is Instance:
            parts.append(contents.cls)
    while parts:
        part = parts.pop()
        kind = type(part)
        if kind in DATA:
            continue
        if type(part) is v.Tuple:
            parts += (part.element,) if part.items is None else part.items
        elif type(part) is v.Ref:
            if part.location > entry and part.location not in made:
                return True
        elif type(part) is v.FunctionValue:
            serial = part.frame.serial
            if serial > entry or serial in back or part.wraps is not None or part.setter is not None:
                return True
            parts += part.defaults.values()
        elif type(part) is v.ClassValue:
            if part.frame.serial > entry:
                return True
        elif type(part) is v.Partial:
            parts += (part.function, *part.args, *part.keywords.values())
        elif type(part) is v.BoundMethod:
            parts += (part.function, part.receiver)
        elif type(part) is v.Transformed:
            parts += (part.function, *part.options.values())
        elif type(part) is v.Iterator:
            parts += (part.element, *(part.items or ()))
        elif type(part) is v.Slice:
            parts += (part.lower, part.upper, part.step)
        else:
            return True
    return False


def variables_left(
    state: State, result: v.Value, made: dict[int, Contents], entry: int, before: State | None = None
) -> Left | None:
    """What the functions read that a call gives: the variables of frames younger than ``entry``, and the objects these hold.

    Younger are those, too, that a remembered call within has brought back: they were not there ``before``.
    """
    frames: dict[int, dict[str, v.Value]] = {}
    heap: dict[int, Contents] = {}
    parts = [result, *(value for contents in made.values() for value in values_in(contents))]
    while parts:
        part = parts.pop()
        if type(part) is v.Tuple:
            parts += (part.element,) if part.items is None else part.items
        elif type(part) is v.Ref:
            is_new = part.location > entry or (before is not None and part.location not in before.heap)
            if is_new and part.location not in heap and part.location in state.heap:
                contents = heap[part.location] = state.heap[part.location]
                parts += values_in(contents)
        elif type(part) is v.FunctionValue:
            parts += part.defaults.values()
            frame: Frame | None = part.frame
            while frame is not None and (
                frame.serial > entry or (before is not None and frame.serial not in before.frames)
            ):
                if frame.serial not in frames and frame.serial in state.frames:
                    frames[frame.serial] = dict(state.frames[frame.serial])
                    parts += frames[frame.serial].values()
                frame = frame.parent
        elif type(part) is v.Partial:
            parts += (part.function, *part.args, *part.keywords.values())
        elif type(part) is v.BoundMethod:
            parts += (part.function, part.receiver)
        elif type(part) is v.Transformed:
            parts.append(part.function)
        elif type(part) is v.OpaqueInstance:
            parts += part.args
        elif type(part) is v.Unknown:
            parts += part.options
        if len(frames) + len(heap) > MAX_LEFT:
            return None
    return frames, heap
