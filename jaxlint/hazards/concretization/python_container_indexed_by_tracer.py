"""Python container indexed by a traced value, or array hashed.

## What it does
Reports lists and tuples that are indexed or sliced by a traced value, dicts that are asked for a
traced key, and arrays that are hashed: as a key of a dict, as an element of a set, by `in` on
either of them, by `hash`.

## Why is this bad
A list chooses its element with a Python integer, and a tracer has none while the function is traced:
`TracerIntegerConversionError`. Arrays cannot be hashed at all, traced or not: `TypeError`.

## Example
```python
WIDTHS = [0.5, 1.0, 2.0]

@jax.jit
def scaled(x, i):
    return x * WIDTHS[i]
```

## Use instead
Index an array:

```python
@jax.jit
def scaled(x, i):
    return x * jnp.asarray(WIDTHS)[i]
```

Choose among functions with `jax.lax.switch(i, functions, x)`. Where the container holds something
else, such as names or layers, make the index a static argument.

## When to ignore
Never: the code cannot run as long as the index is traced.

## Fix safety
Unsafe: an index beyond the end gives the last element instead of raising `IndexError`, and the result
is an array of 32 bits. The fix is offered where all elements are numbers of one type, or arrays of
one shape and dtype; where that is not known, and for `jax.lax.switch`, which takes -1 for the first
function and needs results of one form, it is only displayed; an index that `argmax` gives is never -1. Where the elements are no
numbers the fix makes the index a static argument, as for JAX108, or takes the element of a list that a compiled function is given
from each stacked leaf. Where an array that has its value is hashed, `.item()` takes the
number out of it; a cache is only shown to be taken off.

## References
- JAX documentation, "Errors", TracerIntegerConversionError: https://docs.jax.dev/en/latest/errors.html
- jax.lax.switch: https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jaxlint.analysis.domain.hazards import ContainerIndexedByTracer, HashOfTracer
from jaxlint.analysis.domain.values import Api, Array, Const, FunctionValue, Partial, Transformed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed, names_of, only_target, only_value, parameter_of, resolved
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import ARRAY, CLAMPED, CLAMPED_OF_32_BITS
from jaxlint.rewrite.draft import Draft, in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import call_of, expect, known, only, or_none, plain_call, require
from jaxlint.rewrite.statements import free_name, line_end, line_start, removed
from jaxlint.rewrite.static_args.static_argument import how_to_make_concrete, make_static
from jaxlint.rewrite.wrapper import can_be_wrapped
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX109",
    category=Category.FAILS,
    hazards=(ContainerIndexedByTracer, HashOfTracer),
    error="TracerIntegerConversionError",
    fixable="unsafe",
)

_Kind = tuple[tuple[int, ...] | None, str]

_FROM_0 = ("jax.numpy.argmax", "jax.numpy.argmin", "jax.random.categorical")
_CACHES = frozenset({"functools.cache", "functools.lru_cache"})


def check(hazard: ContainerIndexedByTracer | HashOfTracer, file: File) -> Iterator[Finding]:
    if type(hazard) is HashOfTracer or hazard.container == "dict":
        yield _hashed(hazard, file)
        return
    chosen = file.unit.nodes[hazard.site]
    base = file.code(chosen.value.site if isinstance(chosen, ir.Subscript) else hazard.site, 40)
    if isinstance(chosen, ir.Subscript) and isinstance(chosen.value, ir.Sequence) and chosen.value.kind == "tuple":
        base = f"({base})"
    operand = file.code(hazard.operand, 40)
    if hazard.container == "slice":
        message = f"Python slice of `{base}` with traced bound `{operand}`"
    else:
        message = f"{hazard.container.capitalize()} `{base}` indexed by traced value `{operand}`"
    jnp = file.api("jax.numpy")[0]
    help = f"Index an array, `{jnp}.asarray({base})[…]`, or make the index a Python value."
    fix = _fix(hazard, file, chosen) if isinstance(chosen, ir.Subscript) else None
    if fix is None:
        fix = make_static(hazard, file) or _of_trees(file, chosen)
        help = how_to_make_concrete(hazard, file) or f"Make `{operand}` a Python value, or `{base}` an array."
    elif fix.edits and "switch" in fix.edits[0].content:
        help = f"Choose the function with `{file.api('jax.lax.switch')[0]}`."
    yield Finding(hazard.site, message, help=help, fix=fix)


def _hashed(hazard: ContainerIndexedByTracer | HashOfTracer, file: File) -> Finding:
    operand = file.code(hazard.operand, 40)
    used = {
        "dict": "used as a dict key",
        "set": "used as a set element",
        "hash": "passed to `hash()`",
        "cache": "used as a cache key",
    }[hazard.container]
    help = how_to_make_concrete(hazard, file) if hazard.origin is not None else None
    node = file.unit.nodes[hazard.site]
    fix = _among(file, node) if isinstance(node, ir.Compare) else None
    if fix is not None:
        help = f"Use `{file.api('jax.numpy.isin')[0]}`, which compares with every element."
    return Finding(
        hazard.site,
        f"`{operand}` {used}; arrays are unhashable",
        help="Remove the cache, or cache by static values such as a shape."
        if hazard.container == "cache"
        else help or f"Use a Python value for `{operand}`, or an array in place of the {hazard.container}."
        if hazard.container != "hash"
        else help,
        fix=fix or (make_static(hazard, file) if hazard.origin is not None else _by_value(hazard, file)),
    )


@or_none
def _by_value(hazard: ContainerIndexedByTracer | HashOfTracer, file: File) -> Fix:
    """The hash of an array that has its value: that of the number in it. A function that is given arrays has no cache."""
    operand, draft = file.unit.nodes[hazard.operand], Draft(file)
    if hazard.container == "cache":
        return _uncached(hazard, file)
    values = [value for value in file.values(operand.site) if isinstance(value, Array)]
    require(values and all(value.cls is None and not value.aval.shape for value in values))
    code = operands.operand(file, operand.site)
    draft.replace_whole(operand.site, f"{code}.item()")
    return draft.fix(f"Take the number out of `{file.code(operand.site, 40)}`", "right where it has one element")


def _uncached(hazard: ContainerIndexedByTracer | HashOfTracer, file: File) -> Fix:
    call = file.unit.nodes[hazard.site]
    called = getattr(call.func, "id", None) if isinstance(call, ir.Call) else None
    function = only(
        node for node in file.unit.own
        if isinstance(node, ir.Function) and node.name == called and len(node.decorators) == 1
    )  # fmt: skip
    decorator = function.decorators[0]
    cache = decorator.func if isinstance(decorator, ir.Call) else decorator
    require(file.always(cache.site, lambda value: getattr(value, "name", "") in _CACHES))
    start, end = file.span(decorator.site)
    line = Edit(line_start(file, start), line_end(file, end) + len(file.source.newline), "")
    return Fix(f"Take the cache off `{called}`, which is given arrays", (line,), Applicability.DISPLAY)


@or_none
def _fix(hazard: ContainerIndexedByTracer | HashOfTracer, file: File, chosen: ir.Subscript) -> Fix | None:
    require(hazard.container != "slice" and not _is_stored_to(file, chosen))
    elements = displayed(file.unit, chosen.value)
    if not elements and isinstance(hazard, ContainerIndexedByTracer) and hazard.of_numbers:
        return _indexed(file, chosen, Applicability.UNSAFE)
    require(elements)
    if all(_is_function(file, element) for element in known(elements)):
        call = call_of(file, chosen)  # `functions[i](x)` as `lax.switch(i, functions, x)`
        return _switched(file, chosen, call, operands.argument(file, chosen.value.site))
    alike = known(_alike(file, known(elements)))
    return _indexed(file, chosen, Applicability.UNSAFE if alike else Applicability.DISPLAY)


def _indexed(file: File, chosen: ir.Subscript, level: Applicability) -> Fix:
    draft = Draft(file)
    code = draft.call("jax.numpy.asarray", operands.argument(file, chosen.value.site))
    draft.replace_whole(chosen.value.site, code)
    return draft.fix(f"Index `{code}`", CLAMPED_OF_32_BITS, level)


def _alike(file: File, elements: list[ir.Expression]) -> bool | None:
    """Whether elements make an array that holds them as they are; None: they make no array."""
    kinds = {_kind(file, element) for element in elements}
    if None in kinds or len({shape for shape, _ in filter(None, kinds) if shape is not None}) > 1:
        return None
    return len(kinds) == 1 and all(shape is not None for shape, _ in filter(None, kinds))


def _kind(file: File, element: ir.Node) -> _Kind | None:
    """Shape, where it is known, and type of an element; None for neither a number nor an array."""
    if isinstance(element, ir.Sequence) and element.kind != "set":
        inner = {_kind(file, each) for each in element.elements}
        kind = inner.pop() if len(inner) == 1 else None
        if kind is None or kind[0] is None:
            return kind
        return (len(element.elements), *kind[0]), kind[1]
    values = file.values(element.site)
    if values and all(isinstance(value, Const) and isinstance(value.value, (int, float)) for value in values):
        return (), type(values[0].value).__name__  # type: ignore[attr-defined]
    if values and all(isinstance(value, Array) for value in values):
        aval = values[0].aval  # type: ignore[attr-defined]
        known = aval.dtype is not None and aval.shape is not None and None not in aval.shape
        return (aval.shape, aval.dtype) if known else (None, "")
    return None


def _is_function(file: File, element: ir.Node) -> bool:
    values = file.values(element.site)
    functions = (FunctionValue, Transformed, Partial, Api)
    return isinstance(element, ir.Lambda) or bool(values) and all(isinstance(value, functions) for value in values)


def _switched(file: File, chosen: ir.Subscript, call: ir.Call, functions: str) -> Fix:
    draft = Draft(file)
    require(not plain_call(call).keywords)
    index, *given = (operands.argument(file, site) for site in (chosen.index.site, *(arg.site for arg in call.args)))
    draft.replace(call.site, draft.call("jax.lax.switch", index, functions, *given))
    level = Applicability.UNSAFE if _counts_from_0(file, chosen.index) else Applicability.DISPLAY
    changes = "-1 is the first function, and all give one form of result"
    return draft.fix("Let a traced index choose", changes, level)


def _counts_from_0(file: File, index: ir.Node) -> bool:
    made = resolved(file.unit, index)
    return isinstance(made, ir.Call) and file.is_api(made.func.site, *_FROM_0)


@or_none
def _of_trees(file: File, chosen: ir.Node) -> Fix:
    """An element of a list that a compiled function is given, taken from each stacked leaf; a called one by `lax.switch`."""
    chosen, draft = expect(ir.Subscript, chosen), Draft(file)
    require(not _is_stored_to(file, chosen))
    target = only_target(file.unit.parent(chosen.site))
    scope, container = file.unit.scope(chosen.site), chosen.value
    if isinstance(target, ir.Name) and only_value(scope, target.id) is chosen:
        reads = [each for each in names_of(file.unit, scope, target.id) if each is not target]
        gone = removed(file, file.unit.statement(chosen.site))
        call = file.unit.parent(reads[0].site) if len(reads) == 1 else None
        if gone is not None and isinstance(call, ir.Call) and call.func is reads[0]:
            require(len(call.args) == 1)
            name = free_name(file, chosen.site, "x", "value")
            functions = f"[lambda {name}, f=f: f({name}) for f in {operands.operand(file, container.site)}]"
            fix = _switched(file, chosen, call, functions)
            return replace(fix, edits=in_order([gone, *fix.edits]))
    name = expect(ir.Name, container).id
    require(parameter_of(scope, name) is not None)
    require(can_be_wrapped(file, scope, nested=True))  # else what it holds may be no arrays
    stacked = f"lambda *leaves: {draft.call('jax.numpy.stack', 'leaves')}[{file.code(chosen.index.site)}]"
    draft.replace(chosen.site, draft.call("jax.tree.map", stacked, f"*{name}"))
    return draft.fix("Take it from each stacked leaf", CLAMPED)


@or_none
def _among(file: File, node: ir.Compare) -> Fix:
    """`x in {1, 2}` as `jnp.isin(x, jnp.array([1, 2]))`."""
    listed, draft = expect(ir.Sequence, node.rights[0]), Draft(file)
    require(len(node.ops) == 1)
    for each in listed.elements:
        require(isinstance(expect(ir.Constant, each).value, (int, float)))
    array = draft.call("jax.numpy.array", f"[{', '.join(file.code(each.site) for each in listed.elements)}]")
    text = draft.call("jax.numpy.isin", operands.argument(file, node.left.site), array)
    draft.replace(node.site, f"~{text}" if node.ops[0] == "not in" else text)
    return draft.fix(f"Compare with every element, by `{draft.api('jax.numpy.isin')}`", ARRAY)


def _is_stored_to(file: File, chosen: ir.Subscript) -> bool:
    above = file.unit.parent(chosen.site)
    if isinstance(above, (ir.Assign, ir.Delete)):
        return chosen in above.targets
    return isinstance(above, (ir.Augment, ir.Annotate, ir.For)) and above.target is chosen
