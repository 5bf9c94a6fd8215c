"""Code that chooses between two values by a Python condition, written with ``jnp.where``.

Both values are computed then, so only what can be an array and computes without a condition is
taken: no strings, containers, functions or `None`.
"""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import BranchOnTracer
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import unpacked
from jaxlint.rewrite.changes import BOTH_SIDES
from jaxlint.rewrite.control_flow.dataflow import after, changes_state, may_be_array, value_before
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import known, or_none, require
from jaxlint.rewrite.statements import block_span, comments_in, is_elif, step
from jaxlint.source.diagnostic import Edit, Fix
from jaxlint.source.lexer import loses_comment

_NO_ARRAY = (ir.Lambda, ir.Sequence, ir.Dict, ir.Comprehension, ir.Format, ir.Starred)
_MAX_CHOICES = 16  # in one another
_MAKING_TREES = ("jax.tree.map", "jax.tree.unflatten")
_Made = tuple[str, str]


def choose(file: File, test: ir.Node, condition: str | None = None) -> Fix | None:
    """The fix for an `if` or a ternary whose condition is ``test``, or written as ``condition``; None where it takes more thought."""
    node = file.unit.parent(test.site)
    match node, file.unit.parent(node.site) if node is not None else None:
        case ir.Conditional() as choice, _ if choice.test is test:
            return _Writer(file, {test.site: condition}).ternary(choice)
        case ir.If() as choice, _:
            return _Writer(file, {test.site: condition}).statement(choice)
        case ir.Boolean(op="and") as both, (ir.If() | ir.Conditional()) as guarded if both.right is test:
            return _Writer(file).guarded(both, guarded) if guarded.test is both else None
    return None


class _Writer(Draft):
    def __init__(self, file: File, conditions: dict[int, str | None] | None = None) -> None:
        super().__init__(file)
        self.unit = file.unit
        self.where = self.api("jax.numpy.where")
        self.traced = {hazard.site for hazard in file.model.of(BranchOnTracer)}
        self.conditions = {site: code for site, code in (conditions or {}).items() if code is not None}

    def chosen(self, test: ir.Node, body: str, orelse: str) -> str:
        if test.site in self.conditions:
            return f"{self.where}({self.conditions[test.site]}, {body}, {orelse})"
        if test.site in self.traced:
            return f"{self.where}({argument(self.file, test.site)}, {body}, {orelse})"
        # Python knows the condition, and what it guards may not be computable without it.
        wide = isinstance(test, (ir.Conditional, ir.Lambda, ir.Walrus))
        condition = operand(self.file, test.site) if wide else self.file.code(test.site)
        body = f"({body})" if " if " in body else body
        return f"({body} if {condition} else {orelse})"

    def sides(self, node: ir.Conditional) -> tuple[str, str]:
        """The values of a ternary."""
        require(self.is_value(node.body) and self.is_value(node.orelse))
        return argument(self.file, node.body.site), argument(self.file, node.orelse.site)

    @or_none
    def ternary(self, node: ir.Conditional) -> Fix:
        above = list(self.unit.ancestors(node.site))
        called = isinstance(above[0], ir.Call) and above[0].func is node
        # The quotes of an f-string are not those of the code in it.
        require(not called and not any(isinstance(each, ir.Format) for each in above))
        return self.within(Edit(*self.file.outer_span(node.site), self.chosen(node.test, *self.sides(node))))

    @or_none
    def statement(self, node: ir.If) -> Fix:
        start, end = self.file.span(node.site)
        below_elif = is_elif(self.file, node)
        written = self.value_of([node])
        if written is None:  # `if c: return a` and then `return b`
            rest = after(self.unit, node)
            require(rest and not below_elif)
            written = known(self.value_of([node, *rest]))
            end = self.file.span(rest[-1].site)[1]
        code = "".join(written)
        said = comments_in(self.file, self.file.span(node.test.site)[1], block_span(self.file, node.body)[0])
        if said and not below_elif and not loses_comment(self.file.source.text[start:end], f"{said[-1]}\n{code}"):
            code = f"{said[-1]}{self.file.source.newline}{self.file.indentation(node.site)}{code}"
        if below_elif:
            indent = self.file.indentation(node.site) + step(self.file, node, node.body)
            code = f"else:{self.file.source.newline}{indent}{code}"
        return self.within(Edit(start, end, code))

    @or_none
    def guarded(self, both: ir.Boolean, node: ir.Conditional | ir.If) -> Fix:
        """`if known and traced`: Python decides by what it knows, and JAX chooses under it."""
        left = Edit(*self.file.span(both.site), self.file.code(both.left.site))
        if isinstance(node, ir.Conditional):
            require(" if " not in left.content)
            chosen = self.chosen(both.right, *self.sides(node))
            return self.within(Edit(*self.file.outer_span(node.body.site), chosen), left)
        then = self.value_of(node.body)
        otherwise = self.other(node, then)
        if not node.orelse and otherwise is None:
            otherwise = self.value_of(after(self.unit, node)[:1])
        start, end = self.file.span(node.body[0].site)[0], self.file.span(node.body[-1].site)[1]
        return self.within(Edit(start, end, "".join(known(self.either(both.right, then, otherwise)))), left)

    def within(self, *edits: Edit) -> Fix:
        self.edits += edits
        return self.fix(f"Choose with `{self.where}`", BOTH_SIDES)

    def value_of(self, block: list[ir.Statement], depth: int = 0) -> _Made | None:
        """What a block makes: "return " or "name = ", and the value; None for more choices in one another than are read."""
        if depth > _MAX_CHOICES:
            return None
        match block:
            case [ir.If() as node, _, *_]:
                then = self.value_of(node.body, depth + 1)
                if then and then[0] == "return ":
                    return self.either(node.test, then, self.value_of([*node.orelse, *block[1:]], depth + 1))
            case [ir.Return(value=ir.Expression() as value)] if self.is_value(value):
                return "return ", argument(self.file, value.site)
            case [ir.Assign(targets=[ir.Name(id=name)], value=value)] if self.is_value(value):
                return f"{name} = ", argument(self.file, value.site)
            case [ir.Augment(target=ir.Name(id=name), op=op, value=value)] if self.is_value(value):
                return f"{name} = ", f"{name} {op} {operand(self.file, value.site)}"
            case [ir.If() as node]:
                then = self.value_of(node.body, depth + 1)
                return self.either(node.test, then, self.other(node, then, depth + 1))
        return None

    def either(self, test: ir.Node, then: _Made | None, otherwise: _Made | None) -> _Made | None:
        """What two blocks make, chosen by a test, where both return or bind one name."""
        if then is None or otherwise is None or then[0] != otherwise[0]:
            return None
        return then[0], self.chosen(test, then[1], otherwise[1])

    def other(self, node: ir.If, then: _Made | None, depth: int = 0) -> _Made | None:
        """What the other branch makes; without one, the value that the name keeps, if it has one that is an array."""
        if node.orelse:
            return self.value_of(node.orelse, depth)
        name = then[0].removesuffix(" = ") if then and then[0] != "return " else ""
        return (f"{name} = ", name) if name and self.has_value_before(node, name) else None

    def has_value_before(self, node: ir.Node, name: str) -> bool:
        """Whether a name certainly has a value, of which nothing says that it is no array."""
        source = value_before(self.file, node, name)
        return source is not None and (not isinstance(source, ir.Expression) or self.is_value(source))

    def is_value(self, node: ir.Expression) -> bool:
        """Whether ``node`` may well be an array or a number, and computing it changes nothing."""
        if isinstance(node, _NO_ARRAY) or changes_state(self.file, [node]):
            return False
        if isinstance(node, ir.Constant):
            return isinstance(node.value, (bool, int, float, complex))
        if isinstance(node, ir.Name) and node.id in unpacked(self.unit.scope(node.site)):
            return False  # a container
        if isinstance(node, ir.Call) and any(self.file.is_api(node.func.site, name) for name in _MAKING_TREES):
            return False
        return all(map(may_be_array, self.file.values(node.site)))
