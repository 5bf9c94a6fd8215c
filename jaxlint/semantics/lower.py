"""Lowering: one walk over the libCST tree writes the IR of the module, its classes and functions.

Lowering decides what is lexical: which names a scope binds, which it only reads, which operators
stand where. It resolves nothing and judges nothing.
"""

from __future__ import annotations

import ast
import re
from typing import Any, Callable, Optional

import libcst as cst

from jaxlint import syntax as ir
from jaxlint.cells import begins_cell
from jaxlint.semantics.remarks import says_shared

# `f(1.0)  # raises TypeError`, `# Error!`, `# -> TracerBoolConversionError: …`, `# this fails`
_RAISES = re.compile(
    r"#+\W*((this|it|will|would|should|must|expected to)\s+)*"
    r"((raises?|throws?|fails?)\b(?!\s+(if|when|unless|on)\b)|error\s*([!:.]|$)|([\w.]+\.)?[a-z]+error\s*([!:.(]|$))",
    re.IGNORECASE,
)

_OPERATORS = {
    "Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "FloorDivide": "//", "Modulo": "%",
    "Power": "**", "MatrixMultiply": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
    "LeftShift": "<<", "RightShift": ">>", "LessThan": "<", "GreaterThan": ">", "Equal": "==",
    "LessThanEqual": "<=", "GreaterThanEqual": ">=", "NotEqual": "!=", "In": "in", "NotIn": "not in",
    "Is": "is", "IsNot": "is not", "Not": "not", "Minus": "-", "Plus": "+", "BitInvert": "~",
    "And": "and", "Or": "or",
}  # fmt: skip


def _operator(node: cst.CSTNode) -> str:
    name = type(node).__name__
    known = _OPERATORS.get(name)
    return known if known is not None else _OPERATORS[name.removesuffix("Assign")]


class _ScopeBuilder:
    """Names seen while the body of one scope is lowered."""

    __slots__ = ("is_class", "bound", "used", "globals", "nonlocals", "inner_free", "is_generator", "qualname")

    def __init__(self, qualname: str, is_class: bool) -> None:
        self.qualname = qualname
        self.is_class = is_class
        self.bound: set[str] = set()
        self.used: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.inner_free: set[str] = set()
        self.is_generator = False


class Lowering:
    """The visitor. ``lower`` below is the way in."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.cst: list[Any] = []
        self.scopes: list[_ScopeBuilder] = []
        self.comprehensions: list[set[str]] = []
        self.cells: list[int] = []  # sites, as the two below
        self.remarks: list[int] = []

    # --- sites and scopes ---------------------------------------------------------------------

    def make(self, kind: Callable[..., Any], node: Any, *values: Any) -> Any:
        made = kind(len(self.nodes), *values)
        self.nodes.append(made)
        self.cst.append(node)
        return made

    def bind(self, name: str) -> None:
        self.scopes[-1].bound.add(name)

    def open(self, name: str, is_class: bool = False) -> _ScopeBuilder:
        outer = self.scopes[-1].qualname if self.scopes else ""
        scope = _ScopeBuilder(f"{outer}.{name}" if outer else name, is_class)
        self.scopes.append(scope)
        return scope

    def close(self, scope: ir.Scope, name: str, body: list[ir.Statement]) -> None:
        builder = self.scopes.pop()
        declared = builder.globals | builder.nonlocals
        scope.name = name
        scope.qualname = builder.qualname
        scope.body = body
        scope.globals = frozenset(builder.globals)
        scope.nonlocals = frozenset(builder.nonlocals)
        scope.locals = frozenset(builder.bound - declared)
        # Names of a class body are not visible from the functions inside it.
        inner = builder.inner_free if builder.is_class else builder.inner_free - scope.locals
        scope.free = frozenset((builder.used - scope.locals) | inner | declared)
        if self.scopes:
            self.scopes[-1].inner_free |= scope.free

    # --- statements ---------------------------------------------------------------------------

    def block(self, suite: Any) -> list[ir.Statement]:
        body: list[ir.Statement] = []
        if type(suite) is cst.IndentedBlock:
            self.beside(suite.header)
        for item in suite.body:
            if getattr(item, "leading_lines", ()):
                self.over(item.leading_lines, suite)
            if type(item) is cst.SimpleStatementLine:
                line = [_STATEMENTS[type(small)](self, small) for small in item.body]
                comment = item.trailing_whitespace.comment
                if comment is not None and _RAISES.match(comment.value):
                    line = [self.make(ir.Expect, item, line)]
                self.beside(item.trailing_whitespace)
                body.extend(line)
            else:
                lower = _STATEMENTS.get(type(item))
                if lower is None:  # a small statement of a one-line suite
                    raise NotImplementedError(type(item).__name__)
                body.append(lower(self, item))
        return body

    def over(self, lines: Any, suite: Any) -> None:
        """Note the comments over a statement, whose nodes are made next."""
        comments = [line.comment.value for line in lines if line.comment is not None]
        if comments:
            if type(suite) is cst.Module and any(map(begins_cell, comments)):
                self.cells.append(len(self.nodes))
            if says_shared(comments):
                self.remarks.append(len(self.nodes))

    def beside(self, space: Any) -> None:
        """Note the comment at the end of a line, the nodes of which have been made."""
        line = space.first_line if type(space) is cst.ParenthesizedWhitespace else space
        if type(line) is cst.TrailingWhitespace and line.comment is not None and says_shared([line.comment.value]):
            self.remarks.append(len(self.nodes) - 1)

    def expr_statement(self, node: cst.Expr) -> ir.Statement:
        return self.make(ir.Evaluate, node, self.expression(node.value))

    def assign(self, node: cst.Assign) -> ir.Statement:
        value = self.expression(node.value)
        targets = [self.target(t.target) for t in node.targets]
        return self.make(ir.Assign, node, targets, value)

    def augmented(self, node: cst.AugAssign) -> ir.Statement:
        value = self.expression(node.value)
        target = self.target(node.target)
        if type(target) is ir.Name:
            self.scopes[-1].used.add(target.id)
        return self.make(ir.Augment, node, target, _operator(node.operator), value)

    def annotated(self, node: cst.AnnAssign) -> ir.Statement:
        value = self.expression(node.value) if node.value is not None else None
        annotation = self.expression(node.annotation.annotation)
        return self.make(ir.Annotate, node, self.target(node.target), annotation, value)

    def returns(self, node: cst.Return) -> ir.Statement:
        return self.make(ir.Return, node, self.optional(node.value))

    def raises(self, node: cst.Raise) -> ir.Statement:
        cause = self.expression(node.cause.item) if node.cause is not None else None
        return self.make(ir.Raise, node, self.optional(node.exc), cause)

    def asserts(self, node: cst.Assert) -> ir.Statement:
        return self.make(ir.Assert, node, self.expression(node.test), self.optional(node.msg))

    def delete(self, node: cst.Del) -> ir.Statement:
        target = node.target
        items = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
        return self.make(ir.Delete, node, [self.target(item) for item in items])

    def simple(self, kind: Any) -> Callable[..., ir.Statement]:
        return lambda node: self.make(kind, node)

    def declare_global(self, node: cst.Global) -> ir.Statement:
        names = tuple(item.name.value for item in node.names)
        self.scopes[-1].globals.update(names)
        return self.make(ir.Global, node, names)

    def declare_nonlocal(self, node: cst.Nonlocal) -> ir.Statement:
        names = tuple(item.name.value for item in node.names)
        self.scopes[-1].nonlocals.update(names)
        return self.make(ir.Nonlocal, node, names)

    def imports(self, node: cst.Import) -> ir.Statement:
        names = []
        for alias in node.names:
            local = _alias(alias)
            dotted = _dotted(alias.name)
            names.append((dotted, local))
            self.bind(local or dotted.partition(".")[0])
        aliases = [self.make(ir.Alias, alias, *name) for alias, name in zip(node.names, names)]
        return self.make(ir.Import, node, tuple(names), tuple(aliases))

    def imports_from(self, node: cst.ImportFrom) -> ir.Statement:
        module = _dotted(node.module) if node.module is not None else ""
        names: list[tuple[str, Optional[str]]] = []
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

    def conditional(self, node: cst.If) -> ir.Statement:
        test = self.expression(node.test)
        body = self.block(node.body)
        orelse: list[ir.Statement] = []
        if isinstance(node.orelse, cst.If):
            orelse = [self.conditional(node.orelse)]
        elif node.orelse is not None:
            orelse = self.block(node.orelse.body)
        return self.make(ir.If, node, test, body, orelse)

    def while_loop(self, node: cst.While) -> ir.Statement:
        test = self.expression(node.test)
        body = self.block(node.body)
        return self.make(ir.While, node, test, body, self.orelse(node))

    def for_loop(self, node: cst.For) -> ir.Statement:
        iterable = self.expression(node.iter)
        target = self.target(node.target)
        body = self.block(node.body)
        is_async = node.asynchronous is not None
        return self.make(ir.For, node, target, iterable, body, self.orelse(node), is_async)

    def orelse(self, node: Any) -> list[ir.Statement]:
        return self.block(node.orelse.body) if node.orelse is not None else []

    def try_block(self, node: Any) -> ir.Statement:
        body = self.block(node.body)
        handlers = []
        for handler in node.handlers:
            kind = self.optional(handler.type)
            name = None
            if handler.name is not None:
                name = handler.name.name.value
                self.bind(name)
            handlers.append(self.make(ir.Handler, handler, kind, name, self.block(handler.body)))
        orelse = self.orelse(node)
        final = self.block(node.finalbody.body) if node.finalbody is not None else []
        return self.make(ir.Try, node, body, handlers, orelse, final, isinstance(node, cst.TryStar))

    def with_block(self, node: cst.With) -> ir.Statement:
        items = []
        for item in node.items:
            context = self.expression(item.item)
            target = self.target(item.asname.name) if item.asname is not None else None
            items.append(self.make(ir.WithItem, item, context, target))
        return self.make(ir.With, node, items, self.block(node.body), node.asynchronous is not None)

    def function_definition(self, node: cst.FunctionDef) -> ir.Statement:
        decorators = tuple(self.expression(d.decorator) for d in node.decorators)
        returns = self.expression(node.returns.annotation) if node.returns is not None else None
        is_method = self.scopes[-1].is_class
        name = node.name.value
        self.bind(name)
        parameters = self.parameters(node.params)
        function = self.make(ir.Function, node)
        builder = self.open(name)
        builder.bound.update(p.name for p in parameters)
        body = self.block(node.body)
        function.parameters = parameters
        function.decorators = decorators
        function.returns = returns
        function.is_lambda = False
        function.is_async = node.asynchronous is not None
        function.is_generator = builder.is_generator
        function.is_method = is_method
        self.close(function, name, body)
        return self.make(ir.Define, node, function)

    def class_definition(self, node: cst.ClassDef) -> ir.Statement:
        decorators = tuple(self.expression(d.decorator) for d in node.decorators)
        bases = tuple(self.argument(a) for a in node.bases)
        keywords = tuple(
            self.make(ir.Keyword, a, a.keyword.value if a.keyword else None, self.expression(a.value))
            for a in node.keywords
        )
        name = node.name.value
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
                made = self.make(ir.Parameter, param, param.name.value, kind, default, annotation)
                found.append(made)
        return tuple(found)

    def match(self, node: cst.Match) -> ir.Statement:
        subject = self.expression(node.subject)
        cases = []
        for case in node.cases:
            pattern = self.pattern(case.pattern)
            guard = self.optional(case.guard)
            cases.append(self.make(ir.Case, case, pattern, guard, self.block(case.body)))
        return self.make(ir.Match, node, subject, cases)

    def pattern(self, node: Any) -> Any:
        name = type(node).__name__
        if name == "MatchAs":
            inner = [self.pattern(node.pattern)] if node.pattern is not None else []
            names = [n for p in inner for n in p.names]
            if node.name is not None:
                names.append(node.name.value)
                self.bind(node.name.value)
            kind = "capture" if node.name is not None or inner else "wildcard"
            return self.make(ir.Pattern, node, kind, None, tuple(names), tuple(inner))
        if name in ("MatchValue", "MatchSingleton"):
            return self.make(ir.Pattern, node, "value", self.expression(node.value), (), ())
        if name == "MatchStar":
            names = (node.name.value,) if node.name is not None else ()
            for bound in names:
                self.bind(bound)
            return self.make(ir.Pattern, node, "star", None, names, ())
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
            names.append(rest.value)
            self.bind(rest.value)
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
            if not self._comprehension_target:
                self.bind(node.value)
            else:
                self.comprehensions[-1].add(node.value)
            return self.make(ir.Name, node, node.value)
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

    _comprehension_target = False

    def name(self, node: cst.Name) -> Any:
        self.scopes[-1].used.add(node.value)
        if node.value in ("True", "False", "None"):
            return self.make(ir.Constant, node, {"True": True, "False": False, "None": None}[node.value])
        return self.make(ir.Name, node, node.value)

    def number(self, node: Any) -> Any:
        # What `evaluated_value` does is to run the compiler, which is slow for the many small numbers.
        text = node.value
        return self.make(ir.Constant, node, int(text) if text.isdecimal() else node.evaluated_value)

    def ellipsis(self, node: cst.Ellipsis) -> Any:
        return self.make(ir.Constant, node, ...)

    def string(self, node: Any) -> Any:
        if isinstance(node, cst.ConcatenatedString) and not _is_plain(node):
            parts = self.parts(node)
            return self.make(ir.Format, node, parts)
        return self.make(ir.Constant, node, _string_value(node))

    def parts(self, node: Any) -> list[Any]:
        if isinstance(node, cst.ConcatenatedString):
            return self.parts(node.left) + self.parts(node.right)
        if isinstance(node, cst.SimpleString):
            return [str(_string_value(node))]
        return self.formatted_parts(node.parts)

    def formatted_parts(self, parts: Any) -> list[Any]:
        made: list[Any] = []
        for part in parts:
            if hasattr(part, "expression"):
                spec = None
                if part.format_spec is not None:
                    spec = self.make(ir.Format, part, self.formatted_parts(part.format_spec))
                value = self.expression(part.expression)
                debug = getattr(part, "equal", None) is not None
                made.append(self.make(ir.Field, part, value, part.conversion, spec, debug))
            else:
                made.append(part.value)
        return made

    def formatted(self, node: Any) -> Any:
        return self.make(ir.Format, node, self.formatted_parts(node.parts))

    def attribute(self, node: cst.Attribute) -> Any:
        value = self.expression(node.value)
        return self.make(ir.Attribute, node, value, node.attr.value)

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
        value = self.expression(part.value)
        return self.make(ir.Starred, part, value) if part.star else value

    def call(self, node: cst.Call) -> Any:
        func = self.expression(node.func)
        args, keywords = [], []
        for arg in node.args:
            if arg.keyword is not None:
                keywords.append(self.make(ir.Keyword, arg, arg.keyword.value, self.expression(arg.value)))
            elif arg.star == "**":
                keywords.append(self.make(ir.Keyword, arg, None, self.expression(arg.value)))
            else:
                args.append(self.argument(arg))
            self.beside(arg.comma.whitespace_after if type(arg.comma) is cst.Comma else arg.whitespace_after_arg)
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
            value = self.expression(element.value)
            if isinstance(element, cst.StarredElement):
                value = self.make(ir.Starred, element, value)
            elements.append(value)
        kind = {cst.Tuple: "tuple", cst.List: "list", cst.Set: "set"}[type(node)]
        return self.make(ir.Sequence, node, kind, elements)

    def starred(self, node: cst.StarredElement) -> Any:
        return self.make(ir.Starred, node, self.expression(node.value))

    def dictionary(self, node: cst.Dict) -> Any:
        keys, values = [], []
        for element in node.elements:
            starred = isinstance(element, cst.StarredDictElement)
            keys.append(None if starred else self.expression(element.key))
            values.append(self.expression(element.value))
        return self.make(ir.Dict, node, keys, values)

    def anonymous(self, node: cst.Lambda) -> Any:
        parameters = self.parameters(node.params)
        function = self.make(ir.Function, node)
        builder = self.open("<lambda>")
        builder.bound.update(p.name for p in parameters)
        result = self.make(ir.Return, node.body, self.expression(node.body))
        function.parameters = parameters
        function.decorators = ()
        function.returns = None
        function.is_lambda = True
        function.is_async = False
        function.is_generator = builder.is_generator
        function.is_method = False
        self.close(function, "<lambda>", [result])
        return self.make(ir.Lambda, node, function)

    def comprehension(self, node: Any) -> Any:
        kind = {"ListComp": "list", "SetComp": "set", "DictComp": "dict", "GeneratorExp": "generator"}
        names: set[str] = set()
        clauses = []
        part = node.for_in
        while part is not None:
            iterable = self.expression(part.iter)
            self.comprehensions.append(names)
            before, self._comprehension_target = self._comprehension_target, True
            target = self.target(part.target)
            self._comprehension_target = before
            self.comprehensions.pop()
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
        before, self._comprehension_target = self._comprehension_target, False
        target = self.target(node.target)
        self._comprehension_target = before
        return self.make(ir.Walrus, node, target, value)


def _alias(node: cst.ImportAlias) -> Optional[str]:
    if node.asname is None:
        return None
    assert isinstance(node.asname.name, cst.Name)
    return node.asname.name.value


def _dotted(node: Any) -> str:
    parts = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    parts.append(node.value)
    return ".".join(reversed(parts))


def _is_plain(node: Any) -> bool:
    if isinstance(node, cst.ConcatenatedString):
        return _is_plain(node.left) and _is_plain(node.right)
    return isinstance(node, cst.SimpleString)


def _string_value(node: Any) -> Any:
    try:
        if isinstance(node, cst.SimpleString) and "\\" not in node.value and node.prefix == "":
            return node.raw_value
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
    self.bind(node.name.value)
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



def lower(module: cst.Module, filename: str, onto: Optional[ir.Unit] = None) -> ir.Unit:
    """Write the IR of a parsed module. Raises nothing for a tree that libCST produced.

    With ``onto`` the sites go on from those of another unit, and both share their tables.
    """
    lowering = Lowering()
    if onto is not None:
        assert onto.cst is not None
        lowering.nodes, lowering.cst = onto.nodes, onto.cst
    made = lowering.make(ir.Module, module)
    lowering.open("")
    body = lowering.block(module)
    lowering.close(made, "<module>", body)
    made.cells = tuple(site - made.site for site in lowering.cells)
    made.remarks = tuple(site - made.site for site in lowering.remarks)
    return ir.Unit(made, lowering.nodes, lowering.cst, filename)
