"""Sizes that the parameters of a Linen module follow from: `init` makes them for its input, and `apply` needs the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Context
from jaxlint.analysis.domain.state import DictObject
from jaxlint.analysis.shapes.bound_arguments import shape_of

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.ir import nodes as ir

# Layers whose kernel has a row for each feature of their input.
_BY_FEATURES = frozenset(f"flax.linen.{name}" for name in ("Dense", "Conv", "ConvTranspose"))

# Where a layer is called in a run of a module, and its name -> the sizes that it met there, in order.
Sizes = dict[tuple[tuple[int, ...], str], list[v.Shape | None]]


class LinenParameters(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.runs: dict[int, tuple[int, Sizes]] = {}  # run of a module -> conditions around it, what its layers met
        self.of_objects: dict[int, list[Sizes]] = interpreter.per_module({})  # module -> what each `init` met
        self.of_variables: dict[int, Sizes] = interpreter.per_module({})  # a run of `init` -> what it met

    @contextmanager
    def running(self, context: Context, sizes: Sizes) -> Iterator[None]:
        """A method of a module runs, and its layers are listened to."""
        assert context.linen is not None
        serial = context.linen.serial
        self.runs[serial] = self.i.undecided, sizes
        try:
            yield
        finally:
            del self.runs[serial]

    def called(self, name: str, call: Call) -> None:
        """A layer is called."""
        if name in _BY_FEATURES and call.args and type(call.args[0]) in (v.Array, v.Host):
            shape = self.i.aval_of(call.args[0]).shape
            self.meets(name, call.node, shape[-1:] if shape else None)

    def declared(self, call: Call) -> None:
        """`self.param(name, initialiser, shape)`"""
        self.meets("", call.node, shape_of(self.i, call.get(2)))

    def meets(self, name: str, node: ir.Node, size: v.Shape | None) -> None:
        context = self.i.context.linen
        undecided, sizes = self.runs.get(context.serial, (None, {})) if context is not None else (None, {})
        if context is not None and undecided == self.i.undecided:
            known = size if size is not None and all(isinstance(each, int) for each in size) else None
            sizes.setdefault(((*self.i.chain[context.depth + 1 :], node.site), name), []).append(known)

    def initialised(self, module: v.Ref, sizes: Sizes) -> None:
        self.of_objects.setdefault(module.location, []).append(sizes)

    def gave(self, module: v.Ref, variables: v.Value) -> None:
        """What the last `init` of a module gave."""
        structure = v.structure_of(variables)
        if structure is not None and module.location in self.of_objects:
            self.of_variables[structure.made] = self.of_objects[module.location][-1]

    def refuses(self, module: v.Ref, call: Call, sizes: Sizes) -> bool:
        """A module was applied. Whether a layer met another size than whenever its parameters were made; recorded if so."""
        made = self.made_for(module, call.get(0, "variables"))
        for (place, name), met in sizes.items() if made else ():
            for number, size in enumerate(met):
                others = [each.get((place, name), ()) for each in made]
                if size is None or any(len(each) != len(met) or each[number] in (None, size) for each in others):
                    continue
                before = others[0][number]
                return before is not None and self.i.events.refuses_parameters(
                    call, before, size, name.replace("flax.linen.", "nn."), place[-1]
                )
        return False

    def made_for(self, module: v.Ref, variables: v.Value | None) -> list[Sizes]:
        """What the layers of a module met when the variables were made; all that may be where they are not followed."""
        contents = self.i.contents(variables) if variables is not None else None
        if type(contents) is DictObject:
            variables = contents.items.get("params")
            if variables is None or type(self.i.contents(variables)) is DictObject:
                return []  # they were written by hand
        structure = v.structure_of(variables)
        if structure is not None and structure.made in self.of_variables:
            return [self.of_variables[structure.made]]
        return self.of_objects.get(module.location, [])
