"""A call with its arguments evaluated."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v

if TYPE_CHECKING:
    from jaxlint.ir import nodes as ir

BEHIND = "behind"


class Call:
    """One call, its arguments evaluated.

    ``star``: some positional arguments are not known; BEHIND: they follow those that are. ``each`` stands for any of these,
    and of the keywords that are not known.
    """

    __slots__ = (
        "node", "args", "arg_nodes", "keywords", "keyword_nodes", "star", "double_star", "entering", "bound", "each",
    )  # fmt: skip

    def __init__(
        self,
        node: ir.Node,
        args: list[v.Value],
        arg_nodes: list[ir.Node],
        keywords: dict[str, v.Value],
        keyword_nodes: dict[str, ir.Node],
        star: bool | str = False,
        double_star: bool = False,
    ) -> None:
        self.node: ir.Node = node
        self.args: list[v.Value] = args
        self.arg_nodes: list[ir.Node] = arg_nodes
        self.keywords: dict[str, v.Value] = keywords
        self.keyword_nodes: dict[str, ir.Node] = keyword_nodes
        self.star: bool | str = star
        self.double_star: bool = double_star
        self.each: v.Value = v.UNKNOWN
        self.bound: Any = None  # the facts of a function, and its parameters with what this call gives for them
        self.entering: bool = False  # the call of a transformed body: its parameters are where tracing begins

    @property
    def site(self) -> int:
        site: int = self.node.site
        return site

    def get(self, position: int | None, name: str | None = None) -> v.Value | None:
        """The argument at a position or of a name; None where it is not passed."""
        if position is not None and position < len(self.args) and not self.star:
            return self.args[position]
        return self.keywords.get(name) if name is not None else None

    def node_of(self, position: int | None, name: str | None = None) -> ir.Node | None:
        if position is not None and position < len(self.arg_nodes) and not self.star:
            return self.arg_nodes[position]
        return self.keyword_nodes.get(name) if name is not None else None

    def all(self) -> list[v.Value]:
        return self.args + list(self.keywords.values()) + ([self.each] if self.star == BEHIND else [])

    def shifted(self, args: tuple[v.Value, ...], keywords: dict[str, v.Value]) -> Call:
        """This call with arguments put in front and default keywords added (functools.partial)."""
        shifted = Call(
            self.node,
            list(args) + self.args,
            [self.node] * len(args) + self.arg_nodes,
            {**keywords, **self.keywords},
            {**dict.fromkeys(keywords, self.node), **self.keyword_nodes},
            self.star,
            self.double_star,
        )
        shifted.each = self.each
        return shifted

    def in_order(self, name: str) -> Call:
        """This call of a library function with what it cannot do without in its place, whether it is named or not.

        `jnp.split(ary=x, indices_or_sections=2)` is read as `jnp.split(x, 2)`; what has a default keeps its keyword.
        """
        if not self.keywords or self.star:
            return self
        moved = list(takewhile(self.keywords.__contains__, knowledge.leading(name)[len(self.args) :]))
        if not moved:
            return self
        return Call(
            self.node,
            self.args + [self.keywords[each] for each in moved],
            self.arg_nodes + [self.keyword_nodes[each] for each in moved],
            {each: value for each, value in self.keywords.items() if each not in moved},
            {each: node for each, node in self.keyword_nodes.items() if each not in moved},
            False,
            self.double_star,
        )
