"""The intermediate representation: Python reduced to what the semantic model needs.

``jaxlint.ir.lowering`` writes one tree of these nodes for each file. A node keeps no position and no link to a parser's
tree, only its *site*: the number of its file in this process and its index in the file, in one integer. So a file is
lowered once for all roots that read it. ``Unit.nodes`` has the node of a site.

Nothing here imports a parser, so a unit can be cached and analysed without one.
"""

from __future__ import annotations

import sys
import weakref
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

if TYPE_CHECKING:
    from jaxlint.source.text import Spans


_BITS = 24  # of the index: a text of MAX_CHARACTERS has fewer nodes
_INDEX = (1 << _BITS) - 1
_numbers = count(1)  # of files
_layouts: weakref.WeakValueDictionary[int, _Layout] = weakref.WeakValueDictionary()  # by the number of the file


def first_site() -> int:
    """The site of the first node of a file that is lowered now: no other file has it or one of those that follow."""
    return next(_numbers) << _BITS


def index(site: int) -> int:
    """The index of a node in its file."""
    return site & _INDEX


@dataclass(eq=False, repr=False, slots=True)
class Node:
    """Base of every expression and statement."""

    site: int

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in FIELDS[type(self)])
        return f"{type(self).__name__}#{self.site}({inner})"

    def children(self) -> list[Node]:
        """Direct sub-nodes in source order of the fields. Bodies of nested functions included."""
        found: list[Node] = []
        for name in _HOLDING[type(self)]:
            value = getattr(self, name)
            if isinstance(value, Node):
                found.append(value)
            elif type(value) is list or type(value) is tuple:
                for item in value:
                    if isinstance(item, Node):
                        found.append(item)
        return found


def walk(nodes: Iterable[Node], into_scopes: bool = True) -> Iterator[Node]:
    """The nodes at and below ``nodes`` in source order; without ``into_scopes`` no function or class met there is entered."""
    parts: list[Iterable[Node]] = []
    for node in nodes:
        if type(node) in _LEAVES:
            parts.append((node,))
            continue
        layout = _layouts.get(node.site >> _BITS)
        below = layout.below(node, into_scopes) if layout is not None else None
        parts += [_below(node, into_scopes)] if below is None else below
    return iter(parts[0]) if len(parts) == 1 else chain.from_iterable(parts)


def _below(node: Node, into_scopes: bool) -> Iterator[Node]:
    """The same of one node that is of no tree: it was made from others."""
    stack = [node]
    while stack:
        each = stack.pop()
        yield each
        if into_scopes or not isinstance(each, Scope):
            stack += each.children()[::-1]


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


def last_part(node: Any) -> str:
    """The last part of a variable or an attribute of one: `array` of `jnp.array`; empty for anything else."""
    return (dotted(node) or "").rpartition(".")[2]


def last_name(node: Any) -> str:
    """`array` of a variable of this name, and of the attribute of whatever it is one of; empty for anything else."""
    return node.id if type(node) is Name else node.attr if type(node) is Attribute else ""


def given(call: Call, position: int, name: str) -> Expression | None:
    """What a call is given for a parameter, by position or by name; None where it is not to be seen."""
    if len(call.args) > position and not any(type(each) is Starred for each in call.args[: position + 1]):
        return call.args[position]
    return next((each.value for each in call.keywords if each.name == name), None)


def passed_values(call: Call) -> Iterator[Expression]:
    """What a call is given, by position and by name; starred arguments as they stand."""
    yield from call.args
    for keyword in call.keywords:
        yield keyword.value


def passed(function: Function, call: Call) -> dict[str, Node]:
    """The arguments of a call by the parameters of its function; none where a starred one hides their places."""
    if any(type(each) is Starred for each in call.args):
        return {}
    names = [parameter.name for parameter in function.parameters]
    return {**dict(zip(names, call.args)), **{each.name: each.value for each in call.keywords if each.name}}


def is_none(node: Node | None) -> bool:
    """Whether an expression is the constant None."""
    return isinstance(node, Constant) and node.value is None


def root_of(node: Node) -> Node:
    """What attributes and elements are taken of: `x` of `x.a[0].b`."""
    while isinstance(node, (Attribute, Subscript)):
        node = node.value
    return node


def result_of(function: Lambda) -> Expression:
    """The expression behind the parameters of a lambda."""
    returned = function.function.body[0]
    assert type(returned) is Return and returned.value is not None
    return returned.value


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


# --- expressions -----------------------------------------------------------------------------


@dataclass(eq=False, repr=False, slots=True)
class Constant(Expression):
    """A literal: number, str, bytes, None, True, False, `...`."""

    value: Any


@dataclass(eq=False, repr=False, slots=True)
class Name(Expression):
    """A name that is read."""

    id: str


@dataclass(eq=False, repr=False, slots=True)
class Attribute(Expression):
    """`value.attr`"""

    value: Expression
    attr: str


@dataclass(eq=False, repr=False, slots=True)
class Subscript(Expression):
    """`value[index]`; several indices are a tuple Sequence."""

    value: Expression
    index: Expression


@dataclass(eq=False, repr=False, slots=True)
class Slice(Expression):
    """`lower:upper:step`; missing parts are None."""

    lower: Expression | None
    upper: Expression | None
    step: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Starred(Expression):
    """`*value` in a call, a display or a target."""

    value: Expression


@dataclass(eq=False, repr=False, slots=True)
class Run(Expression):
    """Below `Starred` or `**`: constants left out of the tree, the name of their type if all have one, and how many there are."""

    kind: str | None
    count: int


@dataclass(eq=False, repr=False, slots=True)
class Sequence(Expression):
    """A display; kind is 'tuple', 'list' or 'set'."""

    kind: str
    elements: list[Expression]


@dataclass(eq=False, repr=False, slots=True)
class Dict(Expression):
    """A dict display; the key of `**value` is None."""

    keys: list[Expression | None]
    values: list[Expression]


@dataclass(eq=False, repr=False, slots=True)
class Call(Expression):
    """`args`: expressions (Starred too); `keywords`: Keyword nodes."""

    func: Expression
    args: tuple[Expression, ...]
    keywords: tuple[Keyword, ...]


@dataclass(eq=False, repr=False, slots=True)
class Keyword(Node):
    """`name=value` in a call; name is None for `**value`."""

    name: str | None
    value: Expression


@dataclass(eq=False, repr=False, slots=True)
class Unary(Expression):
    """op is 'not', '-', '+' or '~'."""

    op: str
    operand: Expression


@dataclass(eq=False, repr=False, slots=True)
class Binary(Expression):
    """op as written: '+', '@', '//' ..."""

    op: str
    left: Expression
    right: Expression


@dataclass(eq=False, repr=False, slots=True)
class Boolean(Expression):
    """op is 'and' or 'or'; longer chains nest to the left."""

    op: str
    left: Expression
    right: Expression


@dataclass(eq=False, repr=False, slots=True)
class Compare(Expression):
    """A chain; ops as written ('<', 'is not', 'not in' ...)."""

    left: Expression
    ops: tuple[str, ...]
    rights: tuple[Expression, ...]


@dataclass(eq=False, repr=False, slots=True)
class Conditional(Expression):
    """`body if test else orelse`"""

    test: Expression
    body: Expression
    orelse: Expression


@dataclass(eq=False, repr=False, slots=True)
class Lambda(Expression):
    """A lambda; its Function has one Return as body."""

    function: Function


@dataclass(eq=False, repr=False, slots=True)
class Comprehension(Expression):
    """kind is 'list', 'set', 'dict' or 'generator'; `value` is the dict value; `locals` the names it binds."""

    kind: str
    element: Expression
    value: Expression | None
    clauses: list[Clause]
    locals: frozenset[str]


@dataclass(eq=False, repr=False, slots=True)
class Clause(Node):
    """`for target in iterable if ...`"""

    target: Expression
    iterable: Expression
    conditions: list[Expression]
    is_async: bool


@dataclass(eq=False, repr=False, slots=True)
class Format(Expression):
    """An f-string: parts are str or Field."""

    parts: list[str | Field]


@dataclass(eq=False, repr=False, slots=True)
class Field(Node):
    """`{value!conversion:spec}`; spec is a Format or None; debug for `=`."""

    value: Expression
    conversion: str | None
    spec: Format | None
    debug: bool


@dataclass(eq=False, repr=False, slots=True)
class Await(Expression):
    """`await value`"""

    value: Expression


@dataclass(eq=False, repr=False, slots=True)
class Yield(Expression):
    """`yield value`; value may be None."""

    value: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class YieldFrom(Expression):
    """`yield from value`"""

    value: Expression


@dataclass(eq=False, repr=False, slots=True)
class Walrus(Expression):
    """`target := value`; target is a Name."""

    target: Name
    value: Expression


# --- statements ------------------------------------------------------------------------------


@dataclass(eq=False, repr=False, slots=True)
class Assign(Statement):
    """`a = b = value`"""

    targets: list[Expression]
    value: Expression


@dataclass(eq=False, repr=False, slots=True)
class Augment(Statement):
    """`target op= value`; op without the `=`."""

    target: Expression
    op: str
    value: Expression


@dataclass(eq=False, repr=False, slots=True)
class Annotate(Statement):
    """`target: annotation = value`; value may be None."""

    target: Expression
    annotation: Expression
    value: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Evaluate(Statement):
    """An expression as a statement."""

    value: Expression


@dataclass(eq=False, repr=False, slots=True)
class Return(Statement):
    """`return value`; value may be None."""

    value: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Raise(Statement):
    """`raise exception from cause`; both may be None."""

    exception: Expression | None
    cause: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Assert(Statement):
    """`assert test, message`; message may be None."""

    test: Expression
    message: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Delete(Statement):
    """`del targets`"""

    targets: list[Expression]


@dataclass(eq=False, repr=False, slots=True)
class If(Statement):
    """An `elif` is an If alone in `orelse`."""

    test: Expression
    body: list[Statement]
    orelse: list[Statement]


@dataclass(eq=False, repr=False, slots=True)
class For(Statement):
    """`for target in iterable`"""

    target: Expression
    iterable: Expression
    body: list[Statement]
    orelse: list[Statement]
    is_async: bool


@dataclass(eq=False, repr=False, slots=True)
class While(Statement):
    """`while test`"""

    test: Expression
    body: list[Statement]
    orelse: list[Statement]


@dataclass(eq=False, repr=False, slots=True)
class Try(Statement):
    """`try`; handlers are Handler nodes."""

    body: list[Statement]
    handlers: list[Handler]
    orelse: list[Statement]
    final: list[Statement]
    is_star: bool


@dataclass(eq=False, repr=False, slots=True)
class Handler(Node):
    """`except type as name`; type and name may be None."""

    type: Expression | None
    name: str | None
    body: list[Statement]


@dataclass(eq=False, repr=False, slots=True)
class With(Statement):
    """items are WithItem nodes."""

    items: list[WithItem]
    body: list[Statement]
    is_async: bool


@dataclass(eq=False, repr=False, slots=True)
class WithItem(Node):
    """`context as target`; target may be None."""

    context: Expression
    target: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Match(Statement):
    """cases are Case nodes."""

    subject: Expression
    cases: list[Case]


@dataclass(eq=False, repr=False, slots=True)
class Case(Node):
    """pattern is a Pattern; guard may be None."""

    pattern: Pattern
    guard: Expression | None
    body: list[Statement]


@dataclass(eq=False, repr=False, slots=True)
class Pattern(Node):
    """kind: 'value' (value an expression), 'class' (value the class), 'sequence', 'mapping', 'or', 'capture', 'wildcard', 'star'; `names` are the names bound by this pattern and below."""

    kind: str
    value: Expression | None
    names: tuple[str, ...]
    children_: tuple[Pattern, ...]


@dataclass(eq=False, repr=False, slots=True)
class Define(Statement):
    """`def`; decorators are in the Function."""

    function: Function


@dataclass(eq=False, repr=False, slots=True)
class DefineClass(Statement):
    """`class`"""

    definition: ClassDefinition


@dataclass(eq=False, repr=False, slots=True)
class Import(Statement):
    """names: tuple of (dotted name, alias or None); `aliases`: an Alias for each."""

    names: tuple[tuple[str, str | None], ...]
    aliases: tuple[Alias, ...]


@dataclass(eq=False, repr=False, slots=True)
class ImportFrom(Statement):
    """names: tuple of (name, alias or None); ('*', None) for all; `aliases`: an Alias for each."""

    module: str
    level: int
    names: tuple[tuple[str, str | None], ...]
    aliases: tuple[Alias, ...]


@dataclass(eq=False, repr=False, slots=True)
class Alias(Node):
    """One name in an import: `name as asname`; asname may be None."""

    name: str
    asname: str | None


@dataclass(eq=False, repr=False, slots=True)
class Global(Statement):
    """`global names`"""

    names: tuple[str, ...]


@dataclass(eq=False, repr=False, slots=True)
class Nonlocal(Statement):
    """`nonlocal names`"""

    names: tuple[str, ...]


class Pass(Statement):
    """`pass` and type aliases"""

    __slots__ = ()


class Break(Statement):
    """`break`"""

    __slots__ = ()


class Continue(Statement):
    """`continue`"""

    __slots__ = ()


@dataclass(eq=False, repr=False, slots=True)
class Parameter(Node):
    """A parameter. ``kind`` is 'positional-only', 'ordinary', 'star', 'keyword-only' or 'double-star'."""

    name: str
    kind: str
    default: Expression | None
    annotation: Expression | None


class Scope(Node):
    """Something with a body of its own: the module, a class, a function, a lambda.

    ``locals`` are the names bound in this scope (parameters, assignments, imports, definitions ...)
    less those declared ``global`` or ``nonlocal``; ``free`` are the names this scope and the scopes
    inside it read or write but do not bind here.
    """

    __slots__ = ("name", "qualname", "body", "locals", "free", "globals", "nonlocals")

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

    parameters: tuple[Parameter, ...]
    decorators: tuple[Expression, ...]
    returns: Expression | None
    is_lambda: bool
    is_async: bool
    is_generator: bool
    is_method: bool  # defined directly in a class body


@mypyc_attr(native_class=False)  # so that it can be referred to weakly
class _Layout:
    """The nodes of a file in pre-order: those below a node follow it. It is filled when something is first asked of it."""

    __slots__ = ("module", "count", "parents", "order", "places", "ends", "scopes", "__weakref__")

    def __init__(self, module: Module, count: int) -> None:
        self.module: Module = module
        self.count: int = count  # of nodes
        self.parents: list[Node | None] = []  # by index
        self.order: list[Node] = []
        self.places: array[int] = array("i")  # in the order, by index
        self.ends: array[int] = array("i")  # of those below a node, by its place
        self.scopes: list[int] = []  # places of functions, classes and the module

    def filled(self) -> _Layout:
        if self.order:
            return self
        parents: list[Node | None] = [None] * self.count
        order: list[Node] = []
        places = array("i", [-1]) * self.count
        scopes: list[int] = []
        stack: list[Node] = [self.module]
        while stack:
            node = stack.pop()
            place = places[node.site & _INDEX] = len(order)
            order.append(node)
            if type(node) in _LEAVES:
                continue
            if isinstance(node, Scope):
                scopes.append(place)
            inside = node.children()
            for child in inside:
                parents[child.site & _INDEX] = node
            inside.reverse()
            stack += inside
        ends = array("i", range(1, len(order) + 1))
        for place in range(len(order) - 1, 0, -1):
            above = parents[order[place].site & _INDEX]
            if above is not None:
                around = places[above.site & _INDEX]
                if ends[around] < ends[place]:
                    ends[around] = ends[place]
        self.parents, self.order, self.places, self.ends, self.scopes = parents, order, places, ends, scopes
        return self

    def below(self, node: Node, into_scopes: bool) -> list[list[Node]] | None:
        """A node and those below it, in parts; None for one that was made from others."""
        order, ends = self.filled().order, self.ends
        start = self.places[node.site & _INDEX]
        if start < 0 or order[start] is not node:
            return None
        end = ends[start]
        if into_scopes:
            return [order[start:end]]
        parts, scopes = [], self.scopes
        for number in range(bisect_left(scopes, start), bisect_left(scopes, end)):
            scope = scopes[number]
            if scope >= start:
                parts.append(order[start : scope + 1])
                start = ends[scope]
        parts.append(order[start:end])
        return parts


class Tree:
    """The nodes of one file, which every root that reads the file shares; what lies where is computed when first asked for."""

    __slots__ = ("number", "module", "nodes", "_layout", "_rebinding")

    def __init__(self, number: int, module: Module, nodes: list[Any]) -> None:
        self.number: int = number
        self.module: Module = module
        self.nodes: list[Any] = nodes
        self._layout: _Layout = _Layout(module, len(nodes))
        self._rebinding: list[Function] | None = None

    @classmethod
    def of(cls, module: Module, nodes: list[Any]) -> Tree:
        """The tree of a file that was just lowered."""
        made = cls(module.site >> _BITS, module, nodes)
        _layouts[made.number] = made._layout
        return made

    def parents(self) -> list[Node | None]:
        """The node around each node, by the index of that."""
        return self._layout.filled().parents

    def rebinding(self) -> list[Function]:
        """The functions that declare names as ``global``."""
        if self._rebinding is None:
            self._rebinding = [node for node in self.nodes if type(node) is Function and node.globals]
        return self._rebinding


class Nodes:
    """The nodes of several files, by site."""

    __slots__ = ("_trees",)

    def __init__(self, trees: dict[int, Tree]) -> None:
        self._trees = trees

    def __getitem__(self, site: int) -> Any:
        return self._trees[site >> _BITS].nodes[site & _INDEX]

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(tree.nodes for tree in self._trees.values())

    def __len__(self) -> int:
        return sum(len(tree.nodes) for tree in self._trees.values())

    def __contains__(self, site: int) -> bool:
        tree = self._trees.get(site >> _BITS)
        return tree is not None and site & _INDEX < len(tree.nodes)


class Unit:
    """One file as a root: its tree, and those of the modules that are read for it, so that a site means the same everywhere.

    ``own`` are the nodes of the file itself, whose sites are ``in`` the unit. ``positions`` gives start and end of
    each node of a file that was just lowered, by index; it is None for a unit that comes from the cache.
    """

    __slots__ = ("tree", "module", "own", "nodes", "positions", "filename", "_trees")

    def __init__(self, tree: Tree, filename: str, trees: dict[int, Tree] | None = None) -> None:
        self.tree: Tree = tree
        self.module: Module = tree.module
        self.own: list[Any] = tree.nodes
        self.positions: Callable[[], Spans] | None = None
        self.filename: str = filename
        self._trees = {tree.number: tree} if trees is None else trees
        self.nodes: Nodes = Nodes(self._trees)

    def __contains__(self, site: int) -> bool:
        """Whether a site is of this file."""
        return site >> _BITS == self.tree.number

    def add(self, tree: Tree) -> None:
        """Add the nodes of another module."""
        self._trees[tree.number] = tree

    def part(self, tree: Tree, filename: str) -> Unit:
        """The view of one module that was added: the same table of nodes, with nodes of its own."""
        return Unit(tree, filename, self._trees)

    def order(self, site: int) -> tuple[int, int]:
        """The order of sites: by file, this one first, then by index."""
        return list(self._trees).index(site >> _BITS), site & _INDEX

    def parent(self, site: int) -> Node | None:
        """The node that contains ``site`` directly; None for the module."""
        tree = self._trees.get(site >> _BITS)
        return None if tree is None else tree.parents()[site & _INDEX]

    def rebinding(self, site: int) -> list[Function]:
        """The functions in the file of a site that declare names as ``global``."""
        tree = self._trees.get(site >> _BITS)
        return [] if tree is None else tree.rebinding()

    def module_of(self, site: int) -> Module:
        """The module that a site belongs to."""
        tree = self._trees.get(site >> _BITS)
        return self.module if tree is None else tree.module

    def ancestors(self, site: int) -> Iterator[Node]:
        """Parents of ``site`` from the inside out, ending with the module."""
        tree = self._trees.get(site >> _BITS)
        parents = [] if tree is None else tree.parents()
        node = parents[site & _INDEX] if tree is not None else None
        while node is not None:
            yield node
            node = parents[node.site & _INDEX]

    def statement(self, site: int) -> Statement:
        """The innermost statement at or around ``site``."""
        node: Node | None = self.nodes[site]
        while node is not None and not isinstance(node, Statement):
            node = self.parent(node.site)
        assert node is not None
        return node

    def block(self, site: int) -> list[Statement]:
        """The block in which a statement stands; empty for anything else."""
        node, above = self.nodes[site], self.parent(site)
        held = (getattr(above, name, None) for name in ("body", "orelse", "final"))
        return next((block for block in held if isinstance(block, list) and node in block), [])

    def scope(self, site: int) -> Scope:
        """The innermost function, class or module around ``site``."""
        for node in self.ancestors(site):
            if isinstance(node, Scope):
                return node
        return self.module


_LEAVES = frozenset({Name, Constant, Run})  # most nodes are one of these, and have nothing below them
_HOLDERS = (Statement, Scope, Handler, Case)  # of statements


_CLASSES = [each for each in vars(sys.modules[__name__]).values() if isinstance(each, type) and issubclass(each, Node)]
# Names of the attributes that say what a node is, in the order of the source.
FIELDS: dict[type[Node], tuple[str, ...]] = {
    **{cls: tuple(each.name for each in fields(cls) if each.name != "site") for cls in _CLASSES},
    Parameter: ("default", "annotation"),
    Scope: ("body",),
    Module: ("body",),
    ClassDefinition: ("decorators", "bases", "keywords", "body"),
    Function: ("decorators", "parameters", "returns", "body"),
}
# Types of attributes that hold no node.
_PLAIN = {
    "Any", "bool", "frozenset[str]", "int", "str", "str | None", "tuple[str, ...]", "tuple[tuple[str, str | None], ...]",
}  # fmt: skip
# Those of FIELDS that may hold nodes.
_HOLDING: dict[type[Node], tuple[str, ...]] = {
    cls: tuple(name for name in names if name not in {each.name for each in fields(cls) if each.type in _PLAIN})
    for cls, names in FIELDS.items()
}
