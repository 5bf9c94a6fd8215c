"""List, dict or iterator passed for an array, or an array or number for something else.

## What it does
Reports calls of JAX functions and array methods that are given a Python list or tuple where they take arrays alone
(`jnp.sum([a, b])`, `jnp.max`, `jnp.mean`, `jnp.where`, `jnp.dot`, `jnp.sort`, `jax.random.choice(key, [...])`), and a
generator, another iterator or a view of a dict where they take lists at most (`jnp.stack(f(x) for x in xs)`,
`jnp.array(d.values())`), a dict in either place (`jnp.sum({"w": w})`, or `jax.tree.map(jnp.add, 0.0, grads)`, whose first
tree is one leaf), and a list among the arrays that are joined (`jnp.concatenate([x, [1.0]])`). Operators between a jax
array and a list (`x + [1, 2]`, `x == [1, 2]`), and arithmetic with a dict (`params - 0.1 * grads`), are reported as well,
and so is arithmetic with a list or tuple of arrays that Python does not have (`w - 0.1 * grads` with the tuple that
`jax.grad(loss, argnums=(0, 1))` or a function of `jax.vjp` gives).
So are an array in the place of an axis (`jnp.stack(x, y)`), a number in the place of a dtype (`jnp.zeros(2, 3)`) or of
the indices of `jax.lax.dynamic_slice`, and a float in that of an axis (`jnp.max(x, 0.0)`); a function for an array
(`jnp.where(c, lambda: x, lambda: y)`); strings, `None` and functions that `jnp.array` is to make an array of; an array for the
tuple of arrays that `jax.jvp` takes; and a shape for the array that `jax.eval_shape` takes (`jax.eval_shape(f, (3, 4))`).

## Why is this bad
NumPy makes an array of whatever it is given. JAX does so in `jnp.array` and few other places, because
every element of a list would become an operation of the program: `TypeError: sum requires ndarray or
scalar arguments, got <class 'list'>`.

## Example
```python
total = jnp.sum([a, b])
rows = jnp.stack(f(x) for x in xs)
```

## Use instead
```python
total = jnp.sum(jnp.array([a, b]))
rows = jnp.stack([f(x) for x in xs])
```

## When to ignore
Never: the call raises an error, in traced code and outside of it.

## Fix safety
Safe: the call could not run. A float for an axis of `jnp.max` makes it `jnp.maximum`, and a shape for `jax.eval_shape` gets a dtype, both
unsafe: what was meant is a guess. Arithmetic on dicts and lists of arrays, and a choice of `jnp.where` between two of them, become
`jax.tree.map` over their leaves, unsafe as well; of a tuple with one item the item is taken. Beside an operator a conversion
is unsafe, as outside of traced code the array may be NumPy's. There is no fix where the elements are known to make no array, as strings or arrays of
different shapes. A sum of gradients that starts with 0 starts with zeros like what is differentiated, which is unsafe. For
`*`, which is meant to repeat the list, `int(…)` of a number that has its value is shown.

## References
- JAX documentation, "JAX - The Sharp Bits", non-array inputs:
  https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.checkers.refusals import RefusedArgument, is_bare
from jaxlint.analysis.domain.values import Api, Array, Const, Host, Static, Text, Transformed, Tuple, Value
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, displayed, parameter_of
from jaxlint.rewrite.arrays.leaf_maps import over_leaves
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, only, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX209",
    category=Category.FAILS,
    hazards=(RefusedArgument,),
    error="TypeError",
    fixable="safe",
)

_SAFE = Applicability.SAFE
_OF_A_SHAPE = frozenset({"zeros", "ones", "empty", "full"})
_EXTREMES = {"max": "greater", "min": "smaller"}
_OTHERS = frozenset({"function", "string", "None", "bare", "shape"})
_CALLED = {"generator": "Iterator", "view": "Dict view", "dict": "Dict", "tree": "List"}


def check(hazard: RefusedArgument, file: File) -> Iterator[Finding]:
    call = file.unit.nodes[hazard.site]
    if hazard.form in ("array", "number") and isinstance(call, ir.Call):
        yield _misplaced(hazard, file, call)
        return
    if hazard.form in _OTHERS:
        yield _no_array(hazard, file)
        return
    if hazard.form not in ("list", "element", *_CALLED):
        return
    if hazard.operand == hazard.site and isinstance(call, ir.Call):
        yield _beside_a_leaf(hazard, file, call)
        return
    operator = (hazard.api or "").removeprefix("operator ") if (hazard.api or "").startswith("operator ") else None
    called = file.called(hazard.site, operator or hazard.api)
    what = "Tuple" if isinstance(hazard.value, Tuple) else _CALLED.get(hazard.form, "List")
    if hazard.form in ("dict", "tree") and operator is not None:
        yield _on_tree(hazard, file, operator, what.lower())
        return
    takes_lists = operator is None and hazard.form != "element" and _takes_lists(hazard)
    kind = "" if takes_lists else "array "
    array = file.api(_maker(hazard))[0]
    operand = file.code(hazard.operand, 40)
    node = file.unit.nodes[hazard.operand]
    if isinstance(node, ir.Sequence) and node.kind == "tuple":
        operand = f"({operand})"
    fix = _fix(hazard, file, node, takes_lists) if operator != "*" else _repeated(file, call, node)
    likeness = (hazard.api or "").rpartition(".")[2].removesuffix("_like")
    may_be_shape = likeness in _OF_A_SHAPE and (hazard.api or "").endswith("_like") and hazard.form == "list"
    help = _help(operator, takes_lists, array)
    if may_be_shape:
        help += f" If it is a shape, write `{file.api(f'jax.numpy.{likeness}')[0]}`."
    if hazard.form == "dict":
        help, fix = (
            f"Pass an array of it, or map over it with `{file.api('jax.tree.map')[0]}`.",
            over_leaves(hazard.site, file),
        )
    if fix is not None and (operator is not None or may_be_shape):
        level = Applicability.DISPLAY if may_be_shape else Applicability.UNSAFE
        fix = fix.lowered(level, "" if may_be_shape else "right where the other side is always a JAX array")
    yield Finding(
        hazard.site,
        f"{what} `{operand}` among the `{hazard.parameter}` of `{called}`"
        if hazard.form == "element"
        else f"{what} `{operand}` passed as {kind}argument `{hazard.parameter}` of `{called}`"
        if operator is None
        else f"`{operator}` between a JAX array and {what.lower()} `{operand}`",
        help=help,
        fix=fix,
    )


def _no_array(hazard: RefusedArgument, file: File) -> Finding:
    """A function, a string or None in the place of an array; an array for a tuple of arrays; a shape for what has one."""
    call, draft = file.unit.nodes[hazard.site], Draft(file)
    operand = file.code(hazard.operand, 40)
    called = file.called(hazard.site, hazard.api)
    message, fix = f"String `{operand}` in the array that `{called}` makes", None
    advice = "Pass arrays, or keep what is no number in a list or in an array of NumPy."
    if hazard.form == "shape":
        operand = _tuple(file, hazard.operand)
        made = draft.call("jax.ShapeDtypeStruct", operand, draft.api("jax.numpy.float32"))
        message = f"Shape `{operand}` passed for an array to `{called}`"
        advice = f"Pass what has the shape: `{made}`."
        draft.replace_whole(hazard.operand, made)
        fix = draft.fix("Pass what has the shape", "the dtype is a guess")
    elif hazard.form == "bare":
        message = f"Array `{operand}` passed as `{hazard.parameter}` of `{called}`, expected a tuple"
        advice = f"Pass a tuple with one entry for each argument: `({operand},)`."
        for each in (*call.args[1:], *(each.value for each in call.keywords)) if isinstance(call, ir.Call) else ():
            if any(map(is_bare, file.values(each.site))):
                draft.replace_whole(each.site, f"({file.code(each.site)},)")
        fix = draft.fix("Make it a tuple", level=_SAFE) if draft.edits else None
    elif hazard.form == "function":
        message = f"Function `{operand}` passed as array argument `{hazard.parameter}` of `{called}`"
        advice = f"Pass what it returns. To run one of two functions, use `{file.api('jax.lax.cond')[0]}`."
    elif hazard.form == "None":
        message = f"`None` in the array that `{called}` makes"
        advice = f"Pass a number in its place, such as `{file.api('jax.numpy.nan')[0]}`."
    return Finding(hazard.site, message, advice, fix)


def _tuple(file: File, site: int) -> str:
    """The code of a tuple, which may be written without parentheses."""
    node, code = file.unit.nodes[site], file.code(site)
    return f"({code})" if isinstance(node, ir.Sequence) and not code.startswith("(") else code


def _misplaced(hazard: RefusedArgument, file: File, call: ir.Call) -> Finding:
    """`jnp.stack(x, y)`, `jnp.zeros(2, 3)`, `jax.lax.dynamic_slice(x, i, (3,))`."""
    called, operand, draft = file.code(call.func.site, 40), file.code(hazard.operand, 40), Draft(file)
    what = "Array" if hazard.form == "array" else "Number"
    message = f"{what} `{operand}` passed as `{hazard.parameter}` of `{called}`"
    given = [file.code(each.site) for each in call.args]
    place = next((n for n, each in enumerate(call.args) if each.site == hazard.operand), None)
    if hazard.parameter == "start_indices":
        draft.replace_whole(hazard.operand, f"({file.code(hazard.operand)},)")
        advice = f"Pass one index for each axis: `({operand},)`."
        return Finding(hazard.site, message, advice, draft.fix("Make it a tuple", level=_SAFE))
    extreme = (hazard.api or "").rpartition(".")[2]
    if hazard.parameter == "axis" and extreme in ("max", "min") and hazard.form == "number":
        of_two = f"jax.numpy.{extreme}imum"
        advice = f"Use `{file.api(of_two)[0]}` for the {_EXTREMES[extreme]} of two, element by element."
        is_of_two = len(given) == 2 and not call.keywords
        fix = using(file, call.func.site, of_two, "it compares two arrays") if is_of_two else None
        return Finding(hazard.site, message, advice, fix)
    if hazard.parameter == "axis" and hazard.form == "number" or place != len(call.args) - 1 or call.keywords:
        return Finding(hazard.site, message, f"Remove it, or pass what `{hazard.parameter}` takes.")
    opening, closing = ("[", "]") if hazard.form == "array" else ("(", ")")
    text = f"{called}({opening}{', '.join(given)}{closing})"
    kind = "a list" if hazard.form == "array" else "a tuple"
    draft.insert(file.outer_span(call.args[0].site)[0], opening)
    draft.insert(file.outer_span(call.args[-1].site)[1], closing)
    return Finding(hazard.site, message, f"Pass {kind}: `{text}`.", draft.fix(f"Make it {kind}", level=_SAFE))


def _maker(hazard: RefusedArgument) -> str:
    """What makes an array of a list: NumPy's function where tracers do not do, which `jnp.array` gives in traced code."""
    found = knowledge.facts(hazard.api or "")
    is_concrete = found is not None and hazard.parameter in {*found.static, *found.decides}
    return "numpy.array" if is_concrete else "jax.numpy.array"


def _on_tree(hazard: RefusedArgument, file: File, operator: str, what: str) -> Finding:
    """`params - 0.1 * grads` of a dict, a list or a tuple of arrays."""
    operand, node = file.code(hazard.operand, 40), file.unit.nodes[hazard.operand]
    if isinstance(node, ir.Sequence) and node.kind == "tuple":
        operand = f"({operand})"
    help = f"Apply it to each leaf: `{file.api('jax.tree.map')[0]}(lambda leaf: …, {operand})`."
    fix = over_leaves(hazard.site, file)
    items = hazard.value.items if isinstance(hazard.value, Tuple) else None
    if items is not None and len(items) == 1:
        help = f"Take the one item that it holds: `{operand}[0]`."
        if isinstance(node, (ir.Name, ir.Attribute, ir.Call, ir.Subscript)):
            fix = Fix("Take its item", (file.insert(file.span(node.site)[1], "[0]"),), _SAFE)
    elif items is not None:
        help = f"Take an item of it, or apply it to each leaf with `{file.api('jax.tree.map')[0]}`."
    return Finding(hazard.site, f"`{operator}` on {what} `{operand}`", help, fix)


def _beside_a_leaf(hazard: RefusedArgument, file: File, call: ir.Call) -> Finding:
    """A function that `jax.tree.map` applies where the first tree is a leaf and another one goes on."""
    what = "Tuple" if isinstance(hazard.value, Tuple) else _CALLED.get(hazard.form, "List")
    function, zeros = (file.api(name)[0] for name in (hazard.api or "", "jax.numpy.zeros_like"))
    called = file.code(call.func.site, 40)
    return Finding(
        hazard.site,
        f"Mismatched trees in `{called}`: `{function}` gets a leaf and a {what.lower()}",
        f"Pass a first tree of the same structure, such as `{called}({zeros}, …)`.",
        _from_zeros(file, call),
    )


@or_none
def _from_zeros(file: File, call: ir.Call) -> Fix:
    """A sum of gradients that starts with zeros of what is differentiated, where it starts with the number 0."""
    scope, draft = file.unit.scope(call.site), Draft(file)
    require(len(call.args) == 3 and not call.keywords)
    total, added = expect(ir.Name, call.args[1]), call.args[2]
    start = only(
        each.value for each in bindings(scope, total.id)
        if isinstance(each, ir.Assign) and isinstance(each.value, ir.Constant) and each.value.value == 0
    )  # fmt: skip
    if isinstance(added, ir.Name):
        bound = [each for each in bindings(scope, added.id) if isinstance(each, ir.Assign)]
        added = bound[0].value if len(bound) == 1 else added
    made = expect(ir.Call, added)
    params = expect(ir.Name, made.args[0] if made.args else None).id
    transforms = {value.transform.name for each in file.values(made.func.site) for value in _layers(each)}
    before = file.span(file.unit.statement(start.site).site)[0]
    is_bound = any(isinstance(each, ir.Assign) and file.span(each.site)[0] < before for each in bindings(scope, params))
    require(transforms & {"jax.grad", "jax.value_and_grad"} and (is_bound or parameter_of(scope, params) is not None))
    draft.replace(start.site, draft.call("jax.tree.map", draft.api("jax.numpy.zeros_like"), params))
    return draft.fix(f"Start with zeros like `{params}`", "the sum is a tree from the start")


def _layers(value: Value) -> Iterator[Transformed]:
    while isinstance(value, Transformed):
        yield value
        value = value.function


def _help(operator: str | None, takes_lists: bool, array: str) -> str:
    if takes_lists:
        return "Convert it to a list."
    repeated = ", or multiply by a Python integer to repeat it" if operator == "*" else ""
    return f"Convert it with `{array}`{repeated}."


def _takes_lists(hazard: RefusedArgument) -> bool:
    """Whether the parameter takes a list of the elements."""
    name = hazard.api or ""
    found = knowledge.method(name[1:]) if name.startswith(".") else knowledge.facts(name)
    return found is not None and "list" not in found.refuses.get(hazard.parameter or "", ())


@or_none
def _fix(hazard: RefusedArgument, file: File, node: ir.Node, takes_lists: bool) -> Fix:
    elements = displayed(file.unit, node) if hazard.form in ("list", "element") else None
    require(elements is None or _make_an_array(file, elements))
    require(not isinstance(node, ir.Starred) and not any(node is arg.value for arg in _starred(file, hazard)))
    text, title, draft = file.code(hazard.operand), "Make a list of it", Draft(file)
    if isinstance(node, ir.Comprehension) and node.kind == "generator":
        text = f"[{text}]"
    elif hazard.form in _CALLED:
        text = f"list({text})"
    elif isinstance(node, ir.Sequence) and node.kind == "tuple":
        text = f"({text})"
    if not takes_lists:
        title = f"Make an array of it, with `{draft.api(_maker(hazard))}`"
        text = draft.call(_maker(hazard), text)
    draft.replace_whole(hazard.operand, text)
    return draft.fix(title, level=Applicability.SAFE)


@or_none
def _repeated(file: File, node: ir.Node, listed: ir.Node) -> Fix:
    """`[0] * n` where `n` may have its value: the list is repeated that often."""
    binary = expect(ir.Binary, node)
    require(listed in (binary.left, binary.right))
    count = binary.right if listed is binary.left else binary.left
    arrays = [value for value in file.values(count.site) if isinstance(value, Array)]
    require(arrays and all(value.cls is None and not value.aval.shape for value in arrays))
    require(all("int" in (value.aval.dtype or "int") for value in arrays))
    text = f"int({file.code(count.site)})"
    return Fix(f"Repeat the list `{text}` times", (Edit(*file.outer_span(count.site), text),), Applicability.DISPLAY)


def _starred(file: File, hazard: RefusedArgument) -> list[ir.Starred]:
    call = file.unit.nodes[hazard.site]
    return [arg for arg in call.args if isinstance(arg, ir.Starred)] if isinstance(call, ir.Call) else []


def _make_an_array(file: File, elements: list[ir.Expression]) -> bool:
    """Whether `jnp.array` may take them: they are not known to be strings or of different shapes."""
    shapes = set()
    for element in elements:
        for value in file.values(element.site):
            if isinstance(value, (Api, Text)) or isinstance(value, Static) and value.type == "str":
                return False
            if isinstance(value, Const) and not isinstance(value.value, (bool, int, float, complex)):
                return False
            if isinstance(value, (Array, Host)) and value.aval.shape is not None and None not in value.aval.shape:
                shapes.add(value.aval.shape)
            if isinstance(value, Const):
                shapes.add(())
    return len(shapes) < 2
