"""Rewriting a module so that every expression reports its value when it is evaluated.

Each expression that is read becomes ``__jaxlint_record__((start, end), expression)``; the function
returns the value it is given, so the module does what it did. Left alone are places where a call
may not stand or would change the meaning: annotations, decorators, patterns, the parts of an
f-string themselves, slices, starred expressions, ``super()``.

With ``activations`` each function also says when it is entered, and with what:
``__jaxlint_here__ = __jaxlint_record__.enter((start, end), names, locals())`` is its first statement, and
what that gives goes with every expression as a third argument. Expressions outside of all functions
take it from the module, whose loader sets the name.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable
from typing import Any

# Ends in underscores too, so that it is not mangled inside classes.
RECORD = "__jaxlint_record__"
HERE = "__jaxlint_here__"

Span = tuple[int, int]  # offsets in code points, parentheses around the expression left out
Recorder = Callable[[Span, Any], Any]


def instrumented(text: str, filename: str, activations: bool = False) -> types.CodeType:
    """Code of a module that calls the global ``RECORD`` with the span and the value of each expression."""
    tree = _Instrument(text, activations).visit(ast.parse(text, filename))
    return compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)


class Offsets:
    """Offsets of the nodes ``ast`` makes of a text; it counts rows and bytes."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def span(self, node: ast.expr) -> Span:
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset),
        )

    def _offset(self, row: int, byte: int) -> int:
        line = self._lines[row - 1]
        if not line.isascii():
            byte = len(line.encode("utf-8")[:byte].decode("utf-8", "replace"))
        return self._starts[row - 1] + byte


_NEVER = (ast.Constant, ast.Starred, ast.Slice, ast.JoinedStr, ast.FormattedValue, ast.Lambda, ast.GeneratorExp)


class _Instrument(ast.NodeTransformer):
    def __init__(self, text: str, activations: bool = False) -> None:
        self._text = text
        self._offsets = Offsets(text)
        self._activations = activations

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return self._definition(node)
        if isinstance(node, ast.Lambda):
            return self._lambda(node)
        if isinstance(node, (ast.arg, getattr(ast, "TypeAlias", ()))):
            return node
        if isinstance(node, ast.pattern):
            return node
        if isinstance(node, ast.AnnAssign):
            node.target = self.visit(node.target)
            node.value = self.visit(node.value) if node.value else None
            return node
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.FormattedValue):
            return self._formatted(node)
        self.generic_visit(node)
        return self._wrap(node)

    def _wrap(self, node: ast.AST, original: Span | None = None) -> Any:
        if not isinstance(node, ast.expr) or isinstance(node, _NEVER):
            return node
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return node
        span = original or self._offsets.span(node)
        call = ast.Call(ast.Name(RECORD, ast.Load()), [_constant(span), node], [])
        if self._activations:
            call.args.append(ast.Name(HERE, ast.Load()))
        # Only the position of the node itself may show in a traceback.
        return ast.copy_location(call, node)

    def _definition(self, node: Any) -> Any:
        if isinstance(node, ast.ClassDef):
            node.keywords = [self.visit(keyword) for keyword in node.keywords]
        else:
            self._defaults(node)
        node.body = [self.visit(statement) for statement in node.body]
        if self._activations and not isinstance(node, ast.ClassDef):
            entered = ast.Assign([ast.Name(HERE, ast.Store())], self._entered(node))
            # A docstring stays the first statement.
            node.body.insert(ast.get_docstring(node, clean=False) is not None, ast.copy_location(entered, node.body[0]))
        return node

    def _lambda(self, node: ast.Lambda) -> ast.Lambda:
        self._defaults(node)
        node.body = self.visit(node.body)
        if self._activations:
            entered = ast.NamedExpr(ast.Name(HERE, ast.Store()), self._entered(node))
            both = ast.Tuple([entered, node.body], ast.Load())
            node.body = ast.copy_location(ast.Subscript(both, ast.Constant(1), ast.Load()), node.body)
        return node

    def _defaults(self, node: Any) -> None:
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]

    def _entered(self, node: Any) -> ast.expr:
        """The call that says which function is entered, and with what."""
        given = node.args
        names = [
            each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg) if each
        ]
        enter = ast.Attribute(ast.Name(RECORD, ast.Load()), "enter", ast.Load())
        variables = ast.Call(ast.Name("locals", ast.Load()), [], [])
        return ast.Call(enter, [_constant(self._offsets.span(node)), _constant(names), variables], [])

    def _call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name):
            if node.func.id in ("super", "locals", "vars", "eval", "exec") and not node.args:
                return node
        elif isinstance(node.func, ast.Attribute):
            # The bound method itself is no data; what it is taken from is.
            node.func.value = self.visit(node.func.value)
        else:
            node.func = self.visit(node.func)
        node.args = [self.visit(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
        return self._wrap(node)

    def _subscript(self, node: ast.Subscript) -> Any:
        node.value = self.visit(node.value)
        if isinstance(node.slice, ast.Tuple):
            node.slice.elts = [self.visit(each) for each in node.slice.elts]
        else:
            node.slice = self.visit(node.slice)
        return self._wrap(node)

    def _formatted(self, node: ast.FormattedValue) -> Any:
        # Before Python 3.12 the positions inside an f-string can be wrong: then the text at them is another.
        if self._is_placed(node.value):
            node.value = self.visit(node.value)
        if isinstance(node.format_spec, ast.JoinedStr):
            node.format_spec.values = [self.visit(each) for each in node.format_spec.values]
        return node

    def _is_placed(self, node: ast.expr) -> bool:
        for inner in ast.walk(node):
            if isinstance(inner, ast.expr) and not isinstance(inner, (ast.Slice, ast.Starred)):
                start, end = self._offsets.span(inner)
                try:
                    found = ast.parse(f"({self._text[start:end]}\n)", mode="eval").body
                except SyntaxError:
                    return False
                if ast.dump(found) != ast.dump(inner):
                    return False
        return True


def _constant(items: Iterable[Any]) -> ast.Tuple:
    return ast.Tuple([ast.Constant(each) for each in items], ast.Load())
