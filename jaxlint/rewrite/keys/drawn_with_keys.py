"""Draws of the host written with `jax.random`, and a key for them passed in from where the traced code is called."""

from __future__ import annotations

from jaxlint.analysis.domain.values import Tuple, python_type
from jaxlint.analysis.models.host_effects import HostRandomInTracedCode
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, names_of
from jaxlint.rewrite.calls import add_parameter, end_of_parameter, visible_calls
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import tuple_text, value_of
from jaxlint.rewrite.operands import argument, beside
from jaxlint.rewrite.requirements import call_of, expect, known, only, or_none, plain_call, require
from jaxlint.rewrite.statements import begins_line, free_name
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_JIT = ("jax.jit",)
_EXPRESSIONS = (ir.Comprehension, ir.Lambda)  # that run code of their own: no statement stands inside
_MAX_CALLERS = 4  # that hand on a key to one another


@or_none
def drawn_with_a_key(hazard: HostRandomInTracedCode, file: File) -> Fix:
    """The fix that draws with `jax.random`, from the key at hand or from one that is handed through the callers that are seen."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    function = expect(ir.Function, file.unit.scope(hazard.site))
    ready = "" if hazard.shared else hazard.ready
    passing = _Passing(file, ready or free_name(file, call.site, "key", "rng_key"))
    passing.replace(*drawn(passing, call, hazard.api or "", passing.name))
    require(not _repeats(file, call))  # where one key would not do
    if ready:
        return passing.fix(f"Draw from `{ready}`", NUMBERS_DRAWN)
    passing.into(passing.through_scan(function) or function)
    title = f"Draw with `jax.random`, and a key that callers pass as `{passing.name}`"
    return passing.fix(title, "the key is to be made once, where the program starts", Applicability.DISPLAY)


def _repeats(file: File, call: ir.Call) -> bool:
    """Whether a call stands in a loop of its function."""
    for node in file.unit.ancestors(call.site):
        if isinstance(node, ir.Scope):
            return False
        if isinstance(node, (ir.For, ir.While, ir.Comprehension)):
            return True
    return False


class _Passing(Draft):
    """A key on its way from code that runs as it stands to the function that draws."""

    def __init__(self, file: File, name: str) -> None:
        super().__init__(file)
        self.name = name

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
        require(begins_line(self.file, first))
        if not is_given:
            self.above(first, f"{self.name} = {made}")
        for statement, here in by_statement.items():
            names = [f"sub{self.name}{number or ''}" for number in (0, *range(2, len(here) + 1))]
            require(taken.isdisjoint((self.name, *names)))
            count = f", {len(here) + 1}" if len(here) > 1 else ""
            self.above(statement, f"{self.name}, {', '.join(names)} = {split}({self.name}{count})")
            codes.update({call.site: name for call, name in zip(here, names)})

    def in_comprehension(self, call: ir.Call, split: str) -> bool:
        """`[f(x) for _ in range(n)]`: a key for each element."""
        match [each for each in self.file.unit.ancestors(call.site) if isinstance(each, _EXPRESSIONS)]:
            case [ir.Comprehension(clauses=[ir.Clause(target=ir.Name(id="_") as target, iterable=iterable)])]:
                match iterable:
                    case ir.Call(func=ir.Name(id="range"), args=[count]):
                        self.replace(target.site, self.name)
                        self.replace(iterable.site, f"{split}{self.file.code(count.site)})")
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
        self.edits.append(Edit(self.file.span(element.site)[0], end_of_parameter(self.file, element), self.name))
        self.replace(xs.site, self.call("jax.random.split", self.name, self.file.code(length.site)))
        return outer


# The parameters by name, `size` last, and the function of `jax.random`.
_SIZED = {
    "random": ("uniform", ()), "random_sample": ("uniform", ()), "ranf": ("uniform", ()), "sample": ("uniform", ()),
    "standard_normal": ("normal", ()), "standard_exponential": ("exponential", ()),
    "normal": ("normal", ("loc", "scale")), "gauss": ("normal", ("mu", "sigma")), "normalvariate": ("normal", ("mu", "sigma")),
    "uniform": ("uniform", ("low", "high")), "exponential": ("exponential", ("scale",)),
    "laplace": ("laplace", ("loc", "scale")), "gumbel": ("gumbel", ("loc", "scale")),
}  # fmt: skip
_DIMENSIONS = {"rand": "uniform", "randn": "normal"}


def drawn(draft: Draft, call: ir.Call, api: str, key: str) -> tuple[int, str]:
    """The expression that is replaced, and the draw with ``key``. Raises NoFix where it cannot be written for certain."""
    name, file = api.rpartition(".")[2], draft.file
    above = file.unit.parent(call.site)
    if name in ("default_rng", "Random", "RandomState") and isinstance(above, ir.Attribute):
        call, name = call_of(file, above), above.attr
    plain_call(call)
    if name in ("randint", "getrandbits"):
        seeded = plain_call(file.unit.parent(call.site), 1)
        require(file.is_api(seeded.func.site, "jax.random.key", "jax.random.PRNGKey"))
        return seeded.site, key  # the key itself takes the place of a drawn seed
    given = [argument(file, each.site) for each in call.args]
    named = [
        f"{'shape' if each.name == 'size' else each.name}={argument(file, each.value.site)}" for each in call.keywords
    ]
    if name in _DIMENSIONS:
        require(not named)
        given = [tuple_text(given)] if given else []
    elif name == "permutation":
        require(len(given) == 1 and not named)
    elif name != "choice" or not api.startswith("numpy"):
        require(name in _SIZED)
        return call.site, _of_size(draft, call, name, key)
    return call.site, draft.call(f"jax.random.{_DIMENSIONS.get(name, name)}", key, *given, *named)


def _of_size(draft: Draft, call: ir.Call, name: str, key: str) -> str:
    file, (function, parameters) = draft.file, _SIZED[name]
    require(len(call.args) <= len(parameters) + 1)
    given: dict[str, ir.Expression] = dict(zip((*parameters, "size"), call.args))
    given.update({each.name or "": each.value for each in call.keywords})
    require(given.keys() <= {*parameters, "size"})
    size = given.pop("size", None)
    drawn_with = [key]
    if size is not None and not ir.is_none(size):
        drawn_with.append(_shape(file, size))
    elif size is None and (shaped := [each for each in given.values() if not isinstance(each, ir.Constant)]):
        drawn_with.append(draft.call("jax.numpy.shape", argument(file, only(shaped).site)))
    if function == "uniform":
        bounds = (("low", "minval"), ("high", "maxval"))
        drawn_with += [f"{new}={argument(file, given[old].site)}" for old, new in bounds if old in given]
    code = draft.call(f"jax.random.{function}", *drawn_with)
    factor, shift = given.get("scale", given.get("sigma")), given.get("loc", given.get("mu"))
    is_bare = True
    for node, operator, neutral in ((factor, "*", 1), (shift, "+", 0)):
        if node is not None and not (isinstance(node, ir.Constant) and node.value == neutral):
            code, is_bare = f"{beside(file, node.site)} {operator} {code}", False
    above = file.unit.parent(call.site)
    apart = isinstance(above, (ir.Return, ir.Assign, ir.Keyword, ir.Call)) and getattr(above, "func", None) is not call
    return code if apart or is_bare else f"({code})"


def _shape(file: File, size: ir.Node) -> str:
    """The shape as `jax.random` takes it: a tuple."""
    code = argument(file, size.site)
    if isinstance(size, ir.Sequence) or isinstance(size, ir.Attribute) and size.attr == "shape":
        return code
    if file.always(size.site, lambda value: isinstance(value, Tuple)):
        return code
    require(file.always(size.site, lambda value: python_type(value) == "int"))
    return f"({code},)"
