"""Choices and loops that a fix wrote of expressions with certainly two shapes, told by their text where no shape is known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

# Of methods, and of functions that are given the array first: what they give has another rank or size than the array.
_CHANGING = frozenset(
    "all any append argmax argmin atleast_2d concatenate diag expand_dims flatten hstack max mean median min outer pad prod ravel"
    " repeat reshape squeeze stack std sum swapaxes tile trace transpose var vstack".split()
)
_ATTRIBUTES = frozenset({"T", "mT", "shape", "size"})


def changes(expression: ast.expr, array: ast.expr) -> bool:
    """Whether an expression is the array with another rank or size, whatever the array is but a scalar."""
    if isinstance(expression, ast.Subscript):
        return _same(expression.value, array) and _selects(expression.slice)
    if isinstance(expression, ast.Attribute):
        return expression.attr in _ATTRIBUTES and _same(expression.value, array)
    if not isinstance(expression, ast.Call) or not isinstance(expression.func, ast.Attribute):
        return False
    if expression.func.attr not in _CHANGING or any(each.arg == "keepdims" for each in expression.keywords):
        return False
    given = expression.args[0] if expression.args else None
    joined = given.elts if isinstance(given, (ast.List, ast.Tuple)) and len(given.elts) > 1 else [given]
    return _same(expression.func.value, array) or any(each is not None and _same(each, array) for each in joined)


def _selects(index: ast.expr) -> bool:
    """Whether an index leaves out or adds an axis, or cuts one."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(
        (isinstance(part, ast.Slice) and (part.lower is not None or part.upper is not None))
        or (isinstance(part, ast.Constant) and part.value is not Ellipsis)
        or (isinstance(part, ast.UnaryOp) and isinstance(part.operand, ast.Constant))
        for part in parts
    )


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def choices(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls of `where` with three arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) == 3 and getattr(node.func, "attr", "") == "where":
            yield node


def unlike_choice(before: ast.Module, after: ast.Module) -> str:
    """A choice of ``after``, and not of ``before``, between an array and what has another shape; empty where there is none."""
    known = {ast.dump(each) for node in choices(before) for each in node.args[1:]}
    for node in choices(after):
        _, one, other = node.args
        if (changes(one, other) or changes(other, one)) and not {ast.dump(one), ast.dump(other)} <= known:
            return (
                f"`where` would choose between `{ast.unparse(one)}` and `{ast.unparse(other)}`, which have two shapes"
            )
    return ""


def changing_carry(before: ast.Module, after: ast.Module, is_number: Callable[[ast.expr], bool]) -> str:
    """A variable that a loop of ``after``, and not of ``before``, carries and gives another shape; empty where there is none.

    ``is_number`` says whether an expression is known to have no axes.
    """
    known = {ast.dump(each) for each in _loops(before)}
    for scope in ast.walk(after):
        for body in _bodies(scope):
            functions = {each.name: (at, each) for at, each in enumerate(body) if isinstance(each, ast.FunctionDef)}
            for loop in (loop for each in body if not isinstance(each, ast.FunctionDef) for loop in _loops(each)):
                names = [each.id for each in loop.args if isinstance(each, ast.Name) and each.id in functions]
                if ast.dump(loop) in known or not names:
                    continue
                at, function = functions[names[-1]]
                for name, value in _assigned(function):
                    if _changes_carry(name, value, body[:at], is_number):
                        return f"the loop gives `{name}` another shape by `{ast.unparse(value)}`, or may do so"
    return ""


def _loops(node: ast.AST) -> Iterator[ast.Call]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and getattr(each.func, "attr", "") in ("fori_loop", "while_loop"):
            yield each


def _bodies(node: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        found = getattr(node, field, None)
        if isinstance(found, list):
            yield found


def _assigned(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """What a loop's function computes anew of the variables that it carries."""
    returned = {each.id for node in function.body if isinstance(node, ast.Return) and node.value is not None
                for each in ast.walk(node.value) if isinstance(each, ast.Name)}  # fmt: skip
    for node in function.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            name, value = node.target.id, ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        else:
            continue
        if name in returned:
            yield name, value


def _changes_carry(
    name: str, value: ast.expr, above: Sequence[ast.stmt], is_number: Callable[[ast.expr], bool]
) -> bool:
    carried = ast.Name(name, ast.Load())
    return changes(value, carried) or (_begins_as_number(name, above) and _adds_element(value, carried, is_number))


def _begins_as_number(name: str, above: Sequence[ast.stmt]) -> bool:
    for node in reversed(above):
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == name for each in node.targets
        ):
            return isinstance(node.value, ast.Constant)
    return False


def _adds_element(value: ast.expr, carried: ast.expr, is_number: Callable[[ast.expr], bool]) -> bool:
    """Whether an element of something, which may be an array itself, is added to what is carried."""
    if not isinstance(value, ast.BinOp):
        return False
    for one, other in ((value.left, value.right), (value.right, value.left)):
        if _same(one, carried) and isinstance(other, ast.Subscript) and not isinstance(other.slice, ast.Tuple):
            return not is_number(other)
    return False
