"""Imports: what a name that is imported stands for.

A name of a library is an `Api`, by its dotted path. A name of another module of the project is
looked up when it is first read: that module is lowered, and its body interpreted, once for a root
and apart from it. The functions and classes found there are then followed like those of the file
itself; what is wrong with them under their own module's calls is for that module's own root to say.
"""

from __future__ import annotations

import re
from typing import Any, Optional

from jaxlint import knowledge, syntax as ir
from jaxlint.semantics import values as v
from jaxlint.semantics.context import STAGED_CODE, Context, Frame
from jaxlint.semantics.model import Activation, Part
from jaxlint.semantics.state import Instance, State

# Steps of one root that may be taken in imported functions.
IMPORTED_STEPS_PER_NODE = 3
MIN_IMPORTED_STEPS = 20_000

_Names = dict[str, v.Value]


class Imports:
    """Mixin of the interpreter: import statements, of libraries and of the project's own modules."""

    def on_import(self: Any, node: Any) -> None:
        for (dotted, alias), part in zip(node.names, node.aliases):
            bound = dotted if alias is not None else dotted.partition(".")[0]
            place = self.locate(bound)
            if place is not None:
                self.bind(alias or bound, v.ModuleValue(place))
            else:
                self.note_import(node, part, dotted)
                self.startup.imported(node, dotted)
                self.bind(alias or bound, v.Api(knowledge.canonical(bound)))

    def on_import_from(self: Any, node: Any) -> None:
        module = node.module
        place = self.locate(module, node.level)
        if place is None and not node.level:
            self.startup.imported(node, module)
        for (name, alias), part in zip(node.names, node.aliases):
            if place is not None:
                if name == "*":
                    for public, value in self.public_names(place).items():
                        self.bind(public, value)
                else:
                    self.bind(alias or name, v.Imported(place, name))
            elif node.level:
                if name != "*":
                    self.bind(alias or name, v.Unknown(v.fresh()))
            elif name == "*":
                self.note_import(node, part, module)
                for public in knowledge.exported(module):
                    use = self.name_use(f"{module}.{public}")
                    if use is None or use.status != "gone":
                        self.bind(public, v.Api(knowledge.canonical(f"{module}.{public}")))
            else:
                dotted = f"{module}.{name}"
                self.note_import(node, part, dotted)
                self.bind(alias or name, self.imported(dotted))

    def locate(self: Any, module: str, level: int = 0) -> Optional[Any]:
        """Where a module of the project is, as the running file imports it."""
        if self.loader is None:
            return None
        return self.loader.locate(self.filenames[self.frame.top.scope.site], module, level)

    def variables(self: Any, frame: Frame) -> _Names:
        """The variables of a frame, of this root or of a module it imports."""
        found = self.state.frames.get(frame.serial)
        return found if found is not None else self.world.frames.get(frame.serial, {})

    def look_up(self: Any, place: Any, name: str, seen: tuple[Any, ...] = ()) -> v.Value:
        """What ``name`` stands for in the module at ``place``: a name it binds, or a submodule."""
        if self.stays_home:
            return v.Unknown(v.fresh())
        said = self.project_names.at(place.file, name)
        if said is not None:
            return said
        value = self.names_of(place).get(name)
        if type(value) is v.Imported:  # handed on from yet another module
            step = (value.place, value.name)
            return v.Unknown(v.fresh()) if step in seen else self.look_up(*step, seen + (step,))
        if value is not None:
            return value
        inner = self.loader.child(place, name)
        return v.ModuleValue(inner) if inner is not None else v.Unknown(v.fresh())

    def public_names(self: Any, place: Any) -> _Names:
        """What ``from module import *`` binds."""
        names = self.names_of(place)
        listed = self.items_of(names["__all__"]) if "__all__" in names else None
        if listed is not None and all(type(item) is v.Const for item in listed):
            return {item.value: names[item.value] for item in listed if item.value in names}
        return {name: value for name, value in names.items() if not name.startswith("_")}

    def names_of(self: Any, place: Any) -> _Names:
        """The variables of a module at its end; none while it is still being read, or where it cannot be."""
        file = place.file
        if file is None:
            return {}
        if file not in self.modules:
            if self.is_root(file):
                return self.state.frames.get(self.module_frame.serial, {})
            self.modules[file] = {}
            self.modules[file] = self.load(file)
        return self.modules[file]

    def is_worth_following(self: Any, func: v.FunctionValue, call: Any, context: Context) -> bool:
        """Whether a call into another module can show anything that its own root does not.

        It can where the code is staged, an array, a key or a function is handed over, or a function
        may come back. What eager code computes of plain values is left unknown.
        """
        function = func.function
        if context.stage == STAGED_CODE or function.name == "__init__":
            return True
        if func.frame is not None and func.frame.parent is not None:
            return True  # made by a function that was followed, and reads its variables
        for leaf in self.leaves(call.all()):
            kind = type(leaf)
            # What an array is refused for, its own module cannot say of a bare parameter.
            if leaf.cls is not None or kind in _FOLLOWED:
                return True
            contents = self.contents(leaf)
            if type(contents) is Instance and any(each.cls is not None or type(each) in _ARRAYS for each in contents.fields.values()):
                return True
        if any(_NAMES_A_KEY.search(parameter.name) for parameter in function.parameters):
            return True
        makes = self.makers.get(function.site)
        if makes is None:
            makes = self.makers[function.site] = _makes_functions(function)
        return makes

    def enter_imported(self: Any) -> bool:
        """Whether there are steps left for code that is imported; without any it is unknown.

        A root is not to cost many times what its own code does.
        """
        inside = bool(self.stack) and self.stack[-1] >= self.own
        spent = self.imported_steps + (self.steps - self.imported_since if inside else 0)
        limit = max(MIN_IMPORTED_STEPS, IMPORTED_STEPS_PER_NODE * self.own)
        if spent > limit:
            self.budget(f"more than {limit} steps in imported modules")
        return spent <= limit

    def is_root(self: Any, file: str) -> bool:
        return self.loader.same(file, self.unit.filename)

    def load(self: Any, file: str) -> _Names:
        """Lower a module behind the root's own sites and interpret its body, silently and in a state of its own."""
        first = len(self.unit.nodes)
        module = self.loader.splice(file, self.unit)
        if module is None:
            return {}
        last = len(self.unit.nodes)
        self.model.parts.append(Part(file, module, first, last))
        self.filenames[module.site] = file
        self.step_limit += self.steps_for(last - first)
        frame = Frame(module, None)
        names: _Names = {}
        saved = {name: getattr(self, name) for name in _APART}
        self.frame, self.context = frame, Context()
        self.state = self.last_state = State()
        self.activation = Activation(module, "module", "eager")
        self.chain, self.guards, self.loop_entry = (), (), None
        self.returned, self.yielded, self.breaks, self.continues, self.pending = [], [], [], [], []
        self.recorded = None
        self.stays_home = 0
        self.silent += 1
        self.entry_serial = v.fresh()[0]
        try:
            self.state.open_frame(frame.serial, {})
            self.block(module.body)
            left = self.state if self.state is not None else self.last_state
            names = left.frames.get(frame.serial, {})
            self.world.frames.update(left.frames)
            self.world.heap.update(left.heap)
        finally:
            for name, value in saved.items():
                setattr(self, name, value)
        return names


_ARRAYS = frozenset({v.Array, v.Host})
_FOLLOWED = _ARRAYS | {v.FunctionValue, v.Transformed, v.Partial, v.BoundMethod}
_NAMES_A_KEY = re.compile(r"key|rng|seed", re.IGNORECASE)


def _makes_functions(function: ir.Function) -> bool:
    """Whether a function stands in the body, to be returned perhaps."""
    return any(isinstance(node, (ir.Define, ir.Lambda, ir.DefineClass)) for node in ir.walk(function.body))


# What belongs to the code that is running, and not to the root as a whole.
_APART = (
    "stays_home", "frame", "context", "state", "last_state", "activation", "chain", "guards", "loop_entry", "returned", "yielded",
    "breaks", "continues", "pending", "recorded", "silent", "entry_serial", "effects", "stores",
    "last_captured",
)  # fmt: skip
