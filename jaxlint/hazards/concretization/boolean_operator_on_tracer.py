"""`and`, `or`, `not`, `in` or a chained comparison on a traced value.

## What it does
Reports Python's boolean operators where they need the truth of a tracer: `a and b`, `a or default`,
`not a`, `lower < x < upper`, `x in (1, 2)`.

## Why is this bad
These operators call `bool()` on their operands, and Python lets nobody overload that. A tracer has
no truth value: under `jax.jit`, `jax.vmap` and in `lax` control flow this raises
`TracerBoolConversionError`. `&`, `|` and the functions of `jax.numpy` work on whole arrays.

## Example
```python
@jax.jit
def inside(x):
    return 0 < x < 1
```

## Use instead
```python
@jax.jit
def inside(x):
    return (0 < x) & (x < 1)
```

## When to ignore
Never: it fails whenever the function is traced with this value.

## Fix safety
The fixes are unsafe. `&` and `|` evaluate both sides, `and` and `or` stop at the first that decides; they are offered only
where every operand is a comparison or another boolean, because on integers they are bitwise. `not x` becomes
`jnp.logical_not(x)`, never `~x`. `x or default` becomes a `jnp.where` that compares `x` with zero, or asks whether a
parameter with the default None is None; `x in (a, b)` becomes `jnp.isin`, and the result is an array instead of a Python
bool in each case. What is handed to a function that is not seen, which may decide by it, is only displayed. An `if` around
the expression is a finding of its own.

## References
- JAX documentation, "Errors", TracerBoolConversionError: https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "Control flow and logical operators with JIT":
  https://docs.jax.dev/en/latest/control-flow.html
"""

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import BooleanOperatorOnTracer
from jaxlint.analysis.domain.values import (
    Api,
    Array,
    Const,
    FunctionValue,
    Host,
    Static,
    Transformed,
    Undecided,
    Unknown,
)
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import BOTH_SIDES
from jaxlint.rewrite.control_flow.checked import assertion
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.static_args.static_argument import how_to_make_concrete, static_fix, traced_flag
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX105",
    category=Category.FAILS,
    hazards=(BooleanOperatorOnTracer,),
    error="TracerBoolConversionError",
    fixable="unsafe",
)

_ORDER = frozenset({"<", "<=", ">", ">=", "==", "!="})


def check(hazard: BooleanOperatorOnTracer, file: File) -> Iterator[Finding]:
    flag = traced_flag(hazard, file)
    help = how_to_make_concrete(hazard, file) if flag is not None else None
    fix = static_fix(flag, file) if flag is not None else _fix(hazard, file)
    yield Finding(hazard.site, _message(hazard, file), help or _help(hazard, file), fix)


def _message(hazard: BooleanOperatorOnTracer, file: File) -> str:
    code = file.code(hazard.operand, 40)
    if hazard.form == "chain":
        return f"Chained comparison on traced value: `{file.code(hazard.site, 40)}`"
    return f"`{hazard.form}` on traced value `{code}`"


def _help(hazard: BooleanOperatorOnTracer, file: File) -> str:
    jnp = file.api("jax.numpy")[0]
    code = file.code(hazard.operand, 40)
    if hazard.form == "not":
        return f"Use `{jnp}.logical_not({code})`."
    if hazard.form == "chain":
        return "Join two comparisons with `&`, each in parentheses."
    if hazard.form == "in":
        return f"Use `{jnp}.isin`, which compares with every element."
    sign, function = ("&", "logical_and") if hazard.form == "and" else ("|", "logical_or")
    return (
        f"Join booleans with `{sign}`, each side in parentheses, or with `{jnp}.{function}`."
        f" Choose between two values with `{jnp}.where`."
    )


@or_none
def _default(file: File, node: ir.Node) -> Fix:
    """`y if x is None else x` for `x or y`, where `x` is a parameter that callers may leave at None."""
    choice, draft = expect(ir.Boolean, node), Draft(file)
    name, scope = expect(ir.Name, choice.left).id, expect(ir.Function, file.unit.scope(node.site))
    parameter = known(next((each for each in scope.parameters if each.name == name), None))
    require(choice.op == "or" and ir.is_none(parameter.default))
    other = argument(file, choice.right.site)
    text = f"{other} if {name} is None else {name}"
    alone = isinstance(file.unit.parent(node.site), (ir.Assign, ir.Return, ir.Keyword))
    draft.replace_whole(node.site, text if alone else f"({text})")
    return draft.fix(f"Ask whether `{name}` is None", "0 is kept, where it gave way to the default")


def _fix(hazard: BooleanOperatorOnTracer, file: File) -> Fix | None:
    writer = _Writer(hazard, file)
    top = file.unit.nodes[hazard.site]
    default = _default(file, file.unit.parent(top.site) or top)
    if default is not None:
        return default
    above = file.unit.parent(top.site)
    while isinstance(above, ir.Boolean) or (isinstance(above, ir.Unary) and above.op == "not"):
        top, above = above, file.unit.parent(above.site)
    text = writer.text(top)
    is_call = text is None or isinstance(top, ir.Unary)
    if text is None:
        text = writer.chosen(top)
    if text is None and isinstance(above, ir.Assert):
        return assertion(hazard, file)
    if text is None or text == file.code(top.site):
        return None
    # A call needs no parentheses around it.
    writer.edits.append(Edit(*(file.outer_span(top.site) if is_call else file.span(top.site)), text))
    level = Applicability.DISPLAY if _may_branch(file, top, above) else Applicability.UNSAFE
    return writer.fix("Use operators and functions that work on arrays", BOTH_SIDES, level)


def _may_branch(file: File, node: ir.Node, above: ir.Node | None) -> bool:
    """Whether an expression is handed to a function that is not seen, and may decide by it as by a bool of Python."""
    call = file.unit.parent(above.site) if isinstance(above, ir.Keyword) else above
    if not isinstance(call, ir.Call) or call.func is node:
        return False
    callees = file.values(call.func.site)
    return not any(
        isinstance(each, (FunctionValue, Transformed)) or (isinstance(each, Api) and each.name.startswith("jax."))
        for each in callees
    )


class _Writer(Draft):
    """Writes a boolean expression with operators that work on arrays. None: it cannot be told how."""

    def __init__(self, hazard: BooleanOperatorOnTracer, file: File) -> None:
        super().__init__(file)
        self.hazard = hazard
        self.traced = {each.site: each for each in file.model.of(BooleanOperatorOnTracer)}

    def text(self, node: ir.Node) -> str | None:
        if isinstance(node, ir.Boolean):
            sides = [self.closed(side) for side in (node.left, node.right)]
            sign = " & " if node.op == "and" else " | "
            return None if None in sides else sign.join(side for side in sides if side is not None)
        if isinstance(node, ir.Unary) and node.op == "not":
            inner = self.text(node.operand) or argument(self.file, node.operand.site)
            # What is not understood may hold the operator that fails.
            plain = not isinstance(node.operand, (ir.Boolean, ir.Compare)) or self.text(node.operand) is not None
            return self.call("jax.numpy.logical_not", inner) if plain else None
        if isinstance(node, ir.Compare):
            return self.comparison(node)
        return self.file.code(node.site) if self.is_boolean(node) else None

    def closed(self, node: ir.Node) -> str | None:
        """The text of a boolean as an operand of `&` or `|`, which bind tighter than comparisons."""
        text = self.text(node)
        if text is None or isinstance(node, (ir.Name, ir.Call, ir.Constant, ir.Subscript, ir.Attribute, ir.Unary)):
            return text
        # `a and b and c` nests to the left, as `&` does.
        above = self.file.unit.parent(node.site)
        if isinstance(node, ir.Boolean) and isinstance(above, ir.Boolean) and above.op == node.op:
            return text
        single = node.site in self.traced and isinstance(node, ir.Compare) and node.ops[0] in ("in", "not in")
        return text if single else f"({text})"

    def comparison(self, node: ir.Compare) -> str | None:
        operands = [node.left, *node.rights]
        if set(node.ops) <= _ORDER:
            if len(node.ops) == 1:
                return self.file.code(node.site)
            if any(isinstance(each, (ir.Walrus, ir.Await, ir.Yield)) for each in operands):
                return None
            codes = [operand(self.file, each.site) if _loose(each) else self.file.code(each.site) for each in operands]
            pairs = zip(codes, node.ops, codes[1:])
            return " & ".join(f"({left} {op} {right})" for left, op, right in pairs)
        if len(node.ops) == 1 and node.site in self.traced and node.ops[0] in ("in", "not in"):
            return self.membership(node)
        may_fail = any(
            isinstance(value, (Array, Undecided)) for each in operands for value in self.file.values(each.site)
        )
        return self.file.code(node.site) if self.is_boolean(node) and not may_fail else None

    def membership(self, node: ir.Compare) -> str:
        right = node.rights[0]
        elements = self.file.code(right.site)
        if isinstance(right, ir.Sequence):
            listed = ", ".join(argument(self.file, each.site) for each in right.elements)
            elements = self.call("jax.numpy.array", f"[{listed}]")
        elif right.site != self.traced[node.site].operand:
            elements = self.call("jax.numpy.array", elements)
        text = self.call("jax.numpy.isin", argument(self.file, node.left.site), elements)
        return f"~{text}" if node.ops[0] == "not in" else text

    def is_boolean(self, node: ir.Node) -> bool:
        """Whether an expression gives booleans wherever anything is known of it."""
        known = [value for value in self.file.values(node.site) if not isinstance(value, Unknown)]
        return bool(known) and all(
            isinstance(value, (Array, Host))
            and value.aval.dtype == "bool"
            or isinstance(value, Static)
            and value.type == "bool"
            or isinstance(value, Const)
            and isinstance(value.value, bool)
            for value in known
        )

    def chosen(self, node: ir.Node) -> str | None:
        """`x or default`, `x and value` as a choice between two values."""
        if not isinstance(node, ir.Boolean) or not _may_be_repeated(node.left):
            return None
        if node.left.site != self.hazard.operand or isinstance(
            node.right, (ir.Boolean, ir.Sequence, ir.Dict, ir.Lambda)
        ):
            return None
        if isinstance(node.right, ir.Constant) and not isinstance(node.right.value, (int, float, complex)):
            return None
        left, right = self.file.code(node.left.site), argument(self.file, node.right.site)
        first, second = (right, left) if node.op == "and" else (left, right)
        return self.call("jax.numpy.where", f"{left} != 0", first, second)


def _loose(node: ir.Node) -> bool:
    """Whether an operand binds less tightly than a comparison."""
    return isinstance(node, (ir.Boolean, ir.Compare, ir.Conditional, ir.Lambda)) or (
        isinstance(node, ir.Unary) and node.op == "not"
    )


def _may_be_repeated(node: ir.Node) -> bool:
    """Whether an expression may be written twice: a name, an attribute, a method of one without arguments."""
    if isinstance(node, ir.Call):
        return (
            not node.args and not node.keywords and isinstance(node.func, ir.Attribute) and _may_be_repeated(node.func)
        )
    return isinstance(node, ir.Name) or (isinstance(node, ir.Attribute) and _may_be_repeated(node.value))
