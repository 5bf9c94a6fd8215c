"""Checkpoints that are read into something else than what was saved, and what is asked of plain dicts that they give."""

from __future__ import annotations

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.array_types import OF_NUMPY_ALONE
from jaxlint.analysis.transforms.restored import READING, is_class
from jaxlint.ir import nodes as ir
from jaxlint.source.library_sources import dotted_name

# What a checkpoint may hold has these attributes, or those of an array.
_PLAIN = frozenset(name for kind in (dict, list, str, bytes, int, float) for name in dir(kind))
_OF_ARRAYS = frozenset(
    {"shape", "dtype", "size", "nbytes", "itemsize", "at", "sharding", "device", "addressable_shards"}
)
_OF_MANAGERS = {
    "orbax.checkpoint.CheckpointManager.save": "StandardSave",
    "orbax.checkpoint.CheckpointManager.restore": "StandardRestore",
}
_WITH_PATHS = frozenset({"orbax.checkpoint.StandardCheckpointer.save", "orbax.checkpoint.PyTreeCheckpointer.save"})


@hazard_class(consequence=Consequence.LATER)
class CheckpointMisuse(Hazard):
    """A checkpoint is read without what it is to become, or not as it was written. Site: the call; operand: what is wrong."""

    # "attribute" that plain dicts lack; "state" of an optimiser; "class" in place of a target; "args" that a manager lacks;
    # "path" that is relative
    how: str
    name: str = ""  # the attribute, the optimiser, the class of `args`
    used: int | None = None  # where what was read is used


class Checkpoints(Checker):
    """Calls of Flax's serialization and of Orbax, and what is done with trees that they give."""

    def subscribe(self, events: Events) -> None:
        events.called.append(self.called)
        events.library_called.append(self.read)
        events.refuses_object_attribute.append(self.lacks)

    def lacks(self, node: ir.Attribute, base: v.Value, attr: str) -> bool:
        """Whether an attribute is read of plain dicts and lists of arrays, which lack it; recorded if so."""
        structure = v.structure_of(base)
        if structure is None or structure.kind != v.READ or attr in _PLAIN | _OF_ARRAYS | OF_NUMPY_ALONE:
            return False
        if knowledge.member(attr, v.STAGED) is not None:
            return False
        self.plain(structure, "attribute", attr, node.site)
        return True

    def plain(self, structure: v.Structure, how: str, name: str, site: int) -> None:
        """What was read as plain dicts is used as something else at a site."""
        call = self.i.unit.nodes[structure.made]
        used = next((each for each in (site, *reversed(self.i.chain)) if not self.i.is_in_source(each)), None)
        self.i.report(CheckpointMisuse(how, name, used), call, call, v.UNKNOWN)

    def called(self, func: v.Value, call: Call) -> None:
        if type(func) is v.Member and func.name == "update":
            structure, maker = v.structure_of(call.get(1, "state")), self.i.libraries.remembers(func.receiver)
            if structure is not None and structure.kind == v.READ and maker is not None:
                self.plain(structure, "state", maker, call.site)
            return
        name = self.name_of(func)
        if name is None or self.i.is_in_source(call.site) or call.star or call.double_star:
            return
        if name in _OF_MANAGERS:
            self.managed(func, _OF_MANAGERS[name], call)
        elif name in _WITH_PATHS:
            path, node = call.get(0, "directory"), call.node_of(0, "directory")
            if node is not None and path is not None and _is_relative(path, node):
                self.i.report(CheckpointMisuse("path"), call.node, node, path)

    def read(self, name: str, call: Call) -> None:
        """A class says nothing of what a checkpoint is to become."""
        place = READING.get(name)
        target, node = (call.get(*place), call.node_of(*place)) if place is not None else (None, None)
        if node is not None and is_class(target) and not self.i.is_in_source(call.site):
            self.i.report(CheckpointMisuse("class"), call.node, node, target or v.UNKNOWN)

    def name_of(self, func: v.Value) -> str | None:
        """The dotted name of a function or method that a source stands for."""
        function = func.function if type(func) is v.BoundMethod else func
        if type(function) is not v.FunctionValue or (function is func and function.owner is not None):
            return None
        if not self.i.is_in_source(function.function.site):
            return None
        module = self.i.unit.module_of(function.function.site)
        return dotted_name(self.i.filenames[module.site], function.function.qualname)

    def managed(self, func: v.Value, wanted: str, call: Call) -> None:
        """A manager that was given no handlers takes a tree in `args` alone, and there in an object that says how to store it."""
        manager = self.i.contents(func.receiver) if type(func) is v.BoundMethod else None
        handled = manager.fields.get("_handled") if type(manager) is Instance else None
        if type(handled) is not v.Const or handled.value is not False:
            return
        for position, name in ((1, "items"), (5 if wanted == "StandardSave" else 4, "args")):
            value, node = call.get(position, name), call.node_of(position, name)
            if value is None or node is None or v.is_none(value):
                continue
            is_tree = name == "items" or type(self.i.contents(value)) in (DictObject, ListObject)
            if is_tree or type(value) is v.Tuple or v.structure_of(value) is not None:
                self.i.report(CheckpointMisuse("args", wanted), call.node, node, value)
                return


def _is_relative(path: v.Value, node: ir.Node) -> bool:
    """Whether a path is written out, at least its beginning, and begins in the working directory."""
    if type(path) is v.Const and isinstance(path.value, str):
        text = path.value
    elif isinstance(node, ir.Format) and node.parts and isinstance(node.parts[0], str):
        text = node.parts[0]
    else:
        return False
    return not (text.startswith(("/", "\\", "~")) or ":" in text) and text != ""
