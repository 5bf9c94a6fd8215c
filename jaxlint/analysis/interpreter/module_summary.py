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
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.containment import Failure
    from jaxlint.analysis.domain.state import Contents
    from jaxlint.analysis.domain.values import Value
    from jaxlint.project.ir_cache import Lowered
    from jaxlint.project.resolver import Answer, Question

_Table = dict[Any, Any] | set[Any]


class Evaluated:
    """One module.

    ``uses`` are those of which it has read names, ``closure`` is itself and all that they lead to; ``half_read`` those
    that had not been read to their end when it had, and ``read`` those whose text alone said where a name is from.
    """

    __slots__ = (
        "file", "lowered", "names", "frames", "heap", "uses", "read", "closure", "half_read", "asked", "tables", "budgets",
        "failures",
    )  # fmt: skip

    def __init__(self, file: str, lowered: Lowered | None) -> None:
        self.file = file
        self.lowered = lowered
        self.names: dict[str, Value] = {}
        self.frames: dict[int, dict[str, Value]] = {}
        self.heap: dict[int, Contents] = {}
        self.uses: dict[str, Evaluated] = {}
        self.read: dict[str, Lowered | None] = {}
        self.closure: dict[str, Evaluated] = {file: self}
        self.half_read: set[str] = set()
        self.asked: dict[Question, Answer] = {}
        self.tables: list[_Table] = []  # by the order in which components declare them
        self.budgets: list[str] = []
        self.failures: list[Failure] = []

    def holds_for(self, i: Interpreter) -> bool:
        """Whether this is what interpreting the module for a root would find.

        It is where those that were half read are so now, and those that were read are not half read now: nothing else
        of what is around a module reaches it.
        """
        around = i.being_read()
        loader = i.loader
        assert loader is not None
        if not all(file in around or i.root.is_root(file) for file in self.half_read):
            return False
        for file, each in self.closure.items():
            if file in around or i.root.is_root(file):
                return False
            if loader.module(file) is not each.lowered:
                return False  # it has changed
        return all(loader.module(file) is lowered for file, lowered in self.read.items())

    def evaluate(self, i: Interpreter) -> None:
        """Interpret the body, for the interpreter ``i`` that comes upon the module."""
        assert self.lowered is not None
        tree = self.lowered.tree
        module = tree.module
        # Without nodes of its own: all code is that of a module, as it is for the root.
        inner = type(i)(ir.Unit(ir.Tree(0, module, []), self.file), loader=i.loader)
        inner.conventions, inner.target, inner.allowed = i.conventions, i.target, i.allowed
        inner.around, inner.root, inner.evaluation = i, i.root, self
        inner.unit.add(tree)
        inner.model.add(Part(self.file, tree))
        inner.step_limit = max(inner.step_limit, inner.steps_for(len(tree.nodes)))
        inner.silent = 1
        inner.module_frame = inner.frame = Frame(module, None)
        inner.activation = Activation(module, "module", "eager")
        assert inner.state is not None
        inner.state.open_frame(inner.frame.serial, {})
        inner.block(module.body)
        left = inner.current_state() if inner.current_state() is not None else inner.last_state
        assert left is not None
        self.names = left.frames.get(inner.frame.serial, {})
        self.frames, self.heap = left.frames, left.heap
        for used in self.uses.values():
            for file, each in used.closure.items():
                self.closure.setdefault(file, each)
                self.half_read |= each.half_read
                self.read.update(each.read)
        around = i.being_read()
        self.half_read = {file for file in self.half_read if file in around or i.root.is_root(file)}
        self.tables = list(self._own_facts(inner.module_tables))
        self.budgets = [
            text
            for text in inner.model.budget_reached
            if not any(text in each.budgets for each in self.closure.values())
        ]
        self.failures = inner.model.failures
        inner.close()

    def _own_facts(self, tables: list[_Table]) -> Iterator[_Table]:
        """Yield each table without the facts about the modules that this one uses."""
        others = [other.tables for other in self.closure.values() if other is not self and other.tables]
        for number, table in enumerate(tables):
            known = [facts[number] for facts in others]
            if isinstance(table, dict):
                yield {key: fact for key, fact in table.items() if not any(key in facts for facts in known)}
            else:
                yield {fact for fact in table if not any(fact in facts for facts in known)}

    def hand_over(self, i: Interpreter) -> None:
        """Tell a root's components what was written down of the module."""
        self.hand_over_variables(i)
        for table, facts in zip(i.module_tables, self.tables):
            table.update(facts)
        for text in self.budgets:
            i.budget(text)
        i.model.failures += self.failures

    def hand_over_variables(self, i: Interpreter) -> None:
        """Give a root what the module's functions read."""
        i.world.frames.update(self.frames)
        i.world.heap.update(self.heap)
