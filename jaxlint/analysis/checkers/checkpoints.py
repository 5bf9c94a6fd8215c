"""Checkpoints that are read into something else than what was saved, and what is asked of plain dicts that they give."""

from __future__ import annotations

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.array_types import OF_NUMPY_ALONE
from jaxlint.analysis.models.standard_library import JOIN
from jaxlint.ir import nodes as ir
from jaxlint.source.library_sources import dotted_name

# What a checkpoint may hold has these attributes, or those of an array.
_PLAIN = frozenset(name for kind in (dict, list, str, bytes, int, float) for name in dir(kind))
_OF_MANAGERS = {
    "orbax.checkpoint.CheckpointManager.save": "StandardSave",
    "orbax.checkpoint.CheckpointManager.restore": "StandardRestore",
}
_WITH_PATHS = frozenset({"orbax.checkpoint.StandardCheckpointer.save", "orbax.checkpoint.PyTreeCheckpointer.save"})
# Functions of Flax that write with Orbax.
_OF_FLAX = frozenset(
    {"flax.training.checkpoints.save_checkpoint", "flax.training.checkpoints.save_checkpoint_multiprocess"}
)


@hazard_class(consequence=Consequence.LATER)
class PlainCheckpoint(Hazard):
    """The dicts and lists of a checkpoint are used as an object. Site and operand: the call that reads it."""

    use: str  # what they are taken for: "an object with `…`", "the state of `…`"
    used: int | None  # site of the use


@hazard_class(consequence=Consequence.LATER)
class TreeAsCheckpointArgs(Hazard):
    """A checkpoint manager is given a tree that says nothing of how to store it. Site: the call; operand: the tree."""

    wanted: str  # the class of `orbax.checkpoint.args` that says it


@hazard_class(consequence=Consequence.LATER)
class RelativeCheckpointPath(Hazard):
    """A checkpointer is given a path that is not absolute. Site: the call; operand: the path."""


class Checkpoints(Checker):
    """Calls of Flax's serialization and of Orbax, and what is done with trees that they give."""

    def subscribe(self, events: Events) -> None:
        events.called.append(self.called, (v.BoundMethod, v.FunctionValue, v.Member))
        events.library_called.append(self.placed, _OF_FLAX)
        events.refuses_object_attribute.append(self.lacks)

    def lacks(self, node: ir.Attribute, base: v.Value, attr: str) -> bool:
        """Whether an attribute is read of plain dicts and lists of arrays, which lack it; recorded if so."""
        structure = v.structure_of(base)
        if structure is None or structure.kind != v.READ or attr in _PLAIN | OF_NUMPY_ALONE:
            return False
        if knowledge.member(attr, v.STAGED) is not None:
            return False
        self.plain(structure, f"an object with `{attr}`", node.site)
        return True

    def plain(self, structure: v.Structure, use: str, site: int) -> None:
        """What was read as plain dicts is used as something else at a site."""
        call = self.i.unit.nodes[structure.made]
        used = next((each for each in (site, *reversed(self.i.chain)) if not self.i.is_in_source(each)), None)
        self.i.report(PlainCheckpoint(use, used), call, call, v.UNKNOWN)

    def called(self, func: v.Value, call: Call) -> None:
        if type(func) is v.Member and func.name == "update":
            structure, maker = v.structure_of(call.get(1, "state")), self.i.libraries.remembers(func.receiver)
            if structure is not None and structure.kind == v.READ and maker is not None:
                self.plain(structure, f"the state of `{maker}`", call.site)
            return
        name = self.name_of(func)
        if name is None or self.i.is_in_source(call.site) or call.star or call.double_star:
            return
        if name in _OF_MANAGERS:
            self.managed(func, _OF_MANAGERS[name], call)
        elif name in _WITH_PATHS:
            self.placed(name, call)

    def placed(self, name: str, call: Call) -> None:
        """A checkpoint is written to a path."""
        parameter = "ckpt_dir" if name in _OF_FLAX else "directory"
        path, node = call.get(0, parameter), call.node_of(0, parameter)
        if (
            node is not None
            and path is not None
            and self.is_relative(path, node)
            and not self.i.is_in_source(call.site)
        ):
            self.i.report(RelativeCheckpointPath(), call.node, node, path)

    def is_relative(self, path: v.Value, node: ir.Node) -> bool:
        """Whether a path is written out, at least its beginning, and begins in the working directory."""
        joined = self.i.last_calls.get(node.site) if type(node) is ir.Call else None
        if type(path) is v.Const and isinstance(path.value, str):
            text = path.value
        elif isinstance(node, ir.Format) and node.parts and isinstance(node.parts[0], str):
            text = node.parts[0]
        elif joined is not None and joined.args and self.i.library_name(self.i.last_callee.get(node.site)) == JOIN:
            return self.is_relative(joined.args[0], joined.arg_nodes[0])
        else:
            return False
        return not (text.startswith(("/", "\\", "~")) or ":" in text) and text != ""

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
                self.i.report(TreeAsCheckpointArgs(wanted), call.node, node, value)
                return
