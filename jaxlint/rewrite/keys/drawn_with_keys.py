"""Draws of the host written with `jax.random`, and a key for them passed in from where the traced code is called."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.models.host_effects import HostRandomInTracedCode
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, names_of
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.host_draws import drawn
from jaxlint.rewrite.parameters import add_parameter, end_of_parameter
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import above, free_name
from jaxlint.rewrite.transform_options import value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

_JIT = ("jax.jit",)
_EXPRESSIONS = (ir.Comprehension, ir.Lambda)  # that run code of their own: no statement stands inside
_MAX_CALLERS = 4  # that hand on a key to one another


@or_none
def drawn_with_a_key(hazard: HostRandomInTracedCode, file: File) -> Fix:
    """The fix that draws with `jax.random`, from the key at hand or from one that is handed through the callers that are seen."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    function = expect(ir.Function, file.unit.scope(hazard.site))
    ready = "" if hazard.shared else hazard.ready
    name = ready or free_name(file, call.site, "key", "rng_key")
    written = known(drawn(file, call, hazard.api or "", name))
    require(not _repeats(file, call))  # where one key would not do
    edit = file.replace(written.site, written.code)
    if ready:
        return Fix(f"Draw from `{ready}`", (edit,), imports=written.imports, changes=NUMBERS_DRAWN)
    passing = _Passing(file, name, written.imports, [edit])
    passing.into(passing.through_scan(function) or function)
    title = f"Draw with `jax.random`, and a key that callers pass as `{name}`"
    changes = "the key is to be made once, where the program starts"
    return Fix(title, in_order(passing.edits), Applicability.DISPLAY, passing.imports, changes)


def _repeats(file: File, call: ir.Call) -> bool:
    """Whether a call stands in a loop of its function."""
    for node in file.unit.ancestors(call.site):
        if isinstance(node, ir.Scope):
            return False
        if isinstance(node, (ir.For, ir.While, ir.Comprehension)):
            return True
    return False


@dataclass
class _Passing:
    """A key on its way from code that runs as it stands to the function that draws."""

    file: File
    name: str
    imports: frozenset[ImportRequest]
    edits: list[Edit]

    def api(self, name: str) -> str:
        spelled, imports = self.file.api(name)
        self.imports |= imports
        return spelled

    def into(self, function: ir.Function, depth: int = 0) -> None:
        """Give the function a key, and each caller one to pass."""
        calls = [use.call for use in visible_calls(self.file, function, _JIT) or ()]
        require(calls and depth <= _MAX_CALLERS and self.name not in function.locals)
        codes: dict[int, str] = {}
        by_scope: dict[ir.Scope, list[ir.Call]] = {}
        for call in calls:
            by_scope.setdefault(self.file.unit.scope(call.site), []).append(call)
        for scope, own in by_scope.items():
            is_given = isinstance(scope, ir.Function) and (scope.decorators or visible_calls(self.file, scope, _JIT))
            if is_given and isinstance(scope, ir.Function):
                self.into(scope, depth + 1)
            self.supply(scope, own, codes, bool(is_given))
        change = known(add_parameter(self.file, function, self.name, lambda call: codes.get(call.site)))
        self.edits += change.edits

    def supply(self, scope: ir.Scope, calls: list[ir.Call], codes: dict[int, str], is_given: bool) -> None:
        """Make a key for each call: from the one that the function gets, or from a new one."""
        split, made = self.api("jax.random.split"), f"{self.api('jax.random.key')}(0)"
        key = self.name if is_given else made
        if len(calls) == 1 and not _repeats(self.file, calls[0]):
            codes[calls[0].site] = key
            return
        if len(calls) == 1 and self.in_comprehension(calls[0], f"{split}({key}, "):
            codes[calls[0].site] = self.name
            return
        taken = scope.locals | scope.free
        by_statement: dict[ir.Statement, list[ir.Call]] = {}
        for call in calls:
            require(not any(isinstance(each, _EXPRESSIONS) for each in self.file.unit.ancestors(call.site)))
            by_statement.setdefault(self.file.unit.statement(call.site), []).append(call)
        first = min((self.top(scope, each) for each in by_statement), key=lambda each: self.file.span(each.site)[0])
        seed = known(above(self.file, first, f"{self.name} = {made}"))
        self.edits += [] if is_given else [seed]
        for statement, here in by_statement.items():
            names = [f"sub{self.name}{number or ''}" for number in (0, *range(2, len(here) + 1))]
            require(taken.isdisjoint((self.name, *names)))
            count = f", {len(here) + 1}" if len(here) > 1 else ""
            line = f"{self.name}, {', '.join(names)} = {split}({self.name}{count})"
            self.edits.append(known(above(self.file, statement, line)))
            codes.update({call.site: name for call, name in zip(here, names)})

    def in_comprehension(self, call: ir.Call, split: str) -> bool:
        """`[f(x) for _ in range(n)]`: a key for each element."""
        match [each for each in self.file.unit.ancestors(call.site) if isinstance(each, _EXPRESSIONS)]:
            case [ir.Comprehension(clauses=[ir.Clause(target=ir.Name(id="_") as target, iterable=iterable)])]:
                match iterable:
                    case ir.Call(func=ir.Name(id="range"), args=[count]):
                        keys = f"{split}{self.file.code(count.site)})"
                        self.edits += [
                            self.file.replace(target.site, self.name),
                            self.file.replace(iterable.site, keys),
                        ]
                        return True
        return False

    def top(self, scope: ir.Scope, statement: ir.Statement) -> ir.Statement:
        """The statement of the scope's own body in which a statement stands."""
        for each in self.file.unit.ancestors(statement.site):
            if each is scope:
                break
            if isinstance(each, ir.Statement):
                statement = each
        return statement

    def through_scan(self, body: ir.Function) -> ir.Function | None:
        """The function around the `scan` over nothing whose body this is: it runs over keys."""
        unit, holder = self.file.unit, self.file.unit.parent(body.site)
        uses = names_of(unit, unit.scope(holder.site) if holder is not None else None, body.name)
        match [unit.parent(each.site) for each in uses], body.parameters:
            case [ir.Call(args=[function, _, ir.Constant(value=None) as xs]) as call], [_, element] if function is uses[
                0
            ] and self.file.is_api(call.func.site, "jax.lax.scan"):
                outer = unit.scope(call.site)
            case _:
                return None
        length = value_of(call, "length")
        if length is None or not isinstance(outer, ir.Function) or outer.is_lambda:
            return None
        if element.name in ir.names_below(body.body) or bindings(body, element.name):
            return None
        split = self.api("jax.random.split")
        self.edits += [
            Edit(self.file.span(element.site)[0], end_of_parameter(self.file, element), self.name),
            self.file.replace(xs.site, f"{split}({self.name}, {self.file.code(length.site)})"),
        ]
        return outer
