"""Method or attribute of NumPy arrays or tensors on a JAX array.

## What it does
Reports the methods that change a NumPy array in place (`fill`, `put`, `partition`, `resize`, `itemset`, `setflags`), the
attributes that tell of its memory (`flags`, `strides`, `base`, `data`, `flat`), `tofile` and `dump`, `x.shape = …`, and
`jnp.put`, `jnp.place`, `jnp.fill_diagonal` and `jnp.put_along_axis` without `inplace=False`. Likewise what tensors of other
libraries have: `detach`, `numpy`, `cpu`, `unsqueeze`, `permute`, `x.size(0)`, `x.view(2, -1)`; and what only `x.at[i]` has:
`x[i].set(0)`, `x.at(i)`, and `.at` of a NumPy array. Also methods of arrays that are asked of a list, such as
`losses.mean()`, or what no array has at all (`xs.append(x)`, `x.exp()`), `x.at.set(0)` and `x.at[i] + 1`, which forget the index
or the method, or of a tuple of arrays: `step(x, y).block_until_ready()` of a function that returns two.

## Why is this bad
Jax arrays cannot be changed, and have no memory of their own that Python could look at. The code raises
`AttributeError`, `NotImplementedError` or `ValueError`, under `jit` and without it. It often was written for NumPy.

## Example
```python
def mask_diagonal(scores):
    scores = scores - jnp.max(scores)
    jnp.fill_diagonal(scores, -jnp.inf)
    return scores
```

## Use instead
```python
def mask_diagonal(scores):
    scores = scores - jnp.max(scores)
    scores = jnp.fill_diagonal(scores, -jnp.inf, inplace=False)
    return scores
```

## When to ignore
Never: the code cannot run.

## Fix safety
Unsafe: the fix binds the name anew, and other names of the same array keep the old values, where in NumPy all of them see
the change. `x[i].set(0)` becomes `x.at[i].set(0)`, `x.size(0)` becomes `x.shape[0]`, and `detach` becomes
`jax.lax.stop_gradient`; `jax.block_until_ready` waits for a tuple, and the pair that `apply` with `mutable=` gives is
unpacked, with the new collections in what a loss returns. Where the first part of a pair is used as an array and the second is
dropped, they change places. What looks at the memory of an array gets one of NumPy, `np.asarray(x)`.

## References
- JAX documentation, "JAX - The Sharp Bits", in-place updates
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, `jax.numpy.fill_diagonal`, `jax.numpy.put`, `jax.numpy.place`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.checkers.numpy_only import NumpyOnlyArrayMethod
from jaxlint.analysis.domain.values import KEYS, Array, Tuple, Undecided, Unknown
from jaxlint.analysis.models.array_types import OF_TENSORS_ALONE, OF_UPDATES_ALONE
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, names_of, only_target, only_value, parameter_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays.array_names import bound_here
from jaxlint.rewrite.calls import passed_for, visible_calls
from jaxlint.rewrite.changes import GUESSED, ON_HOST, OTHER_HOLDERS
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.layers.linen_fixes import handed_out
from jaxlint.rewrite.requirements import call_of, expect, known, only, or_none, parts_of, plain_call, require
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Category, Fix, ImportRequest
from jaxlint.source.spelling import nearest

RULE = Rule(
    code="JAX318",
    summary="Method or attribute of NumPy arrays or tensors on a JAX array, or an array's on a tuple or list.",
    category=Category.FAILS,
    hazards=(NumpyOnlyArrayMethod,),
    error="AttributeError",
    fixable="unsafe",
)

Written = tuple[str, frozenset[ImportRequest]] | None
# What reads the memory of an array; a copy on the host has it.
_READING = frozenset({"tofile", "dump", "dumps", "strides", "data", "ctypes", "flags"})


def check(hazard: NumpyOnlyArrayMethod, file: File) -> Iterator[Finding]:
    array = file.code(hazard.operand, 40)
    node = file.unit.nodes[hazard.site]
    api = str(hazard.api)
    if hazard.of_list:
        help = f"Make an array of it: `{file.api('jax.numpy.stack')[0]}({array}){api}(…)`."
        yield Finding(hazard.site, f"Array method `{api[1:]}` on list `{array}`", help)
        return
    if hazard.count:
        pair = _pair(hazard, file)
        if pair is not None and file.unit.scope(pair.site) is not file.unit.scope(hazard.site):  # where it begins
            message = f"Pair that `{file.code(pair.func.site, 40)}` returns used as an array"
            also = ((f"the array method `{api[1:]}` is called on it here", hazard.site),)
            yield Finding(pair.site, message, "Unpack the pair.", _unpacked(pair, file), also)
            return
        yield Finding(
            hazard.site,
            f"Index of several axes into tuple `{array}` of {hazard.count}"
            if api == "[]"
            else f"Array method `{api[1:]}` on tuple `{array}` of {hazard.count}",
            "Use `jax.block_until_ready`, which waits for all arrays of a tree."
            if "block" in api
            else "Unpack the tuple first.",
            _ready(file, node) if "block" in api else _unpacked(pair, file) or _other_part(hazard, file),
        )
        return
    if hazard.unknown:
        yield _nowhere(hazard, file, node)
        return
    if hazard.parameter == "inplace":
        message = f"In-place `{file.called(hazard.site, api)}` on immutable JAX array `{array}`"
        help = "Pass `inplace=False`, and use the array that is returned."
    elif hazard.called:
        what = "Tensor method" if api == ".view" else "Call of property"
        message = f"{what} `{api[1:]}` on JAX array `{array}`"
        help = _INSTEAD_OF_CALLS.get(api[1:], "").format(array) or f"Read `{array}{api}`, which is no method."
    elif hazard.stores:
        message = f"Assignment to `{api[1:]}` of immutable JAX array `{array}`"
        help = f"Bind `{array}` to a new array."
    else:
        above = file.unit.parent(node.site)
        kind = "method" if isinstance(above, ir.Call) and above.func is node else "attribute"
        owner = "Tensor" if api[1:] in OF_TENSORS_ALONE else "NumPy-only"
        message = f"{owner} {kind} `{api[1:]}` on JAX array `{array}`"
        help = _help(api[1:], array)
        if api == ".at":
            message, help = f"`.at` of NumPy array `{array}`", f"Convert it first: `jnp.asarray({array}).at[…]`."
        elif api[1:] in OF_UPDATES_ALONE:
            message = f"Method `{api[1:]}` of `.at[…]` on JAX array `{array}`"
            help = f"Update through `.at`: `x.at[…].{api[1:]}(…)`."
    yield Finding(hazard.site, message, help, _fix(hazard, file, node))


def _nowhere(hazard: NumpyOnlyArrayMethod, file: File, node: ir.Node) -> Finding:
    """`xs.append(1)`, `x.exp()`, `x.at.set(0)`, `x.at[0] + 1`."""
    array, api, draft = file.code(hazard.operand, 40), str(hazard.api), Draft(file)
    if api == ".at":
        help = f"Read the element without `.at`, or update it: `{array}.set(…)`, `{array}.add(…)`."
        return Finding(hazard.site, f"`{array}` is no element of the array", help)
    attr = api.rpartition(".")[2]
    above = file.unit.parent(node.site)
    call = above if isinstance(above, ir.Call) and above.func is node else None
    kind = "attribute" if call is None else "method"
    if api.startswith(".at."):
        help = "Call one of its methods, such as `.set(…)` or `.add(…)`."
        if attr in OF_UPDATES_ALONE | {"get", "max", "min"}:
            help = f"Index it first: `{array}[…].{attr}(…)`."
        return Finding(hazard.site, f"Unknown {kind} `{attr}` of `{array}`", help)
    message = f"Unknown {kind} `{attr}` on JAX array `{array}`"
    if attr in _GROWING:
        help = "Collect the items in a list, and stack it at the end; an array has a fixed length."
        return Finding(hazard.site, message, help)
    if attr in _CASTS:
        return Finding(hazard.site, message, f"Use `{array}.astype({_CASTS[attr]})`.")
    is_key = isinstance(hazard.value, Array) and hazard.value.aval.dtype in KEYS
    name = f"jax.random.{attr}" if is_key else f"jax.numpy.{attr}"
    if is_key:
        message = f"Unknown {kind} `{attr}` on key `{array}`"
    if attr in _OF_TENSORS and not is_key:
        return Finding(hazard.site, message, f"Use `{file.api(_OF_TENSORS[attr])[0]}`.")
    if knowledge.facts(name) is None:
        meant = nearest(attr, knowledge.members())
        return Finding(hazard.site, message, f"Write `{meant}`." if meant else "Use what `jax.Array` has.")
    function, fix = draft.api(name), None
    if call is not None and not is_key and not call.args and not call.keywords:
        draft.replace(call.site, f"{function}({operands.argument(file, hazard.operand)})")
        fix = draft.fix(f"Use `{function}`", GUESSED)
    return Finding(hazard.site, message, f"Use the function `{function}`.", fix)


_GROWING = frozenset({"append", "extend", "insert", "pop", "remove", "appendleft"})
_OF_TENSORS = {"clamp": "jax.numpy.clip", "expand": "jax.numpy.broadcast_to", "masked_fill": "jax.numpy.where"}
_CASTS = {"float": "float", "int": "int", "bool": "bool", "type": "…", "to": "…"}
# What JAX has in place of the members of tensors, `{0}` being the array.
_INSTEAD = {
    "detach": "jax.lax.stop_gradient({0})", "numpy": "np.asarray({0})", "cpu": "jax.device_get({0})",
    "unsqueeze": "jnp.expand_dims({0}, axis)", "permute": "{0}.transpose(…)", "t": "{0}.T",
    "softmax": "jax.nn.softmax({0}, axis=…)", "matmul": "{0} @ …", "mm": "{0} @ …",
    "cuda": "jax.device_put({0})", "half": "{0}.astype(jnp.float16)",
    "double": "{0}.astype(jnp.float64)", "long": "{0}.astype(int)",
}  # fmt: skip


_INSTEAD_OF_CALLS = {
    "size": "Use `{0}.shape[axis]`, or `{0}.size` for the number of elements.", "view": "Use `{0}.reshape(…)`.",
    "at": "Index it: `{0}.at[…]`.", "shape": "Use `{0}.shape[axis]`, or the whole `{0}.shape`.",
}  # fmt: skip


def _help(attr: str, array: str) -> str:
    if attr in _INSTEAD:
        return f"Use `{_INSTEAD[attr].format(array)}`."
    if attr in OF_TENSORS_ALONE:
        return "Remove it." if attr == "contiguous" else "Differentiate a function with `jax.grad`."
    if attr == "flat":
        return f"Use `{array}.ravel()`."
    if attr in _READING or attr == "base":
        return f"Read it from a NumPy array, `np.asarray({array})`."
    if attr == "tostring":
        return f"Use `{array}.tobytes()`."
    return f"Bind `{array}` to a changed copy, such as `{array}.at[…].set(…)`."


@or_none
def _fix(hazard: NumpyOnlyArrayMethod, file: File, node: ir.Node) -> Fix:
    api, draft = str(hazard.api), Draft(file)
    if hazard.parameter == "inplace" and isinstance(node, ir.Call):
        return _returning(hazard, draft, node)
    if hazard.stores:
        return _set(hazard, draft, node)
    if hazard.called:
        return _not_called(hazard, file, node)
    read = expect(ir.Attribute, node)
    if api[1:] in OF_UPDATES_ALONE and isinstance(read.value, ir.Subscript):
        draft.insert(file.span(read.value.value.site)[1], ".at")
        return draft.fix("Update through `.at`", "the result is the whole array, with the new element")
    array = operands.operand(file, hazard.operand)
    if api == ".flat":
        draft.replace(node.site, f"{array}.ravel()")
        return draft.fix("Use `ravel()`", "the result is an array, not an iterator")
    if api == ".tostring":
        draft.replace(node.site, f"{array}.tobytes")
        return draft.fix("Use `tobytes`", ON_HOST)
    if api[1:] in _READING and hazard.value.cls is None:
        draft.replace(node.site, f"{draft.call('numpy.asarray', file.code(hazard.operand))}.{read.attr}")
        return draft.fix("Ask an array of NumPy", ON_HOST)
    call = call_of(file, node)
    if api in (".detach", ".numpy") and not call.args and not call.keywords:
        require(api == ".detach" or not hazard.value.cls)
        name = draft.api("jax.lax.stop_gradient" if api == ".detach" else "numpy.asarray")
        draft.replace(call.site, f"{name}({operands.argument(file, hazard.operand)})")
        return draft.fix(f"Use `{name}`", GUESSED if api == ".detach" else ON_HOST)
    return _bound(hazard, draft, call, _changed(hazard, draft, call, api[1:]))


def _not_called(hazard: NumpyOnlyArrayMethod, file: File, call: ir.Node) -> Fix:
    """`x.shape[0]` for `x.size(0)`, `x.reshape(2, -1)` for `x.view(2, -1)`, `x.at[0]` for `x.at(0)`."""
    call = plain_call(call)
    require(isinstance(call.func, ir.Attribute) and not call.keywords)
    array, args = operands.operand(file, hazard.operand), ", ".join(file.code(arg.site) for arg in call.args)
    api = str(hazard.api)
    written = {".size": f"{array}.shape[{args}]", ".shape": f"{array}.shape[{args}]", ".at": f"{array}.at[{args}]"}
    code = written.get(api) if len(call.args) == 1 else None
    if not call.args:
        code = f"{array}{'.shape' if api == '.size' else api}"
    elif api == ".view":
        code = f"{array}.reshape({args})"
    require(code is not None and (api != ".at" or args))
    return Fix(f"Write `{code}`", (file.replace(call.site, known(code)),), changes=GUESSED)


@or_none
def _ready(file: File, node: ir.Node) -> Fix:
    """`jax.block_until_ready(f(x))` for `f(x).block_until_ready()`."""
    call, draft = call_of(file, node), Draft(file)
    waited = operands.argument(file, expect(ir.Attribute, node).value.site)
    draft.replace(call.site, draft.call("jax.block_until_ready", waited))
    return draft.fix(f"Use `{draft.api('jax.block_until_ready')}`", "it waits for each array of the tuple")


@or_none
def _pair(hazard: NumpyOnlyArrayMethod, file: File) -> ir.Call:
    """`model.apply(…, mutable=…)`, whose pair is bound to one name and used as its first part."""
    name = file.unit.nodes[hazard.operand]
    scope: ir.Scope | None = file.unit.scope(hazard.site)
    while isinstance(scope, ir.Function) and isinstance(name, ir.Name) and parameter_of(scope, name.id) is not None:
        name = known(passed_for(scope, only(known(visible_calls(file, scope, ()))).call, name.id))
        scope = file.unit.scope(name.site)
    call = expect(ir.Call, only_value(known(scope), expect(ir.Name, name).id))
    require(any(each.name == "mutable" for each in call.keywords) and hazard.count == 2)
    return call


@or_none
def _unpacked(call: ir.Call | None, file: File) -> Fix:
    """`logits, updates = model.apply(…, mutable=…)`"""
    made, draft = known(call), Draft(file)
    statement = expect(ir.Assign, file.unit.statement(made.site))
    require(statement.value is made)
    updates = free_name(file, made.site, "updates")
    draft.insert(file.span(statement.targets[0].site)[1], f", {updates}")
    match value_of(made, "mutable"):
        case ir.Sequence(elements=[ir.Constant(value=str(collection))]):
            draft.edits += handed_out(file, made, collection, updates) or ()
    return draft.fix("Unpack the pair", "the updates are to be kept for the next call")


@or_none
def _other_part(hazard: NumpyOnlyArrayMethod, file: File) -> Fix:
    """`_, outputs = layer(x)` for `outputs, _ = layer(x)`, where the part that is dropped is the array."""
    name, scope = expect(ir.Name, file.unit.nodes[hazard.operand]), file.unit.scope(hazard.site)
    statement = expect(ir.Assign, only(bindings(scope, name.id)))
    first, second = parts_of(known(only_target(statement)), 2)
    require(isinstance(first, ir.Name) and first.id == name.id and isinstance(second, ir.Name))
    require(not [each for each in names_of(file.unit, scope, expect(ir.Name, second).id) if each is not second])
    pairs = [expect(Tuple, value).items or () for value in file.values(statement.value.site)]
    require(pairs and all(len(pair) == 2 and isinstance(pair[1], (Array, Undecided, Unknown)) for pair in pairs))
    edits = file.replace(first.site, file.code(second.site)), file.replace(second.site, name.id)
    return Fix(f"Take the second part as `{name.id}`", edits, changes="the parts change places")


def _returning(hazard: NumpyOnlyArrayMethod, draft: Draft, call: ir.Call) -> Fix:
    """The call with `inplace=False`; as a statement its result takes the name of the array."""
    file = draft.file
    given = next((keyword for keyword in call.keywords if keyword.name == "inplace"), None)
    require(len(call.args) <= 4)
    parts = [operands.argument(file, arg.site) for arg in call.args]
    parts += [f"{k.name}={operands.argument(file, k.value.site)}" for k in call.keywords if k is not given]
    code = f"{file.code(call.func.site)}({', '.join(parts)}, inplace=False)"
    if isinstance(file.unit.parent(call.site), ir.Evaluate):
        return _bound(hazard, draft, call, code)
    draft.replace(call.site, code)
    return draft.fix("Return the changed array", OTHER_HOLDERS)


def _set(hazard: NumpyOnlyArrayMethod, draft: Draft, node: ir.Node) -> Fix:
    file = draft.file
    above, name = expect(ir.Assign, file.unit.parent(node.site)), bound_here(file, file.unit.nodes[hazard.operand])
    require(hazard.api in (".shape", ".dtype") and len(above.targets) == 1)
    method = "reshape" if hazard.api == ".shape" else "view"
    draft.replace(above.site, f"{name} = {name}.{method}({operands.argument(file, above.value.site)})")
    return draft.fix(f"Use `{method}`", OTHER_HOLDERS)


def _changed(hazard: NumpyOnlyArrayMethod, draft: Draft, call: ir.Call, method: str) -> str:
    """What gives the array that a method of NumPy arrays makes of its own."""
    file, array = draft.file, draft.file.code(hazard.operand)
    require(not plain_call(call).keywords)
    args = [operands.argument(file, arg.site) for arg in call.args]
    if method == "fill" and len(args) == 1:
        return draft.call("jax.numpy.full_like", array, *args)
    if method == "partition" and len(args) == 1:
        return draft.call("jax.numpy.partition", array, *args)
    require(len(args) == 2)
    if method == "put":  # lists are no arrays to JAX
        given = (
            draft.call("jax.numpy.array", text) if isinstance(each, ir.Sequence) else text
            for each, text in zip(call.args, args)
        )  # fmt: skip
        return draft.call("jax.numpy.put", array, *given, "inplace=False")
    require(method == "itemset" and isinstance(call.args[0], ir.Sequence))
    return f"{operands.operand(file, hazard.operand)}.at[{args[0]}].set({args[1]})"


def _bound(hazard: NumpyOnlyArrayMethod, draft: Draft, call: ir.Call, code: str) -> Fix:
    """The statement that gives the name of the array to what was written."""
    file = draft.file
    statement, name = file.unit.parent(call.site), bound_here(file, file.unit.nodes[hazard.operand])
    draft.replace(expect(ir.Evaluate, statement).site, f"{name} = {code}")
    return draft.fix(f"Bind `{name}` to the changed array", OTHER_HOLDERS)
