"""A module of the project as its body leaves it, for the roots that import it.

Its body is interpreted silently by an interpreter of its own, so that what is found depends on nothing but the module,
those it uses in turn, and which of those are half read: what a circle of imports leaves depends on where it is entered.
It can then serve every root of a run that comes upon it in the same place of the circle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.model import Activation, Part
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.containment import Failure
    from jaxlint.analysis.domain.values import Value
    from jaxlint.project.ir_cache import Lowered
    from jaxlint.project.resolver import Question

# What components remember of the file as a whole, or of the way that leads to where they are.
_OF_THE_ROOT = frozenset({
    "runners.decorators", "runners.others", "runners.wrappers", "not_arrays.plain", "custom_rules.elsewhere", "static_self.read", "lost_stores.known",
    "own_releases", "asked.names", "asked.conditions", "asked.assigned", "unremarkable", "root_names", "onward", "loop_syncs.inside", "captures.names", "captures.clearing", "choices.names", "zero_norms.names",
    "equinox.open", "fresh.created", "transforms._open", "tangents.loops", "tangents.choices", "tangents.points", "filenames", "modules",
    "contexts", "loop_runs", "memo", "silent_memo", "guard_keys", "found", "activated", "bases", "right_values", "reported_keys", "reported_shared", "imports",
})  # fmt: skip
_FLAGS = (("typed_keys", "made"), ("nnx", "by_reference"))  # whether there is any of something

_Tables = dict[str, Any]


class Evaluated:
    """One module.

    ``uses`` are those of which it has read names, ``closure`` is itself and all that they lead to; ``half_read`` those
    that had not been read to their end when it had, and ``read`` those whose text alone said where a name is from.
    """

    __slots__ = (
        "file", "lowered", "names", "frames", "heap", "uses", "read", "closure", "half_read", "asked", "tables", "flags", "budgets",
        "failures",
    )  # fmt: skip

    def __init__(self, file: str, lowered: Lowered | None) -> None:
        self.file = file
        self.lowered = lowered
        self.names: dict[str, Value] = {}
        self.frames: dict[int, dict[str, Value]] = {}
        self.heap: dict[int, Any] = {}
        self.uses: dict[str, Evaluated] = {}
        self.read: dict[str, Lowered | None] = {}
        self.closure: dict[str, Evaluated] = {file: self}
        self.half_read: set[str] = set()
        self.asked: dict[Question, bool] = {}
        self.tables: _Tables = {}
        self.flags: list[tuple[str, str]] = []
        self.budgets: list[str] = []
        self.failures: list[Failure] = []

    def holds_for(self, i: Any) -> bool:
        """Whether this is what interpreting the module for a root would find.

        It is where those that were half read are so now, and those that were read are not half read now: nothing else
        of what is around a module reaches it.
        """
        around = i.being_read()
        loader = i.loader
        if not all(file in around or i.root.is_root(file) for file in self.half_read):
            return False
        for file, each in self.closure.items():
            if file in around or i.root.is_root(file):
                return False
            if loader.module(file) is not each.lowered:
                return False  # it has changed
        return all(loader.module(file) is lowered for file, lowered in self.read.items())

    def evaluate(self, i: Any) -> None:
        """Interpret the body, for the interpreter ``i`` that comes upon the module."""
        lowered = self.lowered
        assert lowered is not None
        inner = type(i)(ir.Unit(lowered.module, [], None, self.file, lowered.first), loader=i.loader)
        inner.own = 0
        inner.conventions, inner.target, inner.allowed = i.conventions, i.target, i.allowed
        inner.widths.set_narrow(i.widths.file_is_narrow())
        inner.around, inner.root, inner.evaluation = i, i.root, self
        inner.unit.extend(lowered.nodes, lowered.tree)
        inner.model.add(Part(self.file, lowered.module, lowered.first, lowered.last))
        inner.step_limit = max(inner.step_limit, inner.steps_for(len(lowered.nodes)))
        inner.silent = 1
        inner.module_frame = inner.frame = Frame(lowered.module, None)
        inner.activation = Activation(lowered.module, "module", "eager")
        inner.state.open_frame(inner.frame.serial, {})
        inner.block(lowered.module.body)
        left = inner.state if inner.state is not None else inner.last_state
        self.names = left.frames.get(inner.frame.serial, {})
        self.frames, self.heap = left.frames, left.heap
        for used in self.uses.values():
            for file, each in used.closure.items():
                self.closure.setdefault(file, each)
                self.half_read |= each.half_read
                self.read.update(each.read)
        around = i.being_read()
        self.half_read = {file for file in self.half_read if file in around or i.root.is_root(file)}
        self.tables = dict(self._remembered(inner))
        self.flags = [(part, name) for part, name in _FLAGS if getattr(getattr(inner, part), name)]
        self.budgets = [
            text
            for text in inner.model.budget_reached
            if not any(text in each.budgets for each in self.closure.values())
        ]
        self.failures = inner.model.failures
        inner.close()

    def _remembered(self, inner: Any) -> Iterator[tuple[str, Any]]:
        """What the components have written down of the module, and not of those it uses."""
        others = [each.tables for each in self.closure.values() if each is not self]
        for name, table in tables(inner):
            known = [each[name] for each in others if name in each]
            if isinstance(table, dict):
                new: Any = {key: x for key, x in table.items() if not any(key in each for each in known)}
            else:
                new = {key for key in table if not any(key in each for each in known)}
            if new:
                yield name, new

    def hand_over(self, i: Any) -> None:
        """Tell a root's components what was written down of the module."""
        self.hand_over_variables(i)
        for path, table in self.tables.items():
            holder, _, name = path.rpartition(".")
            owner = i
            for part in holder.split(".") if holder else ():
                owner = getattr(owner, part)
            getattr(owner, name).update(table)
        for part, name in self.flags:
            setattr(getattr(i, part), name, True)
        for text in self.budgets:
            i.budget(text)
        i.model.failures += self.failures

    def hand_over_variables(self, i: Any) -> None:
        """Give a root what the module's functions read."""
        i.world.frames.update(self.frames)
        i.world.heap.update(self.heap)


def tables(i: Any) -> Iterator[tuple[str, Any]]:
    """The dictionaries and sets that hold something, in an interpreter and in its components, by where they are."""
    for name, part in vars(i).items():
        if type(part) in (dict, set):
            if part and name not in _OF_THE_ROOT:
                yield name, part
        elif getattr(part, "i", None) is i:
            yield from _tables_of(i, name, part, [])


def _tables_of(i: Any, path: str, part: Any, seen: list[Any]) -> Iterator[tuple[str, Any]]:
    for name, inner in vars(part).items():
        if type(inner) in (dict, set):
            if inner and ".".join(f"{path}.{name}".split(".")[-2:]) not in _OF_THE_ROOT:
                yield f"{path}.{name}", inner
        elif getattr(inner, "i", None) is i and inner not in seen and "." not in path:
            yield from _tables_of(i, f"{path}.{name}", inner, [*seen, part])
