"""Code that chooses between two values by a Python condition, written with ``jnp.where``.

Both values are computed then, so only what can be an array and computes without a condition is
taken: no strings, containers, functions or `None`.
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Edit, Fix
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rule import File
from jaxlint.rewrite.bindings import bound_by
from jaxlint.semantics import values as v
from jaxlint.semantics.model import Kind

_NO_ARRAY = (ir.Lambda, ir.Sequence, ir.Dict, ir.Comprehension, ir.Format, ir.Starred)
_ONCE = (ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)


def choose(file: File, test: ir.Node) -> Optional[Fix]:
    """The fix for an `if` or a ternary whose condition is ``test``; None where it takes more thought."""
    node = file.unit.parent(test.site)
    if isinstance(node, ir.Conditional) and node.test is test:
        return _Writer(file).ternary(node)
    if isinstance(node, ir.If) and node.test is test:
        return _Writer(file).statement(node)
    return None


class _Writer:
    def __init__(self, file: File) -> None:
        self.file = file
        self.unit = file.unit
        self.where, self.imports = file.api("jax.numpy.where")
        self.traced = {demand.site for demand in file.model.by_kind((Kind.BRANCH,))}

    def fix(self, start: int, end: int, content: str) -> Fix:
        return Fix(f"Choose with `{self.where}`", (Edit(start, end, content),), imports=self.imports)

    def chosen(self, test: ir.Node, body: str, orelse: str) -> str:
        if test.site in self.traced:
            return f"{self.where}({argument(self.file, test.site)}, {body}, {orelse})"
        # Python knows the condition, and what it guards may not be computable without it.
        wide = isinstance(test, (ir.Conditional, ir.Lambda, ir.Walrus))
        condition = operand(self.file, test.site) if wide else self.file.code(test.site)
        body = f"({body})" if " if " in body else body
        return f"({body} if {condition} else {orelse})"

    def ternary(self, node: ir.Conditional) -> Optional[Fix]:
        above = list(self.unit.ancestors(node.site))
        called = isinstance(above[0], ir.Call) and above[0].func is node
        # The quotes of an f-string are not those of the code in it.
        if called or any(isinstance(each, ir.Format) for each in above):
            return None
        if not (self.is_value(node.body) and self.is_value(node.orelse)):
            return None
        values = (argument(self.file, node.body.site), argument(self.file, node.orelse.site))
        return self.fix(*self.file.outer_span(node.site), self.chosen(node.test, *values))

    def statement(self, node: ir.If) -> Optional[Fix]:
        start, end = self.file.span(node.site)
        above = self.unit.parent(node.site)
        is_elif = self.file.source.text.startswith("elif", start)
        written = self.value_of([node])
        if written is None and not node.orelse and not is_elif:
            following = self.following(node)
            then, otherwise = self.value_of(node.body), self.value_of([following] if following else [])
            # `if c: return a` and then `return b`
            if then and otherwise and following and then[0] == otherwise[0] == "return ":
                written = "return ", self.chosen(node.test, then[1], otherwise[1])
                end = self.file.span(following.site)[1]
        if written is None:
            return None
        code = "".join(written)
        if is_elif:
            assert above is not None
            outer = self.file.indentation(node.site)
            inner = self.file.indentation(node.body[0].site)
            step = inner if inner.startswith(outer) and inner != outer else outer + "    "
            code = f"else:{self.file.source.newline}{step}{code}"
        return self.fix(start, end, code)

    def value_of(self, block: list[ir.Statement]) -> Optional[tuple[str, str]]:
        """What a block of one statement makes: "return " or "name = ", and the value."""
        if len(block) != 1:
            return None
        node = block[0]
        if isinstance(node, ir.Return) and node.value is not None and self.is_value(node.value):
            return "return ", argument(self.file, node.value.site)
        if isinstance(node, ir.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ir.Name):
            if self.is_value(node.value):
                return f"{node.targets[0].id} = ", argument(self.file, node.value.site)
        if isinstance(node, ir.Augment) and isinstance(node.target, ir.Name) and self.is_value(node.value):
            name = node.target.id
            return f"{name} = ", f"{name} {node.op} {operand(self.file, node.value.site)}"
        if isinstance(node, ir.If):
            then = self.value_of(node.body)
            otherwise = self.value_of(node.orelse) if node.orelse else self.unchanged(node, then)
            if then and otherwise and then[0] == otherwise[0]:
                return then[0], self.chosen(node.test, then[1], otherwise[1])
        return None

    def unchanged(self, node: ir.If, then: Optional[tuple[str, str]]) -> Optional[tuple[str, str]]:
        """The value a name keeps where an `if` without `else` is not taken, if it has one that is an array."""
        name = then[0].partition(" = ")[0] if then and then[0] != "return " else None
        kept = name is not None and self.has_value_before(node, name)
        return (f"{name} = ", str(name)) if kept else None

    def has_value_before(self, node: ir.Node, name: str) -> bool:
        while not isinstance(node, ir.Scope):
            above = self.unit.parent(node.site)
            assert above is not None
            for earlier in reversed(_before(node, above)):
                if isinstance(earlier, ir.Annotate) and earlier.value is None:
                    continue
                if isinstance(earlier, (ir.Assign, ir.Augment, ir.Annotate)) and name in bound_by(earlier):
                    unpacked = isinstance(earlier, ir.Assign) and any(isinstance(t, ir.Sequence) for t in earlier.targets)
                    return unpacked or self.is_value(earlier.value)
            node = above
        return isinstance(node, ir.Function) and any(name == each.name for each in node.parameters)

    def following(self, node: ir.Statement) -> Optional[ir.Statement]:
        above = self.unit.parent(node.site)
        for block in _blocks(above) if above else ():
            for this, after in zip(block, block[1:]):
                if this is node:
                    return after
        return None

    def is_value(self, node: ir.Expression) -> bool:
        """Whether ``node`` may well be an array or a number, and computing it changes nothing."""
        if isinstance(node, _NO_ARRAY) or any(isinstance(each, _ONCE) for each in ir.walk([node], into_scopes=False)):
            return False
        if isinstance(node, ir.Constant):
            return isinstance(node.value, (bool, int, float, complex))
        if isinstance(node, ir.Name) and self.is_unpacked(node.id, node.site):
            return False
        return all(map(_may_be_array, self.file.values(node.site)))

    def is_unpacked(self, name: str, site: int) -> bool:
        """Whether the function around takes what ``name`` stands for apart: it is a container then."""
        for node in ir.walk(self.unit.scope(site).body, into_scopes=False):
            if isinstance(node, ir.Assign) and isinstance(node.value, ir.Name) and node.value.id == name:
                if any(isinstance(target, ir.Sequence) for target in node.targets):
                    return True
            elif isinstance(node, ir.Starred) and isinstance(node.value, ir.Name) and node.value.id == name:
                return True
        return False


def _may_be_array(value: v.Value) -> bool:
    if isinstance(value, v.Const):
        return v.is_scalar_const(value)
    if isinstance(value, v.Static):
        return value.type in v.NUMERIC_TYPES or not value.type
    return isinstance(value, (v.Array, v.Undecided, v.Unknown, v.Host))


def _blocks(node: ir.Node) -> Iterator[list[ir.Statement]]:
    for field in ("body", "orelse", "final"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block


def _before(node: ir.Node, above: ir.Node) -> list[ir.Statement]:
    """The statements of the same block that stand before ``node``."""
    for block in _blocks(above):
        for index, statement in enumerate(block):
            if statement is node:
                return block[:index]
    return []
