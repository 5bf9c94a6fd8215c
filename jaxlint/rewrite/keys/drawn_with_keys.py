"""Draws of the host written with `jax.random`, and a key for them passed in from where the traced code is called."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.models.host_effects import HostRandomInTracedCode
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.host_draws import drawn
from jaxlint.rewrite.parameters import add_parameter, end_of_parameter
from jaxlint.rewrite.statements import above, free_name
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

_JIT = ("jax.jit",)
_EXPRESSIONS = (ir.Comprehension, ir.Lambda)  # that run code of their own: no statement stands inside
_REPEATING = (ir.For, ir.While, *_EXPRESSIONS)


def drawn_with_a_key(hazard: HostRandomInTracedCode, file: File) -> Fix | None:
    """The fix that draws with `jax.random`, from the key at hand or from one that is handed through the callers that are seen."""
    call, function = file.unit.nodes[hazard.site], file.unit.scope(hazard.site)
    if not isinstance(call, ir.Call) or not isinstance(function, ir.Function):
        return None
    ready = "" if hazard.shared else hazard.ready
    name = ready or free_name(file, call.site, "key", "rng_key")
    written = drawn(file, call, hazard.api or "", name)
    if written is None or _repeated(file, function, call):
        return None
    if ready:
        edit = file.replace(written.site, written.code)
        return Fix(f"Draw from `{ready}`", (edit,), imports=written.imports, changes=NUMBERS_DRAWN)
    passing = _Passing(file, name)
    passing.imports |= written.imports
    passing.edits.append(file.replace(written.site, written.code))
    if not (passing.through_scan(function) or passing.into(function)):
        return None
    title = f"Draw with `jax.random`, and a key that callers pass as `{name}`"
    changes = "the key is to be made once, where the program starts"
    return Fix(title, in_order(passing.edits), Applicability.DISPLAY, frozenset(passing.imports), changes)


def _repeated(file: File, function: ir.Function, call: ir.Call) -> bool:
    """Whether the draw stands in a Python loop of its function, where one key would not do."""
    for node in file.unit.ancestors(call.site):
        if node is function:
            return False
        if isinstance(node, (ir.For, ir.While, ir.Comprehension)):
            return True
    return False


class _Use(NamedTuple):
    call: ir.Call
    scope: ir.Scope
    statement: ir.Statement


class _Passing:
    """A key on its way from code that runs as it stands to the function that draws."""

    def __init__(self, file: File, name: str) -> None:
        self.file = file
        self.name = name
        self.edits: list[Edit] = []
        self.imports: set[ImportRequest] = set()

    def api(self, name: str) -> str:
        spelled, imports = self.file.api(name)
        self.imports |= imports
        return spelled

    def into(self, function: ir.Function, depth: int = 0) -> bool:
        """Give the function a key, and each caller one to pass."""
        calls = visible_calls(self.file, function, _JIT)
        if not calls or depth > 4 or self.name in function.locals:
            return False
        uses = [
            _Use(use.call, self.file.unit.scope(use.call.site), self.file.unit.statement(use.call.site))
            for use in calls
        ]
        codes: dict[int, str] = {}
        for scope in {each.scope.site: each.scope for each in uses}.values():
            own = [each for each in uses if each.scope is scope]
            if isinstance(scope, ir.Function) and (scope.decorators or visible_calls(self.file, scope, _JIT)):
                if not self.into(scope, depth + 1):
                    return False
                if len(own) == 1 and not self.repeats(own[0]):
                    codes[own[0].call.site] = self.name
                elif not self.supplied(scope, own, codes, seeded=True):
                    return False
            elif not self.supplied(scope, own, codes):
                return False
        change = add_parameter(self.file, function, self.name, lambda call: codes.get(call.site))
        if change is None:
            return False
        self.edits += change.edits
        return True

    def repeats(self, use: _Use) -> bool:
        """Whether a call stands in a loop of its function."""
        for node in self.file.unit.ancestors(use.call.site):
            if node is use.scope:
                return False
            if isinstance(node, _REPEATING):
                return True
        return False

    def supplied(self, scope: ir.Scope, uses: list[_Use], codes: dict[int, str], seeded: bool = False) -> bool:
        """Make a key for each call: from the one that the function gets (``seeded``), or from a new one."""
        if isinstance(scope, ir.ClassDefinition) or isinstance(scope, ir.Function) and scope.is_lambda:
            return False
        split, made = self.api("jax.random.split"), self.api("jax.random.key")
        if len(uses) == 1 and self.in_comprehension(uses[0], codes, split, self.name if seeded else f"{made}(0)"):
            return True
        if len(uses) == 1 and not seeded and not self.repeats(uses[0]):
            codes[uses[0].call.site] = f"{made}(0)"
            return True
        key = self.name
        if key in scope.locals | scope.free:
            return False
        by_statement: dict[int, list[_Use]] = {}
        for use in uses:
            if any(isinstance(each, _EXPRESSIONS) for each in self.file.unit.ancestors(use.call.site)):
                return False
            by_statement.setdefault(use.statement.site, []).append(use)
        first = min((self.top(scope, use) for use in uses), key=lambda each: self.file.span(each.site)[0])
        seed = above(self.file, first, f"{key} = {made}(0)")
        if seed is None:
            return False
        self.edits += [] if seeded else [seed]
        for site, here in by_statement.items():
            names = [f"sub{key}{number or ''}" for number in (0, *range(2, len(here) + 1))]
            if any(name in scope.locals | scope.free for name in names):
                return False
            count = f", {len(here) + 1}" if len(here) > 1 else ""
            line = above(self.file, self.file.unit.nodes[site], f"{key}, {', '.join(names)} = {split}({key}{count})")
            if line is None:
                return False
            self.edits.append(line)
            codes.update({use.call.site: name for use, name in zip(here, names)})
        return True

    def in_comprehension(self, use: _Use, codes: dict[int, str], split: str, key: str) -> bool:
        """`[f(x) for _ in range(n)]`: a key for each element."""
        around = [each for each in self.file.unit.ancestors(use.call.site) if isinstance(each, _EXPRESSIONS)]
        if len(around) != 1 or not isinstance(around[0], ir.Comprehension) or len(around[0].clauses) != 1:
            return False
        clause = around[0].clauses[0]
        counted = clause.iterable
        if not isinstance(clause.target, ir.Name) or clause.target.id != "_" or not isinstance(counted, ir.Call):
            return False
        if self.file.code(counted.func.site) != "range" or len(counted.args) != 1:
            return False
        self.edits += [
            self.file.replace(clause.target.site, self.name),
            self.file.replace(counted.site, f"{split}({key}, {self.file.code(counted.args[0].site)})"),
        ]
        codes[use.call.site] = self.name
        return True

    def top(self, scope: ir.Scope, use: _Use) -> ir.Statement:
        """The statement of the scope's own body in which the call stands."""
        node: ir.Statement = use.statement
        for each in self.file.unit.ancestors(use.statement.site):
            if each is scope:
                break
            if isinstance(each, ir.Statement):
                node = each
        return node

    def through_scan(self, body: ir.Function) -> bool:
        """The body of a `scan` over nothing: it runs over keys."""
        holder = self.file.unit.parent(body.site)
        home = self.file.unit.scope(holder.site) if holder is not None else None
        uses = [
            each for each in self.file.unit.own
            if isinstance(each, ir.Name) and each.id == body.name
            and defining_scope(self.file.unit, each.site, each.id) is home
        ]  # fmt: skip
        call = self.file.unit.parent(uses[0].site) if len(uses) == 1 and not body.is_lambda else None
        if (
            not isinstance(call, ir.Call)
            or len(call.args) != 3
            or call.args[0] is not uses[0]
            or len(body.parameters) != 2
        ):
            return False
        if not self.file.is_api(call.func.site, "jax.lax.scan"):
            return False
        xs, element = call.args[2], body.parameters[1]
        length = next((each.value for each in call.keywords if each.name == "length"), None)
        if not isinstance(xs, ir.Constant) or xs.value is not None or length is None:
            return False
        read = any(isinstance(each, ir.Name) and each.id == element.name for each in ir.walk(body.body))
        outer = self.file.unit.scope(call.site)
        if read or bindings(body, element.name) or not isinstance(outer, ir.Function) or outer.is_lambda:
            return False
        split = self.api("jax.random.split")
        self.edits += [
            Edit(self.file.span(element.site)[0], end_of_parameter(self.file, element), self.name),
            self.file.replace(xs.site, f"{split}({self.name}, {self.file.code(length.site)})"),
        ]
        return self.into(outer)
