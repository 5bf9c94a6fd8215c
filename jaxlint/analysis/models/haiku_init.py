"""What Haiku's own versions of transforms do while parameters are made: some of them run nothing then, or all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.ir import nodes as ir


@hazard_class()
class HaikuInitInTransform(Hazard):
    """A JAX transform traces a function that makes or uses Haiku state inside `hk.transform`.

    Site: the call of Haiku's transform; operand: the layer.
    """

    how: str


class Asked(NamedTuple):
    """A layer that was called."""

    ident: Any
    node: ir.Node
    made: bool  # whether its parameters were made before


class HaikuInit(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.asked: list[Asked] = []
        # Site of a call -> layers made in each of its branches.
        self.branches: dict[int, list[dict[Any, Any]]] = self.i.per_module({})

    def tried(self, transform: Transform, call: Call, first: int, start: int) -> None:
        """A function of a loop or branch has run as `init` runs it; ``first`` and ``start`` say what came before."""
        asked, self.asked[first:] = self.asked[first:], []
        if transform.name == "haiku.while_loop" and asked:
            self.fails(call.node, asked[0].node, transform.name, "loop")
        elif transform.name in ("haiku.cond", "haiku.switch"):
            made = {each.ident: each.node for each in asked if not each.made and each.ident[-1] < start}
            self.branches.setdefault(call.site, []).append(made)

    def chosen(self, transform: Transform, call: Call) -> None:
        """All branches have run: `init` compares what parameters each of them left."""
        branches = self.branches.pop(call.site, [])
        everywhere = set(branches[0]).intersection(*branches) if branches else set()
        for made in branches:
            for ident, node in made.items():
                if ident not in everywhere:
                    self.fails(call.node, node, transform.name, "branches")
                    return

    def mapped(self, made: v.Transformed, call: Call, first: int) -> None:
        """A function under `hk.vmap` has run."""
        asked, self.asked[first:] = self.asked[first:], []
        split = made.options.get("split_rng")
        new = [each.node for each in asked if not each.made]
        if made.transform.name == "haiku.vmap" and type(split) is v.Const and split.value is True and new:
            self.fails(self.i.unit.nodes[made.site], new[0], "haiku.vmap", "split")

    def wrapped(self, made: v.Transformed, call: Call) -> None:
        if made.transform.name == "haiku.vmap" and not {"split_rng", "**"} & made.options.keys():
            releases = self.i.releases.of("haiku.vmap", call.node)
            if releases is None or self.i.releases.at(call.node, releases) is None:
                return
            self.i.report(HaikuInitInTransform("missing"), call.node, call.node, v.UNKNOWN, api="haiku.vmap")

    def fails(self, at: ir.Node, node: ir.Node, api: str, how: str) -> None:
        """Record what fails while parameters are made, unless the code asks whether they are."""
        i, inside = self.i, self.i.context.haiku
        certain = inside and i.undecided == inside.undecided and not i.returned and i.context.leak is None
        if certain and not i.haiku.looks_after_init():
            i.report(HaikuInitInTransform(how), at, node, v.UNKNOWN, api=api)
