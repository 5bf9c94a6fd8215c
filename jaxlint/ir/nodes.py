"""The intermediate representation: Python reduced to what the semantic model needs.

``jaxlint.ir.lowering`` writes one tree of these nodes for each file. A node keeps no position and no link to a parser's
tree, only its *site*: the index of the node in ``Unit.nodes``. ``Unit.positions`` gives start and end by site.

Nothing here imports a parser, so a unit can be pickled, cached and analysed without one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxlint.source.text import Spans


class Node:
    """Base of every expression and statement. ``site`` indexes ``Unit.nodes``."""

    __slots__ = ("site",)
    fields: tuple[str, ...] = ()

    def __init__(self, site: int, *values: Any) -> None:
        self.site = site
        for name, value in zip(self.fields, values, strict=True):
            setattr(self, name, value)

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"{type(self).__name__}#{self.site}({inner})"

    def children(self) -> list[Node]:
        """Direct sub-nodes in source order of the fields. Bodies of nested functions included."""
        found: list[Node] = []
        for name in self.fields:
            value = getattr(self, name)
            if isinstance(value, Node):
                found.append(value)
            elif type(value) is list or type(value) is tuple:
                for item in value:
                    if isinstance(item, Node):
                        found.append(item)
        return found


def _node(name: str, fields: str, doc: str, base: type = Node) -> Any:
    """Define a node class; ``__init__`` is written out because nodes are made by the thousand."""
    names = tuple(fields.split())
    header = ", ".join(("self", "site") + names)
    body = "\n".join(["    self.site = site"] + [f"    self.{n} = {n}" for n in names])
    namespace: dict[str, Any] = {}
    exec(f"def __init__({header}):\n{body}", namespace)
    return type(
        name,
        (base,),
        {
            "__slots__": names,
            "fields": names,
            "__init__": namespace["__init__"],
            "__doc__": doc,
            "__module__": __name__,
        },
    )


def walk(nodes: Iterable[Node], into_scopes: bool = True) -> Iterator[Node]:
    """The nodes at and below ``nodes`` in source order; without ``into_scopes`` no function or class met there is entered."""
    stack = list(nodes)[::-1]
    while stack:
        node = stack.pop()
        yield node
        if type(node) not in _LEAVES and (into_scopes or not isinstance(node, Scope)):
            stack += node.children()[::-1]


def statements(body: Iterable[Statement], into_scopes: bool = True) -> Iterator[Statement]:
    """The statements at and below ``body`` in source order; without ``into_scopes`` none of a function or class in it."""
    stack: list[Node] = list(body)
    stack.reverse()
    while stack:
        node = stack.pop()
        if isinstance(node, Statement):
            yield node
        if into_scopes or not isinstance(node, Scope):
            stack += [child for child in node.children()[::-1] if isinstance(child, _HOLDERS)]


def dotted(node: Any) -> str | None:
    """`self.key` as it is written; None for what is neither a variable nor an attribute of one."""
    parts: list[str] = []
    while type(node) is Attribute:
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if type(node) is Name else None


def names_below(nodes: Iterable[Node]) -> dict[str, list[Any]]:
    """The `Name` nodes at and below ``nodes`` by their name, in source order."""
    found: dict[str, list[Any]] = {}
    for node in walk(nodes):
        if isinstance(node, Name):
            found.setdefault(node.id, []).append(node)
    return found


class Expression(Node):
    __slots__ = ()


class Statement(Node):
    __slots__ = ()


def _expression(name: str, fields: str, doc: str) -> Any:
    return _node(name, fields, doc, Expression)


def _statement(name: str, fields: str, doc: str) -> Any:
    return _node(name, fields, doc, Statement)


# --- expressions -----------------------------------------------------------------------------

Constant = _expression("Constant", "value", "A literal: number, str, bytes, None, True, False, `...`.")
Name = _expression("Name", "id", "A name that is read.")
Attribute = _expression("Attribute", "value attr", "`value.attr`")
Subscript = _expression("Subscript", "value index", "`value[index]`; several indices are a tuple Sequence.")
Slice = _expression("Slice", "lower upper step", "`lower:upper:step`; missing parts are None.")
Starred = _expression("Starred", "value", "`*value` in a call, a display or a target.")
Run = _expression(
    "Run",
    "kind count",
    "Below `Starred` or `**`: constants left out of the tree, the name of their type if all have one, and how many there are.",
)
Sequence = _expression("Sequence", "kind elements", "A display; kind is 'tuple', 'list' or 'set'.")
Dict = _expression("Dict", "keys values", "A dict display; the key of `**value` is None.")
Call = _expression("Call", "func args keywords", "`args`: expressions (Starred too); `keywords`: Keyword nodes.")
Keyword = _node("Keyword", "name value", "`name=value` in a call; name is None for `**value`.")
Unary = _expression("Unary", "op operand", "op is 'not', '-', '+' or '~'.")
Binary = _expression("Binary", "op left right", "op as written: '+', '@', '//' ...")
Boolean = _expression("Boolean", "op left right", "op is 'and' or 'or'; longer chains nest to the left.")
Compare = _expression("Compare", "left ops rights", "A chain; ops as written ('<', 'is not', 'not in' ...).")
Conditional = _expression("Conditional", "test body orelse", "`body if test else orelse`")
Lambda = _expression("Lambda", "function", "A lambda; its Function has one Return as body.")
Comprehension = _expression(
    "Comprehension",
    "kind element value clauses locals",
    "kind is 'list', 'set', 'dict' or 'generator'; `value` is the dict value; `locals` the names it binds.",
)
Clause = _node("Clause", "target iterable conditions is_async", "`for target in iterable if ...`")
Format = _expression("Format", "parts", "An f-string: parts are str or Field.")
Field = _node(
    "Field", "value conversion spec debug", "`{value!conversion:spec}`; spec is a Format or None; debug for `=`."
)
Await = _expression("Await", "value", "`await value`")
Yield = _expression("Yield", "value", "`yield value`; value may be None.")
YieldFrom = _expression("YieldFrom", "value", "`yield from value`")
Walrus = _expression("Walrus", "target value", "`target := value`; target is a Name.")

# --- statements ------------------------------------------------------------------------------

Assign = _statement("Assign", "targets value", "`a = b = value`")
Augment = _statement("Augment", "target op value", "`target op= value`; op without the `=`.")
Annotate = _statement("Annotate", "target annotation value", "`target: annotation = value`; value may be None.")
Evaluate = _statement("Evaluate", "value", "An expression as a statement.")
Return = _statement("Return", "value", "`return value`; value may be None.")
Raise = _statement("Raise", "exception cause", "`raise exception from cause`; both may be None.")
Assert = _statement("Assert", "test message", "`assert test, message`; message may be None.")
Delete = _statement("Delete", "targets", "`del targets`")
If = _statement("If", "test body orelse", "An `elif` is an If alone in `orelse`.")
For = _statement("For", "target iterable body orelse is_async", "`for target in iterable`")
While = _statement("While", "test body orelse", "`while test`")
Try = _statement("Try", "body handlers orelse final is_star", "`try`; handlers are Handler nodes.")
Handler = _node("Handler", "type name body", "`except type as name`; type and name may be None.")
With = _statement("With", "items body is_async", "items are WithItem nodes.")
WithItem = _node("WithItem", "context target", "`context as target`; target may be None.")
Match = _statement("Match", "subject cases", "cases are Case nodes.")
Case = _node("Case", "pattern guard body", "pattern is a Pattern; guard may be None.")
Pattern = _node(
    "Pattern",
    "kind value names children_",
    "kind: 'value' (value an expression), 'class' (value the class), 'sequence', 'mapping', 'or', 'capture',"
    " 'wildcard', 'star'; `names` are the names bound by this pattern and below.",
)
Define = _statement("Define", "function", "`def`; decorators are in the Function.")
DefineClass = _statement("DefineClass", "definition", "`class`")
Import = _statement(
    "Import", "names aliases", "names: tuple of (dotted name, alias or None); `aliases`: an Alias for each."
)
ImportFrom = _statement(
    "ImportFrom",
    "module level names aliases",
    "names: tuple of (name, alias or None); ('*', None) for all; `aliases`: an Alias for each.",
)
Alias = _node("Alias", "name asname", "One name in an import: `name as asname`; asname may be None.")
Global = _statement("Global", "names", "`global names`")
Nonlocal = _statement("Nonlocal", "names", "`nonlocal names`")
Pass = _statement("Pass", "", "`pass` and type aliases")
Break = _statement("Break", "", "`break`")
Continue = _statement("Continue", "", "`continue`")


class Parameter(Node):
    """A parameter. ``kind`` is 'positional-only', 'ordinary', 'star', 'keyword-only' or 'double-star'."""

    __slots__ = ("name", "kind", "default", "annotation")
    fields = ("default", "annotation")

    def __init__(
        self, site: int, name: str, kind: str, default: Expression | None, annotation: Expression | None
    ) -> None:
        self.site = site
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation


class Scope(Node):
    """Something with a body of its own: the module, a class, a function, a lambda.

    ``locals`` are the names bound in this scope (parameters, assignments, imports, definitions ...)
    less those declared ``global`` or ``nonlocal``; ``free`` are the names this scope and the scopes
    inside it read or write but do not bind here.
    """

    __slots__ = ("name", "qualname", "body", "locals", "free", "globals", "nonlocals")
    fields: tuple[str, ...] = ("body",)

    def __init__(self, site: int) -> None:
        self.site = site  # lowering fills the rest when the body has been walked

    name: str
    qualname: str
    body: list[Statement]
    locals: frozenset[str]
    free: frozenset[str]
    globals: frozenset[str]
    nonlocals: frozenset[str]


class Module(Scope):
    """A module. Where the cells of a notebook begin is kept as offsets from its site, in order: at the next node."""

    __slots__ = ("cells",)

    def __init__(self, site: int) -> None:
        self.site = site
        self.cells: tuple[int, ...] = ()

    def cell(self, site: int) -> int:
        """Number of the cell that a site of this module is in; 0 in a module without cells."""
        return bisect_right(self.cells, site - self.site)

    def shows(self, statement: Statement) -> bool:
        """Whether a statement is the last one of a cell, whose value a notebook shows."""
        if not self.cells:
            return False
        at = bisect_right(self.body, statement.site, key=lambda each: each.site) - 1
        if at < 0 or self.body[at] is not statement:
            return False  # inside another statement
        return at + 1 == len(self.body) or self.cell(self.body[at + 1].site) != self.cell(statement.site)


class ClassDefinition(Scope):
    __slots__ = ("bases", "keywords", "decorators")
    fields = ("decorators", "bases", "keywords", "body")

    bases: tuple[Expression, ...]
    keywords: tuple[Any, ...]  # Keyword nodes
    decorators: tuple[Expression, ...]


class Function(Scope):
    """A def or a lambda. ``body`` of a lambda is one Return."""

    __slots__ = (
        "parameters",
        "decorators",
        "returns",
        "is_lambda",
        "is_async",
        "is_generator",
        "is_method",
    )
    fields = ("decorators", "parameters", "returns", "body")

    parameters: tuple[Parameter, ...]
    decorators: tuple[Expression, ...]
    returns: Expression | None
    is_lambda: bool
    is_async: bool
    is_generator: bool
    is_method: bool  # defined directly in a class body


class Tree:
    """The parents of one module's nodes, worked out when the first of them is asked for."""

    __slots__ = ("module", "first", "last", "parents")

    def __init__(self, module: Module, first: int, last: int) -> None:
        self.module = module
        self.first = first
        self.last = last
        self.parents: list[int | None] | None = None

    def parent(self, site: int) -> int | None:
        if site >= self.last:
            return None
        if self.parents is None:
            first = self.first
            parents: list[int | None] = [None] * (self.last - first)
            stack: list[Node] = [self.module]
            while stack:
                node = stack.pop()
                if type(node) in _LEAVES:
                    continue
                inside, above = node.children(), node.site
                for child in inside:
                    parents[child.site - first] = above
                stack += inside
            self.parents = parents
        return self.parents[site - self.first]


class Nodes:
    """Nodes by site: those of a file, and those of the modules that were added, each with sites in a row of its own."""

    __slots__ = ("_starts", "_rows")

    def __init__(self, first: int, nodes: list[Any]) -> None:
        self._starts = [first]
        self._rows = [nodes]

    def add(self, nodes: list[Any]) -> None:
        if nodes:
            at = bisect_right(self._starts, nodes[0].site)
            self._starts.insert(at, nodes[0].site)
            self._rows.insert(at, nodes)

    def __getitem__(self, site: Any) -> Any:
        """The node of a site; of a slice, those of the row in which it begins."""
        if isinstance(site, slice):
            at = self._row(self._starts[0] if site.start is None else site.start)
            first = self._starts[at]
            ends = (None if end is None else end - first for end in (site.start, site.stop))
            return self._rows[at][slice(*ends)]
        at = self._row(site)
        return self._rows[at][site - self._starts[at]]

    def __iter__(self) -> Iterator[Any]:
        return chain(*self._rows)

    def __len__(self) -> int:
        return sum(map(len, self._rows))

    def __contains__(self, site: object) -> bool:
        assert isinstance(site, int)
        at = bisect_right(self._starts, site) - 1
        return at >= 0 and site - self._starts[at] < len(self._rows[at])

    def _row(self, site: int) -> int:
        at = bisect_right(self._starts, site) - 1
        if at < 0:
            raise IndexError(f"no node has the site {site}")
        return at


class Unit:
    """One lowered file: the module scope and the table of nodes by site.

    The table also holds the nodes of the modules that are read for this one, so that a site means the
    same everywhere; the file's own are those from ``first`` to below ``last``. ``cst`` holds the libCST
    node of each site where libCST has read the file. ``positions`` gives start and end of each node of a file that was
    just lowered, by site; it is None for a unit that comes from the cache.
    """

    __slots__ = ("module", "nodes", "cst", "positions", "filename", "first", "last", "_starts", "_trees")

    def __init__(
        self,
        module: Module,
        nodes: list[Any] | Nodes,
        cst: list[Any] | None,
        filename: str,
        first: int = 0,
        last: int | None = None,
    ) -> None:
        self.module = module
        self.nodes = nodes if isinstance(nodes, Nodes) else Nodes(first, nodes)
        self.cst = cst
        self.positions: Callable[[], Spans] | None = None
        self.filename = filename
        self.first = first
        self.last = first + len(nodes) if last is None else last
        self._starts: list[int] = []  # the first site of each module in the table, in order
        self._trees: list[Tree] = []
        self._add(Tree(module, self.first, self.last))

    @property
    def own(self) -> list[Any]:
        """The nodes of this file alone."""
        own: list[Any] = self.nodes[self.first : self.last]
        return own

    def extend(self, nodes: list[Any], tree: Tree) -> None:
        """Add the nodes of another module, whose sites are no others' here."""
        self.nodes.add(nodes)
        self._add(tree)

    def _add(self, tree: Tree) -> None:
        at = bisect_right(self._starts, tree.first)
        self._starts.insert(at, tree.first)
        self._trees.insert(at, tree)

    def part(self, module: Module, filename: str, first: int, last: int) -> Unit:
        """The view of one module that was added: the same table of nodes, with parents of its own."""
        return Unit(module, self.nodes, None, filename, first, last)

    def parent(self, site: int) -> Node | None:
        """The node that contains ``site`` directly; None for the module."""
        tree = self._tree(site)
        above = tree.parent(site) if tree is not None else None
        return None if above is None else self.nodes[above]

    def _tree(self, site: int) -> Tree | None:
        at = bisect_right(self._starts, site) - 1
        return self._trees[at] if at >= 0 else None

    def module_of(self, site: int) -> Module:
        """The module that a site belongs to."""
        tree = self._tree(site)
        return self.module if tree is None else tree.module

    def ancestors(self, site: int) -> Iterator[Node]:
        """Parents of ``site`` from the inside out, ending with the module."""
        node = self.parent(site)
        while node is not None:
            yield node
            node = self.parent(node.site)

    def statement(self, site: int) -> Statement:
        """The innermost statement at or around ``site``."""
        node: Node | None = self.nodes[site]
        while node is not None and not isinstance(node, Statement):
            node = self.parent(node.site)
        assert node is not None
        return node

    def scope(self, site: int) -> Scope:
        """The innermost function, class or module around ``site``."""
        for node in self.ancestors(site):
            if isinstance(node, Scope):
                return node
        return self.module


_LEAVES = frozenset({Name, Constant, Run})  # most nodes are one of these, and have nothing below them
_HOLDERS = (Statement, Scope, Handler, Case)  # of statements
