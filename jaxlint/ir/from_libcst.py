"""Lowering: one walk over the libCST tree writes the IR of the module, its classes and functions.

Lowering decides what is lexical: which names a scope binds, which it only reads, which operators
stand where. It resolves nothing and judges nothing.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import libcst as cst

from jaxlint.ir import nodes as ir
from jaxlint.ir.scopes import IRNode, Scopes, identifier, joined
from jaxlint.source.cells import begins_cell
from jaxlint.source.literal_elision import run_of
from jaxlint.source.text import Source, spans

_OPERATORS = {
    "Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "FloorDivide": "//", "Modulo": "%",
    "Power": "**", "MatrixMultiply": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
    "LeftShift": "<<", "RightShift": ">>", "LessThan": "<", "GreaterThan": ">", "Equal": "==",
    "LessThanEqual": "<=", "GreaterThanEqual": ">=", "NotEqual": "!=", "In": "in", "NotIn": "not in",
    "Is": "is", "IsNot": "is not", "Not": "not", "Minus": "-", "Plus": "+", "BitInvert": "~",
    "And": "and", "Or": "or",
}  # fmt: skip


_QUOTE = re.compile(r'(\\.)|"', re.DOTALL)
_SINGLETONS = {"True": True, "False": False, "None": None}


def _operator(node: cst.CSTNode) -> str:
    name = type(node).__name__
    known = _OPERATORS.get(name)
    return known if known is not None else _OPERATORS[name.removesuffix("Assign")]


class Lowering(Scopes):
    """The visitor. ``lower`` below is the way in."""

    def __init__(self) -> None:
        super().__init__()
        self.cst: list[Any] = []
        self.cells: list[int] = []  # indices of the nodes with which they begin

    def make(self, kind: Callable[..., IRNode], node: Any, *values: Any) -> IRNode:
        made = kind(self.first + len(self.nodes), *values)
        self.nodes.append(made)
        self.cst.append(node)
        return made

    # --- statements ---------------------------------------------------------------------------

    def block(self, suite: Any) -> list[ir.Statement]:
        body: list[ir.Statement] = []
        for item in suite.body:
            if type(suite) is cst.Module and any(map(_begins_cell, getattr(item, "leading_lines", ()))):
                self.cells.append(len(self.nodes))
            if type(item) is cst.SimpleStatementLine:
                body += [_STATEMENTS[type(small)](self, small) for small in item.body]
            else:
                lower = _STATEMENTS.get(type(item))
                if lower is None:  # a small statement of a one-line suite
                    raise NotImplementedError(type(item).__name__)
                body.append(lower(self, item))
        return body

    def expr_statement(self, node: cst.Expr) -> ir.Evaluate:
        return self.make(ir.Evaluate, node, self.expression(node.value))

    def assign(self, node: cst.Assign) -> ir.Assign:
        value = self.expression(node.value)
        targets = [self.target(t.target) for t in node.targets]
        return self.make(ir.Assign, node, targets, value)

    def augmented(self, node: cst.AugAssign) -> ir.Augment:
        value = self.expression(node.value)
        target = self.target(node.target)
        if type(target) is ir.Name:
            self.scopes[-1].used.add(target.id)
        return self.make(ir.Augment, node, target, _operator(node.operator), value)

    def annotated(self, node: cst.AnnAssign) -> ir.Annotate:
        value = self.expression(node.value) if node.value is not None else None
        annotation = self.expression(node.annotation.annotation)
        return self.make(ir.Annotate, node, self.target(node.target), annotation, value)

    def returns(self, node: cst.Return) -> ir.Return:
        return self.make(ir.Return, node, self.optional(node.value))

    def raises(self, node: cst.Raise) -> ir.Raise:
        cause = self.expression(node.cause.item) if node.cause is not None else None
        return self.make(ir.Raise, node, self.optional(node.exc), cause)

    def asserts(self, node: cst.Assert) -> ir.Assert:
        return self.make(ir.Assert, node, self.expression(node.test), self.optional(node.msg))

    def delete(self, node: cst.Del) -> ir.Delete:
        target = node.target
        items = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
        return self.make(ir.Delete, node, [self.target(item) for item in items])

    def simple(self, kind: Any) -> Callable[..., ir.Statement]:
        return lambda node: self.make(kind, node)

    def declare_global(self, node: cst.Global) -> ir.Global:
        names = tuple(identifier(item.name.value) for item in node.names)
        self.scopes[-1].globals.update(names)
        return self.make(ir.Global, node, names)

    def declare_nonlocal(self, node: cst.Nonlocal) -> ir.Nonlocal:
        names = tuple(identifier(item.name.value) for item in node.names)
        self.scopes[-1].nonlocals.update(names)
        return self.make(ir.Nonlocal, node, names)

    def imports(self, node: cst.Import) -> ir.Import:
        names = []
        for alias in node.names:
            local = _alias(alias)
            dotted = _dotted(alias.name)
            names.append((dotted, local))
            self.bind(local or dotted.partition(".")[0])
        aliases = [self.make(ir.Alias, alias, *name) for alias, name in zip(node.names, names)]
        return self.make(ir.Import, node, tuple(names), tuple(aliases))

    def imports_from(self, node: cst.ImportFrom) -> ir.ImportFrom:
        module = _dotted(node.module) if node.module is not None else ""
        names: list[tuple[str, str | None]] = []
        if isinstance(node.names, cst.ImportStar):
            names.append(("*", None))
            parts: Any = [node.names]
        else:
            parts = node.names
            for alias in node.names:
                local = _alias(alias)
                name = _dotted(alias.name)
                names.append((name, local))
                self.bind(local or name)
        aliases = [self.make(ir.Alias, part, *name) for part, name in zip(parts, names)]
        return self.make(ir.ImportFrom, node, module, len(node.relative), tuple(names), tuple(aliases))

    def conditional(self, node: cst.If) -> ir.If:
        test = self.expression(node.test)
        body = self.block(node.body)
        orelse: list[ir.Statement] = []
        if isinstance(node.orelse, cst.If):
            orelse = [self.conditional(node.orelse)]
        elif node.orelse is not None:
            orelse = self.block(node.orelse.body)
        return self.make(ir.If, node, test, body, orelse)

    def while_loop(self, node: cst.While) -> ir.While:
        test = self.expression(node.test)
        body = self.block(node.body)
        return self.make(ir.While, node, test, body, self.orelse(node))

    def for_loop(self, node: cst.For) -> ir.For:
        iterable = self.expression(node.iter)
        target = self.target(node.target)
        body = self.block(node.body)
        is_async = node.asynchronous is not None
        return self.make(ir.For, node, target, iterable, body, self.orelse(node), is_async)

    def orelse(self, node: Any) -> list[ir.Statement]:
        return self.block(node.orelse.body) if node.orelse is not None else []

    def try_block(self, node: Any) -> ir.Try:
        body = self.block(node.body)
        handlers = []
        for handler in node.handlers:
            kind = self.optional(handler.type)
            name = None
            if handler.name is not None:
                name = identifier(handler.name.name.value)
                self.bind(name)
            handlers.append(self.make(ir.Handler, handler, kind, name, self.block(handler.body)))
        orelse = self.orelse(node)
        final = self.block(node.finalbody.body) if node.finalbody is not None else []
        return self.make(ir.Try, node, body, handlers, orelse, final, isinstance(node, cst.TryStar))

    def with_block(self, node: cst.With) -> ir.With:
        items = []
        for item in node.items:
            context = self.expression(item.item)
            target = self.target(item.asname.name) if item.asname is not None else None
            items.append(self.make(ir.WithItem, item, context, target))
        return self.make(ir.With, node, items, self.block(node.body), node.asynchronous is not None)

    def function_definition(self, node: cst.FunctionDef) -> ir.Define:
        decorators = tuple(self.expression(d.decorator) for d in node.decorators)
        returns = self.expression(node.returns.annotation) if node.returns is not None else None
        is_method = self.scopes[-1].is_class
        name = identifier(node.name.value)
        self.bind(name)
        parameters = self.parameters(node.params)
        function = self.make(ir.Function, node)
        self.function(function, name, parameters, lambda: self.block(node.body))
        function.decorators = decorators
        function.returns = returns
        function.is_async = node.asynchronous is not None
        function.is_method = is_method
        return self.make(ir.Define, node, function)

    def class_definition(self, node: cst.ClassDef) -> ir.DefineClass:
        decorators = tuple(self.expression(d.decorator) for d in node.decorators)
        bases = tuple(self.argument(a) for a in node.bases)
        keywords = tuple(
            self.make(ir.Keyword, a, identifier(a.keyword.value) if a.keyword else None, self.expression(a.value))
            for a in node.keywords
        )
        name = identifier(node.name.value)
        self.bind(name)
        definition = self.make(ir.ClassDefinition, node)
        self.open(name, is_class=True)
        body = self.block(node.body)
        definition.decorators = decorators
        definition.bases = bases
        definition.keywords = keywords
        self.close(definition, name, body)
        return self.make(ir.DefineClass, node, definition)

    def parameters(self, node: cst.Parameters) -> tuple[ir.Parameter, ...]:
        found = []
        groups = [("positional-only", node.posonly_params), ("ordinary", node.params)]
        if isinstance(node.star_arg, cst.Param):
            groups.append(("star", [node.star_arg]))
        groups.append(("keyword-only", node.kwonly_params))
        if node.star_kwarg is not None:
            groups.append(("double-star", [node.star_kwarg]))
        for kind, group in groups:
            for param in group:
                default = self.optional(param.default)
                annotation = self.expression(param.annotation.annotation) if param.annotation else None
                made = self.make(ir.Parameter, param, identifier(param.name.value), kind, default, annotation)
                found.append(made)
        return tuple(found)

    def pattern(self, node: Any) -> Any:
        name = type(node).__name__
        if name == "MatchAs":
            inner = [self.pattern(node.pattern)] if node.pattern is not None else []
            names = [n for p in inner for n in p.names]
            if node.name is not None:
                names.append(identifier(node.name.value))
                self.bind(names[-1])
            kind = "capture" if node.name is not None or inner else "wildcard"
            return self.make(ir.Pattern, node, kind, None, tuple(names), tuple(inner))
        if name in ("MatchValue", "MatchSingleton"):
            return self.make(ir.Pattern, node, "value", self.expression(node.value), (), ())
        if name == "MatchStar":
            bound = (identifier(node.name.value),) if node.name is not None else ()
            for each in bound:
                self.bind(each)
            return self.make(ir.Pattern, node, "star", None, bound, ())
        value = None
        if name == "MatchClass":
            value = self.expression(node.cls)
            below = [e.value for e in node.patterns] + [e.pattern for e in node.kwds]
        elif name == "MatchMapping":
            below = [e.pattern for e in node.elements]
        else:
            below = [e.pattern if hasattr(e, "pattern") else getattr(e, "value", e) for e in node.patterns]
        children = tuple(self.pattern(child) for child in below)
        names = [n for p in children for n in p.names]
        rest = getattr(node, "rest", None)
        if rest is not None:
            names.append(identifier(rest.value))
            self.bind(names[-1])
        kind = {"MatchClass": "class", "MatchMapping": "mapping", "MatchOr": "or"}.get(name, "sequence")
        return self.make(ir.Pattern, node, kind, value, tuple(names), children)

    # --- expressions --------------------------------------------------------------------------

    def optional(self, node: Any) -> Any:
        return None if node is None else self.expression(node)

    def expression(self, node: Any) -> Any:
        return _EXPRESSIONS[type(node)](self, node)

    def target(self, node: Any) -> Any:
        """An assignment target: names in it are bound, everything else is evaluated."""
        if type(node) is cst.Name:
            name = identifier(node.value)
            if not self.in_comprehension:
                self.bind(name)
            else:
                self.comprehensions[-1].add(name)
            return self.make(ir.Name, node, name)
        if isinstance(node, (cst.Tuple, cst.List)):
            elements = []
            for element in node.elements:
                inner = self.target(element.value)
                if isinstance(element, cst.StarredElement):
                    inner = self.make(ir.Starred, element, inner)
                elements.append(inner)
            kind = "tuple" if isinstance(node, cst.Tuple) else "list"
            return self.make(ir.Sequence, node, kind, elements)
        if isinstance(node, cst.StarredElement):
            return self.make(ir.Starred, node, self.target(node.value))
        return self.expression(node)

    def name(self, node: cst.Name) -> Any:
        name = identifier(node.value)
        if name in _SINGLETONS:
            return self.make(ir.Constant, node, _SINGLETONS[name])
        self.scopes[-1].used.add(name)
        return self.make(ir.Name, node, name)

    def number(self, node: Any) -> Any:
        # What `evaluated_value` does is to run the compiler, which is slow for the many small numbers.
        text = node.value
        return self.make(ir.Constant, node, int(text) if text.isdecimal() else node.evaluated_value)

    def ellipsis(self, node: cst.Ellipsis) -> Any:
        return self.make(ir.Constant, node, ...)

    def string(self, node: Any) -> Any:
        if isinstance(node, cst.ConcatenatedString) and not _is_plain(node):
            return self.formatted(node)
        return self.make(ir.Constant, node, _string_value(node))

    def parts(self, node: Any) -> list[Any]:
        """What an f-string, or strings of which one is an f-string, are made of: texts that do not touch, and fields."""
        return joined(self.pieces(node))

    def pieces(self, node: Any) -> Iterator[Any]:
        if isinstance(node, cst.ConcatenatedString):
            yield from self.pieces(node.left)
            yield from self.pieces(node.right)
        elif isinstance(node, cst.SimpleString):
            yield str(_string_value(node))
        else:
            yield from self.formatted_pieces(node.parts, "r" in node.prefix.lower())

    def formatted_pieces(self, parts: Any, raw: bool) -> Iterator[Any]:
        for part in parts:
            if hasattr(part, "expression"):
                spec = None
                if part.format_spec is not None:
                    spec = self.make(ir.Format, part, joined(self.formatted_pieces(part.format_spec, raw)))
                value = self.expression(part.expression)
                debug = getattr(part, "equal", None) is not None
                yield self.make(ir.Field, part, value, part.conversion, spec, debug)
            else:
                yield _text_value(part.value, raw)

    def formatted(self, node: Any) -> Any:
        return self.make(ir.Format, node, self.parts(node))

    def attribute(self, node: cst.Attribute) -> Any:
        value = self.expression(node.value)
        return self.make(ir.Attribute, node, value, identifier(node.attr.value))

    def subscript(self, node: cst.Subscript) -> Any:
        value = self.expression(node.value)
        indices = [self.index(element) for element in node.slice]
        last = node.slice[-1]
        if len(indices) == 1 and not isinstance(last.comma, cst.Comma):
            index = indices[0]
        else:
            index = self.make(ir.Sequence, node.slice[0], "tuple", indices)
        return self.make(ir.Subscript, node, value, index)

    def index(self, element: cst.SubscriptElement) -> Any:
        part = element.slice
        if isinstance(part, cst.Slice):
            lower, upper, step = self.optional(part.lower), self.optional(part.upper), self.optional(part.step)
            return self.make(ir.Slice, part, lower, upper, step)
        assert isinstance(part, cst.Index)
        value = self.expression(part.value)
        return self.make(ir.Starred, part, value) if part.star else value

    def call(self, node: cst.Call) -> Any:
        func = self.expression(node.func)
        args, keywords = [], []
        for arg in node.args:
            if arg.keyword is not None:
                keywords.append(self.make(ir.Keyword, arg, identifier(arg.keyword.value), self.expression(arg.value)))
            elif arg.star == "**":
                keywords.append(self.make(ir.Keyword, arg, None, self.expression(arg.value)))
            else:
                args.append(self.argument(arg))
        return self.make(ir.Call, node, func, tuple(args), tuple(keywords))

    def argument(self, arg: cst.Arg) -> Any:
        value = self.expression(arg.value)
        return self.make(ir.Starred, arg, value) if arg.star == "*" else value

    def unary(self, node: cst.UnaryOperation) -> Any:
        op = _operator(node.operator)
        operand = self.expression(node.expression)
        if type(operand) is ir.Constant and op == "-" and type(operand.value) in (int, float, complex):
            return self.make(ir.Constant, node, -operand.value)
        return self.make(ir.Unary, node, op, operand)

    def binary(self, node: cst.BinaryOperation) -> Any:
        # A long sum nests to the left: walk down the spine instead of recursing.
        spine = []
        while type(node) is cst.BinaryOperation:
            spine.append(node)
            node = node.left  # type: ignore[assignment]
        left = self.expression(node)
        for outer in reversed(spine):
            left = self.make(ir.Binary, outer, _operator(outer.operator), left, self.expression(outer.right))
        return left

    def boolean(self, node: cst.BooleanOperation) -> Any:
        left = self.expression(node.left)
        return self.make(ir.Boolean, node, _operator(node.operator), left, self.expression(node.right))

    def comparison(self, node: cst.Comparison) -> Any:
        left = self.expression(node.left)
        ops, rights = [], []
        for part in node.comparisons:
            ops.append(_operator(part.operator))
            rights.append(self.expression(part.comparator))
        return self.make(ir.Compare, node, left, tuple(ops), tuple(rights))

    def ternary(self, node: cst.IfExp) -> Any:
        test = self.expression(node.test)
        return self.make(ir.Conditional, node, test, self.expression(node.body), self.expression(node.orelse))

    def display(self, node: Any) -> Any:
        elements = []
        for element in node.elements:
            if isinstance(element, cst.StarredElement):
                elements.append(self.starred(element))
            else:
                elements.append(self.expression(element.value))
        kinds: dict[type[cst.CSTNode], str] = {cst.Tuple: "tuple", cst.List: "list", cst.Set: "set"}
        return self.make(ir.Sequence, node, kinds[type(node)], elements)

    def starred(self, node: cst.StarredElement) -> Any:
        return self.make(ir.Starred, node, self.run(node.value) or self.expression(node.value))

    def run(self, node: Any) -> Any:
        """What stands for items that are left out of the text, if it is that."""
        run = run_of(node.evaluated_value) if type(node) is cst.SimpleString else None
        return None if run is None else self.make(ir.Run, node, *run)

    def dictionary(self, node: cst.Dict) -> Any:
        keys, values = [], []
        for element in node.elements:
            if isinstance(element, cst.DictElement):
                keys.append(self.expression(element.key))
                values.append(self.expression(element.value))
            else:
                keys.append(None)
                values.append(self.run(element.value) or self.expression(element.value))
        return self.make(ir.Dict, node, keys, values)

    def anonymous(self, node: cst.Lambda) -> Any:
        parameters = self.parameters(node.params)
        function = self.make(ir.Function, node)
        self.function(
            function, "<lambda>", parameters, lambda: [self.make(ir.Return, node.body, self.expression(node.body))]
        )
        return self.make(ir.Lambda, node, function)

    def comprehension(self, node: Any) -> Any:
        kind = {"ListComp": "list", "SetComp": "set", "DictComp": "dict", "GeneratorExp": "generator"}
        names: set[str] = set()
        clauses = []
        part = node.for_in
        while part is not None:
            iterable = self.expression(part.iter)
            target = self.comprehension_target(part.target, names)
            conditions = [self.expression(test.test) for test in part.ifs]
            is_async = part.asynchronous is not None
            clauses.append(self.make(ir.Clause, part, target, iterable, conditions, is_async))
            part = part.inner_for_in
        if isinstance(node, cst.DictComp):
            element, value = self.expression(node.key), self.expression(node.value)
        else:
            element, value = self.expression(node.elt), None
        made = kind[type(node).__name__]
        return self.make(ir.Comprehension, node, made, element, value, clauses, frozenset(names))

    def await_(self, node: cst.Await) -> Any:
        return self.make(ir.Await, node, self.expression(node.expression))

    def yields(self, node: cst.Yield) -> Any:
        self.scopes[-1].is_generator = True
        if isinstance(node.value, cst.From):
            return self.make(ir.YieldFrom, node, self.expression(node.value.item))
        return self.make(ir.Yield, node, self.optional(node.value))

    def walrus(self, node: cst.NamedExpr) -> Any:
        value = self.expression(node.value)
        return self.make(ir.Walrus, node, self.walrus_target(node.target), value)


def _alias(node: cst.ImportAlias) -> str | None:
    if node.asname is None:
        return None
    assert isinstance(node.asname.name, cst.Name)
    return identifier(node.asname.name.value)


def _dotted(node: Any) -> str:
    parts = []
    while isinstance(node, cst.Attribute):
        parts.append(identifier(node.attr.value))
        node = node.value
    parts.append(identifier(node.value))
    return ".".join(reversed(parts))


def _is_plain(node: Any) -> bool:
    if isinstance(node, cst.ConcatenatedString):
        return _is_plain(node.left) and _is_plain(node.right)
    return isinstance(node, cst.SimpleString)


def _text_value(text: str, raw: bool) -> str:
    """The text that a piece of an f-string stands for."""
    if "\\" in text and not raw:
        quoted = _QUOTE.sub(lambda match: match[1] or '\\"', text)
        try:
            text = ast.literal_eval(f'"""{quoted}"""')
        except (SyntaxError, ValueError):  # an escape that this Python does not know
            return ""
    return _unified(text).replace("{{", "{").replace("}}", "}")


def _unified(text: str) -> str:
    """A text with the line breaks that Python gives it."""
    return text.replace("\r\n", "\n") if "\r" in text else text


def _string_value(node: Any) -> Any:
    try:
        if isinstance(node, cst.SimpleString) and "\\" not in node.value and node.prefix == "":
            return _unified(node.raw_value)
        value = node.evaluated_value
    except (SyntaxError, ValueError):  # an escape that this Python does not know
        return "" if "b" not in getattr(node, "prefix", "") else b""
    if value is None:
        value = ast.literal_eval(cst.Module([]).code_for_node(node))
    return value


_L = Lowering
_STATEMENTS: dict[Any, Callable[..., Any]] = {
    cst.Expr: _L.expr_statement, cst.Assign: _L.assign, cst.AugAssign: _L.augmented,
    cst.AnnAssign: _L.annotated, cst.Return: _L.returns, cst.Raise: _L.raises, cst.Assert: _L.asserts,
    cst.Del: _L.delete, cst.Global: _L.declare_global, cst.Nonlocal: _L.declare_nonlocal,
    cst.Import: _L.imports, cst.ImportFrom: _L.imports_from, cst.If: _L.conditional,
    cst.While: _L.while_loop, cst.For: _L.for_loop, cst.Try: _L.try_block, cst.TryStar: _L.try_block,
    cst.With: _L.with_block, cst.FunctionDef: _L.function_definition, cst.ClassDef: _L.class_definition,
    cst.Match: _L.match,
    cst.Pass: lambda self, node: self.make(ir.Pass, node),
    cst.Break: lambda self, node: self.make(ir.Break, node),
    cst.Continue: lambda self, node: self.make(ir.Continue, node),
}  # fmt: skip


def _type_alias(self: Lowering, node: Any) -> Any:
    self.bind(identifier(node.name.value))
    return self.make(ir.Pass, node)


_STATEMENTS[cst.TypeAlias] = _type_alias

_EXPRESSIONS: dict[Any, Callable[..., Any]] = {
    cst.Name: _L.name, cst.Integer: _L.number, cst.Float: _L.number, cst.Imaginary: _L.number,
    cst.Ellipsis: _L.ellipsis, cst.SimpleString: _L.string, cst.ConcatenatedString: _L.string,
    cst.FormattedString: _L.formatted, cst.Attribute: _L.attribute, cst.Subscript: _L.subscript,
    cst.Call: _L.call, cst.UnaryOperation: _L.unary, cst.BinaryOperation: _L.binary,
    cst.BooleanOperation: _L.boolean, cst.Comparison: _L.comparison, cst.IfExp: _L.ternary,
    cst.Tuple: _L.display, cst.List: _L.display, cst.Set: _L.display, cst.Dict: _L.dictionary,
    cst.StarredElement: _L.starred, cst.Lambda: _L.anonymous, cst.ListComp: _L.comprehension,
    cst.SetComp: _L.comprehension, cst.DictComp: _L.comprehension, cst.GeneratorExp: _L.comprehension,
    cst.Await: _L.await_, cst.Yield: _L.yields, cst.NamedExpr: _L.walrus,
}  # fmt: skip
if hasattr(cst, "TemplatedString"):
    _EXPRESSIONS[cst.TemplatedString] = _L.formatted


def _begins_cell(line: cst.EmptyLine) -> bool:
    return line.comment is not None and not line.whitespace.value and begins_cell(line.comment.value)


def lower(module: cst.Module, source: Source) -> ir.Unit:
    """Write the IR of a source that was parsed. Raises nothing for a tree that libCST produced."""
    lowering = Lowering()
    made = lowering.make(ir.Module, module)
    lowering.open("")
    body = lowering.block(module)
    lowering.close(made, "<module>", body)
    made.cells = tuple(lowering.cells)
    unit = ir.Unit(ir.Tree.of(made, lowering.nodes), source.filename)
    unit.positions = functools.cache(lambda: spans(module, lowering.cst, source.text))
    return unit
