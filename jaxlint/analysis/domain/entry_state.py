"""What a function can see when it is entered: its arguments, what they hold, and the variables around it.

The oracle tells activations apart by it, at run time as in the model.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.state import Contents

CLASS = "__class__"  # of an object that one holds: its methods are told apart by it


def entry(i: Interpreter, func: v.FunctionValue, variables: dict[str, v.Value]) -> dict[str, v.Value]:
    """Values by name: ``x``, ``x.weight``, ``x[0]``, ``x['mean']``, and names of classes: ``x.layer.__class__``."""
    seen: dict[str, v.Value] = {}
    frame = func.frame
    while frame is not None and frame.parent is not None:
        seen.update((name, value) for name, value in i.variables(frame).items() if name not in seen)
        frame = frame.parent
    seen.update(variables)
    for name, value in list(seen.items()):
        for part, inner in (("", value), *_parts(i.contents(value) or value)):
            seen[name + part] = inner
            contents = i.contents(inner)
            if type(contents) is Instance:
                seen[f"{name}{part}.{CLASS}"] = v.Const(contents.cls.definition.name)
    return seen


def _parts(contents: Contents | v.Value) -> Iterable[tuple[str, v.Value]]:
    if type(contents) is Instance:
        return [(f".{name}", value) for name, value in contents.fields.items()]
    if type(contents) is DictObject:
        return [(f"[{key!r}]", value) for key, value in contents.items.items()]
    if isinstance(contents, (ListObject, v.Tuple)) and contents.items is not None:
        return [(f"[{number}]", value) for number, value in enumerate(contents.items)]
    return []
