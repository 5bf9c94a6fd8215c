"""Rewrites that give each element of a batch, each pass of a loop and each call a key of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.analysis.domain.values import Array, FunctionValue, Ref
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import (
    bindings,
    bound_by,
    defining_scope,
    only_target,
    own_returns,
    parameter_of,
    passed_function,
    targets_of,
)
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in, value_of, written
from jaxlint.rewrite.keys.split_above import may_be_none, may_be_read
from jaxlint.rewrite.keys.splitting import is_single, split_before, statement_above
from jaxlint.rewrite.requirements import (
    NoFix,
    call_of,
    expect,
    is_plain,
    known,
    only,
    or_none,
    plain_call,
    require,
    sole,
)
from jaxlint.rewrite.statements import begins_line, first_statement, free_name, unused
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY
_OF_ARRAYS = ("shape", "dtype", "ndim", "T", "at", "sum", "mean")


class _Sized(NamedTuple):
    """How many elements there are, in code, and whether what says so is certainly an array."""

    code: str
    level: Applicability


class _Use(NamedTuple):
    """A key that is used in a function which a transform runs many times."""

    draft: Draft
    transform: ir.Call
    function: ir.Function
    operand: int
    key: str  # the key outside the function, in code
    name: str  # what it is called inside
    is_named: bool  # whether that is what stands at ``operand``

    def split(self, count: str) -> str:
        """The keys, one for each run."""
        return self.draft.call("jax.random.split", self.key, count)

    def fix(self, level: Applicability) -> Fix:
        if not self.is_named:
            self.draft.replace(self.operand, self.name)
        return self.draft.fix(_TITLE, NUMBERS_DRAWN, level)


@or_none
def own_keys(file: File, site: int, how: str, operand: int) -> Fix | None:
    """A key for each run of the function that the transform at ``site`` runs, in place of the one at ``operand``."""
    transform, draft = expect(ir.Call, file.unit.nodes[site]), Draft(file)
    decorated = file.unit.parent(site)
    if isinstance(decorated, ir.Function) and tuple(decorated.decorators) == (transform,):
        return _wrapped(draft, transform, decorated, operand) if how == "vmap" else None
    position = 2 if how == "lax.fori_loop" else 0
    require(len(transform.args) > position and is_plain(transform.args))
    function = known(passed_function(file.unit, transform.args[position]))
    operand = _handed_in(file, function, operand)
    key = file.unit.nodes[operand]
    if isinstance(key, ir.Name) and key.id in function.locals:
        if how == "vmap":
            return _unmapped(draft, transform, function, key)
        return split_before(file, operand) if _returns(function, key.id) else None
    require(isinstance(key, (ir.Name, ir.Attribute, ir.Call)))
    for between in file.unit.ancestors(operand):
        if isinstance(between, (ir.Scope, ir.Comprehension)):
            require(between.locals.isdisjoint(ir.names_below([key])))
        if between is function:
            break
    named = key.id if isinstance(key, ir.Name) else "key"
    use = _Use(draft, transform, function, operand, operands.argument(file, operand), named, isinstance(key, ir.Name))
    require(use.is_named or named not in function.locals)
    if how == "lax.fori_loop":
        return _folded(use, function.parameters[0].name) if function.parameters else None
    rewrite = {"vmap": _mapped, "lax.map": _mapped_in_turn, "lax.scan": _scanned}.get(how)
    return None if rewrite is None else rewrite(use)


def _handed_in(file: File, function: ir.Function, operand: int) -> int:
    """Where a key stands in ``function`` itself: there, or as the argument of the one call that leads to where it is used."""
    for _ in range(5):
        inside = list(file.unit.ancestors(operand))
        if function in inside:
            return operand
        helper = known(next((each for each in inside if isinstance(each, ir.Function)), None))
        key = expect(ir.Name, file.unit.nodes[operand])
        known(parameter_of(helper, key.id))
        call = only(
            node for node in file.unit.own
            if isinstance(node, ir.Call)
            and any(isinstance(each, FunctionValue) and each.function is helper for each in file.values(node.func.site))
        )  # fmt: skip
        operand = known(ir.passed(helper, call).get(key.id)).site
    raise NoFix


# --- each transform ------------------------------------------------------------------------------


def _mapped(use: _Use) -> Fix:
    """`vmap(lambda key, x: …)(split(key, n), xs)`"""
    draft, call = use.draft, _call_of(use.draft.file, use.transform)
    require(len(use.transform.args) == 1 and call.args and _takes(use, len(call.args)))
    axes = _axes(use.transform, len(call.args))
    for parameter, argument, axis in zip(use.function.parameters, call.args, axes):
        if axis == 0 and _is_range(draft.file, argument):
            return _folded(use, parameter.name)
    size = _size(use, call.args, axes)
    draft.insert(draft.file.span(use.function.parameters[0].site)[0], f"{use.name}, ")
    draft.prepend_argument(call, use.split(size.code))
    given = value_of(use.transform, "in_axes")
    if isinstance(given, ir.Sequence):
        draft.insert(draft.file.outer_span(given.elements[0].site)[0], "0, ")
    return use.fix(size.level)


def _mapped_in_turn(use: _Use) -> Fix:
    """`lax.map(f, (split(key, n), xs))`"""
    call = use.transform
    require(len(call.args) == 2 and _takes(use, 1))
    if _is_range(use.draft.file, call.args[1]):
        return _folded(use, use.function.parameters[0].name)
    return _paired(use, use.function.parameters[0], call.args[1], _size(use, call.args[1:], [0]))


def _scanned(use: _Use) -> Fix:
    """`lax.scan(f, init, split(key, n))`, or the keys beside what is scanned already."""
    draft, call = use.draft, use.transform
    named = {each.name: each for each in call.keywords}
    require(None not in named and _takes(use, 2))
    xs, step, length = ir.given(call, 2, "xs"), use.function.parameters[1], named.get("length")
    count = operands.argument(draft.file, length.value.site) if length is not None else ""
    if xs is not None and not ir.is_none(xs):
        if _is_range(draft.file, xs):
            return _folded(use, step.name)
        return _paired(use, step, xs, _Sized(count, _UNSAFE) if count else _size(use, [xs], [0], [step]))
    length = known(length)
    require(step.name not in ir.names_below(use.function.body))  # it may be a variable from outside as well
    draft.rename(step, use.name)
    if xs is not None:
        draft.replace(xs.site, use.split(count))
        draft.remove_argument(length)
    else:
        draft.replace(length.site, f"xs={use.split(count)}")
    return use.fix(_UNSAFE)


def _folded(use: _Use, counter: str) -> Fix:
    """`fold_in(key, i)` where the function knows which run it is."""
    require(not bindings(use.function, counter))
    for outer in use.draft.file.unit.ancestors(use.operand):
        if outer is use.function:
            break
        require(not (isinstance(outer, ir.Scope) and counter in outer.locals))
    return _counted_in(use.draft, use.operand, counter)


def _paired(use: _Use, parameter: ir.Parameter, xs: ir.Node, size: _Sized) -> Fix:
    """The function takes a pair of a key and what it took before."""
    draft, pair = use.draft, unused(names_in(use.function), "inputs", "key_and_x")
    draft.replace_whole(xs.site, f"({use.split(size.code)}, {operands.argument(draft.file, xs.site)})")
    draft.rename(parameter, pair)
    if not use.function.is_lambda:
        draft.above(first_statement(use.function), f"{use.name}, {parameter.name} = {pair}")
        return use.fix(size.level)
    require(not any(isinstance(node, (ir.Scope, ir.Comprehension)) for node in ir.walk(use.function.body)))
    read = ir.names_below(use.function.body)
    draft.replace(use.operand, f"{pair}[0]")
    for number, name in enumerate((use.name, parameter.name)):
        for each in read.get(name, ()):
            if each.site != use.operand:
                draft.replace(each.site, f"{pair}[{number}]")
    return use._replace(is_named=True).fix(size.level)


def _unmapped(draft: Draft, transform: ir.Call, function: ir.Function, key: ir.Name) -> Fix:
    """`in_axes=None` of a key becomes 0, and the call passes a key for each element."""
    call = _call_of(draft.file, transform)
    axes, given = _axes(transform, len(call.args)), expect(ir.Sequence, value_of(transform, "in_axes"))
    position = [each.name for each in function.parameters].index(known(parameter_of(function, key.id)).name)
    require(position < len(axes) and axes[position] is None)
    argument = call.args[position].site
    use = _Use(draft, transform, function, key.site, operands.argument(draft.file, argument), key.id, True)
    size = _size(use, call.args, axes)
    draft.replace(given.elements[position].site, "0")
    draft.replace_whole(argument, use.split(size.code))
    return use.fix(size.level)


_TITLE = "Map over a key for each element"


def _wrapped(draft: Draft, transform: ir.Call, function: ir.Function, operand: int) -> Fix:
    """Below `@partial(jax.vmap, in_axes=(None, 0))`: the function takes keys, and another one of its name splits them."""
    file = draft.file
    key, define = expect(ir.Name, file.unit.nodes[operand]), known(file.unit.parent(function.site))
    names = [each.name for each in function.parameters]
    plain = all(each.kind == "ordinary" and not each.default and not each.annotation for each in function.parameters)
    require(parameter_of(function, key.id) and plain and not function.is_method)
    axes, position = _axes(transform, len(names)), names.index(key.id)
    given = expect(ir.Sequence, value_of(transform, "in_axes"))
    require(axes[position] is None)
    inner = f"_{function.name.lstrip('_')}_one"
    require(inner not in file.unit.scope(function.site).locals | file.unit.module.locals)
    mapped = known(next((name for name, axis in zip(names, axes) if axis is not None), None))
    size = f"{mapped}.shape[{axes[names.index(mapped)]}]"
    passed = [draft.call("jax.random.split", name, size) if name == key.id else name for name in names]
    newline, indentation = file.source.newline, file.indentation(define.site)
    start, end = file.span(define.site)
    end = start + len(file.source.text[start:end].rstrip("\r\n"))
    head = file.source.text.find(f"def {function.name}", start) + len("def ")
    require(head > start)
    blank = newline * (3 if not indentation else 2)
    draft.replace(given.elements[position].site, "0")
    draft.edits.append(Edit(head, head + len(function.name), inner))
    draft.insert(
        end,
        f"{blank}{indentation}def {function.name}({', '.join(names)}):"
        f"{newline}{indentation}    return {inner}({', '.join(passed)})",
    )
    return draft.fix(_TITLE, NUMBERS_DRAWN, _UNSAFE if _is_computed_with(function, mapped) else _DISPLAY)


# --- what they share -----------------------------------------------------------------------------


def _call_of(file: File, transform: ir.Call) -> ir.Call:
    """The call of the function that a transform makes, with arguments by position alone."""
    call = plain_call(call_of(file, transform))
    require(not call.keywords)
    return call


def _takes(use: _Use, count: int) -> bool:
    """Whether the function takes ``count`` positional arguments, without defaults."""
    plain = all(each.kind == "ordinary" and each.default is None for each in use.function.parameters)
    return plain and len(use.function.parameters) == count


def _axes(transform: ir.Call, count: int) -> list[int | None]:
    """The axis of each argument that is mapped, where they are written out."""
    given = value_of(transform, "in_axes")
    require(all(each.name in ("in_axes", "out_axes", "axis_name") for each in transform.keywords))
    if given is None or isinstance(given, ir.Constant) and given.value == 0:
        return [0] * count
    axes = [expect(ir.Constant, each).value for each in expect(ir.Sequence, given).elements]
    require(len(axes) == count and all(axis is None or type(axis) is int for axis in axes))
    return axes


def _size(
    use: _Use, arguments: Sequence[ir.Node], axes: list[int | None], parameters: list[ir.Parameter] | None = None
) -> _Sized:
    """The number of elements, read off an argument."""
    found: list[_Sized] = []
    for parameter, argument, axis in zip(parameters or use.function.parameters, arguments, axes):
        values = use.draft.file.values(argument.site)
        if axis is None or any(type(value) is Ref for value in values):
            continue
        arrays = bool(values) and all(type(value) is Array for value in values)
        shape = sole({value.aval.shape for value in values if type(value) is Array})
        if isinstance(argument, (ir.Name, ir.Attribute)):
            certain = arrays or _is_computed_with(use.function, parameter.name)
            found.append(
                _Sized(f"{use.draft.file.code(argument.site)}.shape[{axis}]", _UNSAFE if certain else _DISPLAY)
            )
        elif arrays and shape and axis < len(shape) and isinstance(shape[axis], int):
            found.append(_Sized(str(shape[axis]), _UNSAFE))
    return known(min(found, key=lambda each: each.level is _DISPLAY, default=None))


def _is_computed_with(function: ir.Function, name: str) -> bool:
    """Whether the function takes a parameter for an array: computes with it, or asks for its shape."""
    for node in ir.walk(function.body):
        is_of_array = isinstance(node, ir.Attribute) and node.attr in _OF_ARRAYS
        if is_of_array or isinstance(node, (ir.Binary, ir.Unary, ir.Compare)):
            if any(isinstance(part, ir.Name) and part.id == name for part in node.children()):
                return True
    return False


def _is_range(file: File, node: ir.Node) -> bool:
    """Whether this counts the elements: `jnp.arange(n)`."""
    if not isinstance(node, ir.Call) or len(node.args) != 1 or node.keywords:
        return False
    return file.is_api(node.func.site, "jax.numpy.arange")


def _returns(function: ir.Function, name: str) -> bool:
    """Whether the function hands a variable on."""
    returned = [each.value for each in own_returns(function) if each.value]
    return bool(returned) and all(name in ir.names_below([each]) for each in returned)


@or_none
def carried_beside(file: File, loop: ir.Node, operand: int) -> Fix:
    """`carry_key = self.key` above the loop, and `carry_key, subkey = split(carry_key)` in it.

    For a key that the scope may not bind anew. None where the loop changes what the key is read from.
    """
    key, code, draft = file.unit.nodes[operand], file.code(operand), Draft(file)
    require(is_single(file, operand) and not may_be_none(file, key))
    statement, subkey = _inside(file, loop, operand), free_name(file, operand, "subkey")
    title, carried = f"Split `{file.code(operand, 40)}` in each pass", code
    if not _is_item_of_list(file, key):
        title, carried = title.replace("`", "a copy of `", 1), free_name(file, operand, "carry_key")
        draft.above(expect(ir.Statement, loop), f"{carried} = {code}")
    draft.above(statement, f"{carried}, {subkey} = {draft.call('jax.random.split', carried)}")
    draft.replace(operand, subkey)
    return draft.fix(title, NUMBERS_DRAWN)


@or_none
def folded_above(file: File, operand: int) -> Fix:
    """The key that each pass has just made of this one by `fold_in`, and that nothing reads."""
    statement, key, draft = known(statement_above(file, operand)), file.code(operand), Draft(file)
    block = file.unit.block(statement.site)
    for above in block[: block.index(statement)]:
        match above:
            case ir.Assign(targets=[ir.Name(id=name)], value=ir.Call(func=made, args=[folded, _])):
                is_made = file.is_api(made.site, "jax.random.fold_in") and file.code(folded.site) == key
                if is_made and not may_be_read(file, name, above):
                    draft.replace(operand, name)
                    return draft.fix(f"Use `{name}`, which nothing uses yet", NUMBERS_DRAWN)
    raise NoFix


def _inside(file: File, loop: ir.Node, site: int) -> ir.Statement:
    """The statement of a loop that holds an expression, which is the same in each pass."""
    statement = known(statement_above(file, site))
    require(statement is not loop and begins_line(file, loop) and _is_steady(loop, file.unit.nodes[site]))
    return statement


def _is_item_of_list(file: File, key: ir.Node) -> bool:
    """Whether a key is an item of a list that its scope unpacks, and that holds another key then: `key, *keys = split(key, 3)`."""
    match key:
        case ir.Subscript(value=ir.Name(id=name), index=ir.Constant()):
            bound = bindings(file.unit.scope(key.site), name)
            targets = [target for each in bound for target in targets_of(each)]
            starred = [getattr(each.value, "id", "") for each in ir.walk(targets) if isinstance(each, ir.Starred)]
            return bool(bound) and starred == [name] * len(bound)
    return False


@or_none
def made_beside(file: File, loop: ir.Statement, made: int) -> Fix:
    """The key that is made at ``made`` in each pass is made once, above the loop, and split in it."""
    statement, draft, carried = _inside(file, loop, made), Draft(file), free_name(file, made, "carry_key")
    split = draft.call("jax.random.split", carried)
    draft.above(loop, f"{carried} = {file.code(made)}")
    target = only_target(statement)
    if isinstance(target, ir.Name) and getattr(statement, "value", None) is file.unit.nodes[made]:
        draft.insert(file.span(target.site)[0], f"{carried}, ")
        draft.replace(made, split)
    else:
        subkey = free_name(file, made, "subkey")
        draft.above(statement, f"{carried}, {subkey} = {split}")
        draft.replace(made, subkey)
    return draft.fix("Make the key once, above the loop, and split it in each pass", NUMBERS_DRAWN)


@or_none
def drawn_for_each(file: File, loop: ir.Node, operand: int) -> Fix:
    """A comprehension over the keys of one split, or with its counter folded into the key."""
    loop, key, draft = expect(ir.Comprehension, loop), file.unit.nodes[operand], Draft(file)
    require(len(loop.clauses) == 1 and is_single(file, operand) and not may_be_none(file, key))
    clause = loop.clauses[0]
    inside = list(file.unit.ancestors(operand))
    require(loop in inside and not clause.is_async)
    inside = inside[: inside.index(loop)]
    require(not any(isinstance(node, (ir.Scope, ir.Comprehension, ir.Clause)) for node in inside))
    bound = ir.names_below([clause.target]).keys()
    counted, target = clause.iterable, clause.target
    match _called(file, counted), target:
        case "builtins.range", ir.Name():
            read = ir.names_below(part for part in (loop.element, loop.value, *clause.conditions) if part)
            if bound.isdisjoint(read):
                return _over_keys(draft, clause, operand)
            return _counted_in(draft, operand, target.id)
        case "builtins.enumerate", ir.Sequence(elements=[number, *_]):
            return _counted_in(draft, operand, expect(ir.Name, number).id)
    name = _free(file, operand, "number" if "i" in ir.names_below([loop]) else "i")
    draft.replace_whole(target.site, f"{name}, {written(file, target)}")
    draft.replace_whole(counted.site, f"enumerate({operands.argument(file, counted.site)})")
    return _counted_in(draft, operand, name)


def _over_keys(draft: Draft, clause: ir.Clause, operand: int) -> Fix:
    file, subkey = draft.file, _free(draft.file, operand, "subkey")
    count = expect(ir.Call, clause.iterable).args[0]
    split = draft.call("jax.random.split", *(operands.argument(file, each) for each in (operand, count.site)))
    draft.replace(operand, subkey)
    draft.replace(clause.target.site, subkey)
    draft.replace(clause.iterable.site, split)
    return draft.fix("Go over the keys of one split", NUMBERS_DRAWN)


def _counted_in(draft: Draft, operand: int, number: str) -> Fix:
    key = operands.argument(draft.file, operand)
    draft.replace(operand, draft.call("jax.random.fold_in", key, number))
    return draft.fix(f"Fold `{number}` into the key", NUMBERS_DRAWN)


def _called(file: File, node: ir.Node) -> str:
    """Canonical name of the function that is called, if the call passes one plain argument."""
    match node:
        case ir.Call(args=[argument], keywords=[]) if not isinstance(argument, ir.Starred):
            return file.api_name(node.func.site)
    return ""


def _free(file: File, operand: int, wanted: str) -> str:
    """A name that neither the scope nor a comprehension around has."""
    around = [above for above in file.unit.ancestors(operand) if isinstance(above, ir.Comprehension)]
    scope, taken = file.unit.scope(operand), ir.names_below(around).keys()
    return unused(taken | scope.locals | scope.free, wanted, f"{wanted}_")


def _is_steady(loop: ir.Node, expression: ir.Node) -> bool:
    """Whether a loop binds none of the names, and stores to none of the attributes, that an expression reads."""
    names = ir.names_below([expression]).keys()
    attributes = {node.attr for node in ir.walk([expression]) if isinstance(node, ir.Attribute)}
    below = list(ir.walk([loop]))
    targets = [target for node in below for target in targets_of(node)]
    stored = {node.attr for node in ir.walk(targets) if isinstance(node, ir.Attribute)}
    return attributes.isdisjoint(stored) and not any(bound_by(node) & names for node in below)


@or_none
def another_key(file: File, made: int, call: ir.Call, number: int) -> str:
    """The code at ``made`` with its seed raised by ``number``, for ``call``; None where that is in a loop.

    Raised is the last whole number, which is the seed of a key or what is folded into one.
    """
    for around in file.unit.ancestors(call.site):
        require(not isinstance(around, (ir.For, ir.While, ir.Comprehension, ir.Lambda)))
    require(_is_of_module(file, made, call.site))
    code = file.code(made)
    if number == 0:
        return code
    below = ir.walk([file.unit.nodes[made]])
    seeds = [node for node in below if isinstance(node, ir.Constant) and type(node.value) is int]
    require(seeds and "\n" not in code)
    start, end = file.span(seeds[-1].site)
    first = file.span(made)[0]
    return f"{code[: start - first]}{seeds[-1].value + number}{code[end - first :]}"


def is_of_module(file: File, made: int) -> bool:
    """Whether a key is made of names that the whole file can read."""
    return _is_of_module(file, made, made)


def _is_of_module(file: File, made: int, place: int) -> bool:
    """Whether the names that a key is made of are those of the module, or builtins, where they are read at ``place``."""
    scopes = [defining_scope(file.unit, place, name) for name in ir.names_below([file.unit.nodes[made]])]
    return all(scope is None or scope is file.unit.module for scope in scopes)
