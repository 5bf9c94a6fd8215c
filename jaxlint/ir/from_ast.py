"""Lowering of what Python's own parser reads, in a tenth of the time that libCST takes.

It gives the IR that ``lower`` gives, node by node, or none: for a text that this Python cannot parse, one with comments
that begin cells, and the few constructs of which `ast` does not tell how they were written. ``tests/test_lowering.py``
compares the two.
"""

from __future__ import annotations

import _ast as tree  # the node classes alone: `ast` is a parser's worth of imports
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.ir import nodes as ir
from jaxlint.ir.f_strings import FormatStrings, Unclear
from jaxlint.ir.positions import Part, Positions
from jaxlint.source.cells import has_cells
from jaxlint.source.lexer import find_excess
from jaxlint.source.limits import MAX_CHARACTERS
from jaxlint.source.literal_elision import run_of, shortened
from jaxlint.source.relevance import python_tree

if TYPE_CHECKING:
    from jaxlint.source.text import Spans

_OPERATORS: dict[Any, str] = {
    tree.Add: "+", tree.Sub: "-", tree.Mult: "*", tree.Div: "/", tree.FloorDiv: "//", tree.Mod: "%", tree.Pow: "**",
    tree.MatMult: "@", tree.BitAnd: "&", tree.BitOr: "|", tree.BitXor: "^", tree.LShift: "<<", tree.RShift: ">>",
    tree.Lt: "<", tree.Gt: ">", tree.Eq: "==", tree.LtE: "<=", tree.GtE: ">=", tree.NotEq: "!=", tree.In: "in",
    tree.NotIn: "not in", tree.Is: "is", tree.IsNot: "is not", tree.Not: "not", tree.USub: "-", tree.UAdd: "+",
    tree.Invert: "~", tree.And: "and", tree.Or: "or",
}  # fmt: skip


class Lowering(FormatStrings):
    """The visitor. ``lower`` below is the way in."""

    # --- statements ---------------------------------------------------------------------------

    def block(self, suite: Any) -> list[ir.Statement]:
        return [_STATEMENTS[type(item)](self, item) for item in suite]

    def evaluate(self, node: Any) -> Any:
        return self.make(ir.Evaluate, node, self.expression(node.value))

    def assign(self, node: Any) -> Any:
        value = self.expression(node.value)
        return self.make(ir.Assign, node, [self.target(target) for target in node.targets], value)

    def augmented(self, node: Any) -> Any:
        value = self.expression(node.value)
        target = self.target(node.target)
        if type(target) is ir.Name:
            self.scopes[-1].used.add(target.id)
        return self.make(ir.Augment, node, target, _OPERATORS[type(node.op)], value)

    def annotated(self, node: Any) -> Any:
        value = self.optional(node.value)
        annotation = self.expression(node.annotation)
        return self.make(ir.Annotate, node, self.target(node.target), annotation, value)

    def returns(self, node: Any) -> Any:
        return self.make(ir.Return, node, self.optional(node.value))

    def raises(self, node: Any) -> Any:
        cause = self.optional(node.cause)
        return self.make(ir.Raise, node, self.optional(node.exc), cause)

    def asserts(self, node: Any) -> Any:
        return self.make(ir.Assert, node, self.expression(node.test), self.optional(node.msg))

    def delete(self, node: Any) -> Any:
        targets = node.targets
        if len(targets) == 1 and type(targets[0]) is tree.Tuple:
            targets = targets[0].elts
        return self.make(ir.Delete, node, [self.target(target) for target in targets])

    def declare_global(self, node: Any) -> Any:
        self.scopes[-1].globals.update(node.names)
        return self.make(ir.Global, node, tuple(node.names))

    def declare_nonlocal(self, node: Any) -> Any:
        self.scopes[-1].nonlocals.update(node.names)
        return self.make(ir.Nonlocal, node, tuple(node.names))

    def imports(self, node: Any) -> Any:
        for alias in node.names:
            self.bind(alias.asname or alias.name.partition(".")[0])
        aliases = [self.make(ir.Alias, alias, alias.name, alias.asname) for alias in node.names]
        return self.make(ir.Import, node, tuple((alias.name, alias.asname) for alias in node.names), tuple(aliases))

    def imports_from(self, node: Any) -> Any:
        for alias in node.names:
            if alias.name != "*":
                self.bind(alias.asname or alias.name)
        aliases = [self.make(ir.Alias, alias, alias.name, alias.asname) for alias in node.names]
        names = tuple((alias.name, alias.asname) for alias in node.names)
        return self.make(ir.ImportFrom, node, node.module or "", node.level or 0, names, tuple(aliases))

    def conditional(self, node: Any) -> Any:
        test = self.expression(node.test)
        body = self.block(node.body)
        return self.make(ir.If, node, test, body, self.block(node.orelse))

    def while_loop(self, node: Any) -> Any:
        test = self.expression(node.test)
        body = self.block(node.body)
        return self.make(ir.While, node, test, body, self.block(node.orelse))

    def for_loop(self, node: Any) -> Any:
        iterable = self.expression(node.iter)
        target = self.target(node.target)
        body = self.block(node.body)
        return self.make(ir.For, node, target, iterable, body, self.block(node.orelse), type(node) is tree.AsyncFor)

    def try_block(self, node: Any) -> Any:
        body = self.block(node.body)
        handlers = []
        for handler in node.handlers:
            kind = self.optional(handler.type)
            if handler.name is not None:
                self.bind(handler.name)
            handlers.append(self.make(ir.Handler, handler, kind, handler.name, self.block(handler.body)))
        orelse = self.block(node.orelse)
        final = self.block(node.finalbody)
        return self.make(ir.Try, node, body, handlers, orelse, final, type(node) is not tree.Try)

    def with_block(self, node: Any) -> Any:
        items = []
        for item in node.items:
            context = self.expression(item.context_expr)
            target = self.target(item.optional_vars) if item.optional_vars is not None else None
            items.append(self.make(ir.WithItem, item, context, target))
        return self.make(ir.With, node, items, self.block(node.body), type(node) is tree.AsyncWith)

    def function_definition(self, node: Any) -> Any:
        decorators = tuple([self.expression(each) for each in node.decorator_list])
        returns = self.optional(node.returns)
        is_method = self.scopes[-1].is_class
        self.bind(node.name)
        parameters = self.parameters(node.args)
        function = self.make(ir.Function, node)
        self.function(function, node.name, parameters, lambda: self.block(node.body))
        function.decorators = decorators
        function.returns = returns
        function.is_async = type(node) is tree.AsyncFunctionDef
        function.is_method = is_method
        return self.make(ir.Define, node, function)

    def class_definition(self, node: Any) -> Any:
        decorators = tuple([self.expression(each) for each in node.decorator_list])
        bases = tuple([self.expression(each) for each in node.bases])
        keywords = tuple([self.keyword(each) for each in node.keywords])
        self.bind(node.name)
        definition = self.make(ir.ClassDefinition, node)
        self.open(node.name, is_class=True)
        body = self.block(node.body)
        definition.decorators = decorators
        definition.bases = bases
        definition.keywords = keywords
        self.close(definition, node.name, body)
        return self.make(ir.DefineClass, node, definition)

    def parameters(self, node: Any) -> tuple[ir.Parameter, ...]:
        ordinary = [*node.posonlyargs, *node.args]
        defaults = [*[None] * (len(ordinary) - len(node.defaults)), *node.defaults]
        split = len(node.posonlyargs)
        found = [self.parameter(*each, "positional-only") for each in zip(ordinary[:split], defaults)]
        found += [self.parameter(*each, "ordinary") for each in zip(node.args, defaults[split:])]
        if node.vararg is not None:
            found.append(self.parameter(node.vararg, None, "star"))
        found += [self.parameter(*each, "keyword-only") for each in zip(node.kwonlyargs, node.kw_defaults)]
        if node.kwarg is not None:
            found.append(self.parameter(node.kwarg, None, "double-star"))
        return tuple(found)

    def parameter(self, node: Any, default: Any, kind: str) -> Any:
        value = self.optional(default)
        return self.make(ir.Parameter, node, node.arg, kind, value, self.optional(node.annotation))

    def pattern(self, node: Any) -> Any:
        kind, value, bound, below = "value", None, None, []
        if type(node) is tree.MatchValue:
            value = self.expression(node.value)
        elif type(node) is tree.MatchSingleton:
            value = self.make(ir.Constant, node, node.value)
        elif type(node) is tree.MatchAs:
            bound, below = node.name, [node.pattern] if node.pattern is not None else []
            kind = "capture" if bound is not None or below else "wildcard"
        elif type(node) is tree.MatchStar:
            kind, bound = "star", node.name
        elif type(node) is tree.MatchClass:
            kind, value, below = "class", self.expression(node.cls), [*node.patterns, *node.kwd_patterns]
        elif type(node) is tree.MatchMapping:
            kind, bound, below = "mapping", node.rest, node.patterns
        else:
            kind, below = "or" if type(node) is tree.MatchOr else "sequence", node.patterns
        children = tuple([self.pattern(child) for child in below])
        names = [name for child in children for name in child.names]
        if bound is not None:
            names.append(bound)
            self.bind(bound)
        return self.make(ir.Pattern, node, kind, value, tuple(names), children)

    def type_alias(self, node: Any) -> Any:
        self.bind(node.name.id)
        return self.make(ir.Pass, node)

    # --- expressions --------------------------------------------------------------------------

    def optional(self, node: Any) -> Any:
        return None if node is None else _EXPRESSIONS[type(node)](self, node)

    def expression(self, node: Any) -> Any:
        return _EXPRESSIONS[type(node)](self, node)

    def target(self, node: Any) -> Any:
        """An assignment target: names in it are bound, everything else is evaluated."""
        if type(node) is tree.Name:
            if not self.in_comprehension:
                self.bind(node.id)
            else:
                self.comprehensions[-1].add(node.id)
            return self.make(ir.Name, node, node.id)
        if type(node) in _DISPLAYS:
            return self.make(ir.Sequence, node, _DISPLAYS[type(node)], [self.target(each) for each in node.elts])
        if type(node) is tree.Starred:
            return self.make(ir.Starred, node, self.target(node.value))
        return self.expression(node)

    def name(self, node: Any) -> Any:
        name = node.id
        self.scopes[-1].used.add(name)
        made = ir.Name(self.first + len(self.nodes), name)
        self.nodes.append(made)
        self.places.append(node)
        return made

    def constant(self, node: Any) -> Any:
        made = ir.Constant(self.first + len(self.nodes), node.value)
        self.nodes.append(made)
        self.places.append(node)
        return made

    def attribute(self, node: Any) -> Any:
        value = _EXPRESSIONS[type(node.value)](self, node.value)
        made = ir.Attribute(self.first + len(self.nodes), value, node.attr)
        self.nodes.append(made)
        self.places.append(node)
        return made

    def subscript(self, node: Any) -> Any:
        value = self.expression(node.value)
        index = node.slice
        if type(index) is tree.Tuple and len(index.elts) == 1 and type(index.elts[0]) is tree.Starred:
            raise Unclear  # `x[*a]` and `x[*a,]` are the same tree
        return self.make(ir.Subscript, node, value, self.expression(index))

    def slice(self, node: Any) -> Any:
        lower, upper = self.optional(node.lower), self.optional(node.upper)
        return self.make(ir.Slice, node, lower, upper, self.optional(node.step))

    def call(self, node: Any) -> Any:
        func = self.expression(node.func)
        args: list[Any] = []
        keywords: list[Any] = []
        if node.keywords and any(type(each) is tree.Starred for each in node.args):
            for each in sorted([*node.args, *node.keywords], key=_place):  # the two may be mixed
                if type(each) is tree.keyword:
                    keywords.append(self.keyword(each))
                else:
                    args.append(self.expression(each))
        else:
            args = [_EXPRESSIONS[type(each)](self, each) for each in node.args]
            keywords = [self.keyword(each) for each in node.keywords]
        return self.make(ir.Call, node, func, tuple(args), tuple(keywords))

    def keyword(self, node: Any) -> Any:
        value = self.expression(node.value)
        return self.make(ir.Keyword, node, node.arg, value)

    def unary(self, node: Any) -> Any:
        op = _OPERATORS[type(node.op)]
        operand = self.expression(node.operand)
        if type(operand) is ir.Constant and op == "-" and type(operand.value) in (int, float, complex):
            return self.make(ir.Constant, node, -operand.value)
        return self.make(ir.Unary, node, op, operand)

    def binary(self, node: Any) -> Any:
        # A long sum nests to the left: walk down the spine instead of recursing.
        spine = []
        while type(node) is tree.BinOp:
            spine.append(node)
            node = node.left
        left = self.expression(node)
        for outer in reversed(spine):
            left = self.make(ir.Binary, outer, _OPERATORS[type(outer.op)], left, self.expression(outer.right))
        return left

    def boolean(self, node: Any) -> Any:
        op = _OPERATORS[type(node.op)]
        left = self.expression(node.values[0])
        for each in node.values[1:]:
            left = self.make(ir.Boolean, Part(node, each), op, left, self.expression(each))
        return left

    def comparison(self, node: Any) -> Any:
        left = self.expression(node.left)
        ops = tuple([_OPERATORS[type(op)] for op in node.ops])
        return self.make(ir.Compare, node, left, ops, tuple([self.expression(each) for each in node.comparators]))

    def ternary(self, node: Any) -> Any:
        test = self.expression(node.test)
        body = self.expression(node.body)
        return self.make(ir.Conditional, node, test, body, self.expression(node.orelse))

    def display(self, node: Any) -> Any:
        elements = [_EXPRESSIONS[type(each)](self, each) for each in node.elts]
        return self.make(ir.Sequence, node, _DISPLAYS[type(node)], elements)

    def starred(self, node: Any) -> Any:
        return self.make(ir.Starred, node, self.run(node.value) or self.expression(node.value))

    def run(self, node: Any) -> Any:
        """What stands for items that are left out of the text, if it is that."""
        run = run_of(node.value) if type(node) is tree.Constant else None
        return None if run is None else self.make(ir.Run, node, *run)

    def dictionary(self, node: Any) -> Any:
        keys, values = [], []
        for key, value in zip(node.keys, node.values):
            keys.append(self.optional(key))
            values.append(key is None and self.run(value) or self.expression(value))
        return self.make(ir.Dict, node, keys, values)

    def anonymous(self, node: Any) -> Any:
        parameters = self.parameters(node.args)
        function = self.make(ir.Function, node)
        self.function(
            function, "<lambda>", parameters, lambda: [self.make(ir.Return, node.body, self.expression(node.body))]
        )
        return self.make(ir.Lambda, node, function)

    def comprehension(self, node: Any) -> Any:
        names: set[str] = set()
        clauses = []
        for part in node.generators:
            iterable = self.expression(part.iter)
            target = self.comprehension_target(part.target, names)
            conditions = [self.expression(test) for test in part.ifs]
            clauses.append(self.make(ir.Clause, part, target, iterable, conditions, bool(part.is_async)))
        if type(node) is tree.DictComp:
            element, value = self.expression(node.key), self.expression(node.value)
        else:
            element, value = self.expression(node.elt), None
        return self.make(ir.Comprehension, node, _COMPREHENSIONS[type(node)], element, value, clauses, frozenset(names))

    def awaits(self, node: Any) -> Any:
        return self.make(ir.Await, node, self.expression(node.value))

    def yields(self, node: Any) -> Any:
        self.scopes[-1].is_generator = True
        return self.make(ir.Yield, node, self.optional(node.value))

    def yields_from(self, node: Any) -> Any:
        self.scopes[-1].is_generator = True
        return self.make(ir.YieldFrom, node, self.expression(node.value))

    def walrus(self, node: Any) -> Any:
        value = self.expression(node.value)
        return self.make(ir.Walrus, node, self.walrus_target(node.target), value)


def _place(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


_L = Lowering
_DISPLAYS: dict[Any, str] = {tree.Tuple: "tuple", tree.List: "list", tree.Set: "set"}
_COMPREHENSIONS: dict[Any, str] = {
    tree.ListComp: "list", tree.SetComp: "set", tree.DictComp: "dict", tree.GeneratorExp: "generator",
}  # fmt: skip
_STATEMENTS: dict[Any, Callable[..., Any]] = {
    tree.Expr: _L.evaluate, tree.Assign: _L.assign, tree.AugAssign: _L.augmented, tree.AnnAssign: _L.annotated,
    tree.Return: _L.returns, tree.Raise: _L.raises, tree.Assert: _L.asserts, tree.Delete: _L.delete,
    tree.Global: _L.declare_global, tree.Nonlocal: _L.declare_nonlocal, tree.Import: _L.imports,
    tree.ImportFrom: _L.imports_from, tree.If: _L.conditional, tree.While: _L.while_loop, tree.For: _L.for_loop,
    tree.AsyncFor: _L.for_loop, tree.Try: _L.try_block, tree.With: _L.with_block, tree.AsyncWith: _L.with_block,
    tree.FunctionDef: _L.function_definition, tree.AsyncFunctionDef: _L.function_definition,
    tree.ClassDef: _L.class_definition, tree.Match: _L.match,
    tree.Pass: lambda self, node: self.make(ir.Pass, node),
    tree.Break: lambda self, node: self.make(ir.Break, node),
    tree.Continue: lambda self, node: self.make(ir.Continue, node),
}  # fmt: skip
for _name, _method in (("TryStar", _L.try_block), ("TypeAlias", _L.type_alias)):  # of newer Pythons
    if hasattr(tree, _name):
        _STATEMENTS[getattr(tree, _name)] = _method
_EXPRESSIONS: dict[Any, Callable[..., Any]] = {
    tree.Name: _L.name, tree.Constant: _L.constant, tree.JoinedStr: _L.formatted, tree.Attribute: _L.attribute,
    tree.Subscript: _L.subscript, tree.Slice: _L.slice, tree.Call: _L.call, tree.UnaryOp: _L.unary,
    tree.BinOp: _L.binary, tree.BoolOp: _L.boolean, tree.Compare: _L.comparison, tree.IfExp: _L.ternary,
    tree.Tuple: _L.display, tree.List: _L.display, tree.Set: _L.display, tree.Dict: _L.dictionary,
    tree.Starred: _L.starred, tree.Lambda: _L.anonymous, tree.ListComp: _L.comprehension,
    tree.SetComp: _L.comprehension, tree.DictComp: _L.comprehension, tree.GeneratorExp: _L.comprehension,
    tree.Await: _L.awaits, tree.Yield: _L.yields, tree.YieldFrom: _L.yields_from, tree.NamedExpr: _L.walrus,
}  # fmt: skip


def lower(text: str, filename: str, positions: Callable[[], Spans]) -> ir.Unit | None:
    """The IR of a text; None where libCST has to say what it is.

    ``positions`` gives those of all nodes where Python's parser does not say where some of them stand.
    """
    text = shortened(text)
    if len(text) > MAX_CHARACTERS or find_excess(text) is not None or has_cells(text):
        return None
    try:
        parsed = python_tree(text)
        lowering = Lowering(text)
        made = lowering.make(ir.Module, parsed)
        lowering.open("")
        lowering.close(made, "<module>", lowering.block(parsed.body))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, KeyError, Unclear):
        return None  # KeyError: a node of a Python that is newer than this module
    unit = ir.Unit(ir.Tree.of(made, lowering.nodes), filename)
    known = Positions(text, lowering.places, lowering.unsure, positions)
    unit.positions = lambda: known
    return unit
