"""Key array passed to a sampler that takes one key.

## What it does
Reports calls of the samplers of `jax.random` whose key is an array of keys: `normal(split(key, n))`.

## Why is this bad
A sampler takes one key; one draw for each of several keys is what `jax.vmap` is for. The call raises
`ValueError: normal accepts a single key, but was given a key array of shape (3,)`. The two keys that
`jax.random.split(key)` gives are such an array, too, as long as they are not unpacked.

## Example
```python
keys = jax.random.split(key, 3)
noise = jax.random.normal(keys, (2,))
```

## Use instead
```python
keys = jax.random.split(key, 3)
noise = jax.vmap(lambda key: jax.random.normal(key, (2,)))(keys)
```

Where the same numbers may come from one key, `jax.random.normal(key, (3, 2))` is simpler.

## When to ignore
Never: the call raises an error, in traced code and outside of it.

## Fix safety
The fix maps the sampler over the keys. It is unsafe: the result has one axis more, for the keys, and one
key may be what was meant. Where `split(key)` was told no number, one key was: its two keys are unpacked, and the second
is drawn from. Keys that stand along several axes are left.

## References
- JAX documentation, "Pseudorandom numbers": https://docs.jax.dev/en/latest/random-numbers.html
- jax.vmap: https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.domain.values import Array
from jaxlint.analysis.keys.key_arrays import BatchOfKeysToSampler, KeyArray
from jaxlint.hazards.keys.split_count_mismatch import DERIVING
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX410",
    name="batch-of-keys-to-sampler",
    summary="Key array passed to a sampler that takes one key.",
    category=Category.FAILS,
    hazards=(BatchOfKeysToSampler,),
    error="ValueError",
    fixable="unsafe",
    supersedes=("JAX411",),
    status="stable",
)


def check(hazard: BatchOfKeysToSampler, file: File) -> Iterator[Finding]:
    if hazard.api in DERIVING:
        return
    keys: KeyArray = hazard.keys
    operand = file.code(hazard.operand, 40)
    called = str(hazard.api).rpartition(".")[2]
    count = "" if keys.count is None else f" ({keys.count} key{'' if keys.count == 1 else 's'})"
    advice = f"Draw with each key: `jax.vmap(lambda key: {called}(key, …))({operand})`."
    if _is_plain_split(file, keys.split):
        advice = f"Unpack the keys, `key, subkey = {file.code(keys.split, 40)}`, and draw with `subkey`."
    yield Finding(
        hazard.site,
        f"Key array `{operand}`{count} passed to `{called}`, which takes one",
        advice,
        _unpacked(hazard, file) or _mapped(hazard, file),
        also=(("the keys are made here", keys.split),) if keys.split >= 0 and keys.split != hazard.operand else (),
    )


def _is_plain_split(file: File, split: int) -> bool:
    """Whether `split` was told no number."""
    call = file.unit.nodes[split] if split >= 0 else None
    return isinstance(call, ir.Call) and len(call.args) == 1 and not call.keywords


def _unpacked(hazard: BatchOfKeysToSampler, file: File) -> Fix | None:
    """`key, subkey = split(key)` for `keys = split(key)`, where the keys are drawn from as if they were one."""
    keys: KeyArray = hazard.keys
    node = file.unit.nodes[hazard.operand]
    if not _is_plain_split(file, keys.split) or type(node) is not ir.Name:
        return None
    scope, split = file.unit.scope(node.site), file.unit.nodes[keys.split]
    statement = file.unit.statement(keys.split)
    if not isinstance(statement, ir.Assign) or statement.value is not split or len(statement.targets) != 1:
        return None
    assert isinstance(split, ir.Call)
    target, key = statement.targets[0], split.args[0]
    uses = [each for each in ir.walk(scope.body) if isinstance(each, ir.Name) and each.id == node.id]
    if file.unit.scope(statement.site) is not scope or type(target) is not ir.Name or target.id != node.id:
        return None
    if type(key) is not ir.Name or key.id not in scope.locals | {node.id}:
        return None
    if any(each not in (target, key, node) for each in uses):
        return None  # taken for an array elsewhere
    own, other = (key.id, "subkey") if key.id == node.id else (key.id, node.id)
    if own == node.id:
        other = free_name(file, node.site, other)
    edits = [file.replace(target.site, f"{own}, {other}")]
    if own == node.id:
        edits.append(file.replace(node.site, other))
    return Fix(f"Unpack the keys, and draw with `{other}`", tuple(edits), changes=GUESSED)


def _mapped(hazard: BatchOfKeysToSampler, file: File) -> Fix | None:
    call = file.unit.nodes[hazard.site]
    keys: KeyArray = hazard.keys
    shape = hazard.value.aval.shape if isinstance(hazard.value, Array) else None
    if not isinstance(call, ir.Call) or shape is None or len(shape) != 1 or _is_plain_split(file, keys.split):
        return None
    if hazard.operand not in [argument.site for argument in ir.passed_values(call)]:
        return None
    if any(type(node) in (ir.Walrus, ir.Await, ir.Yield, ir.Starred) for node in call.args):
        return None
    name = _free_name(file, call)
    vmap, imports = file.api("jax.vmap")
    start, end = file.span(call.site)
    first, last = file.outer_span(hazard.operand)
    text = file.source.text
    drawn, at = "", start
    for edit in in_order([Edit(first, last, name), *_of_one_key(file, call, hazard)]):
        drawn, at = drawn + text[at : edit.start] + edit.content, edit.end
    drawn += text[at:end]
    mapped = f"{vmap}(lambda {name}: {drawn})({operands.argument(file, hazard.operand)})"
    return Fix(
        "Draw with each of the keys",
        (file.replace(call.site, mapped),),
        imports=imports,
        changes="the result gets an axis for them",
    )


def _of_one_key(file: File, call: ir.Call, hazard: BatchOfKeysToSampler) -> list[Edit]:
    """The shape less its first axis, where that is as long as there are keys: each key draws what is behind it."""
    keys: KeyArray = hazard.keys
    places = [each.name for each in knowledge.signature(hazard.api or "") or ()]
    position = places.index("shape") if "shape" in places else len(call.args)
    given = [*call.args[position : position + 1], *(each.value for each in call.keywords if each.name == "shape")]
    split = file.unit.nodes[keys.split] if keys.split >= 0 else None
    if len(given) == 1 and split is None and isinstance(given[0], ir.Attribute) and given[0].attr == "shape":
        return [Edit(*file.span(given[0].site), f"{file.code(given[0].site)}[1:]")]  # a key for each row
    if len(given) != 1 or not isinstance(split, ir.Call):
        return []
    numbers = [*split.args[1:2], *(each.value for each in split.keywords if each.name == "num")]
    counts = {file.code(each.site) for each in numbers}
    shape = given[0]
    if isinstance(shape, ir.Sequence) and shape.elements:
        first, *rest = shape.elements
        if file.code(first.site) not in counts and not (
            isinstance(first, ir.Constant) and keys.count is not None and first.value == keys.count
        ):
            return []
        code = ", ".join(file.code(each.site) for each in rest)
        return [Edit(*file.outer_span(shape.site), f"({code},)" if len(rest) == 1 else f"({code})")]
    if isinstance(shape, (ir.Attribute, ir.Name)) and f"{file.code(shape.site)}[0]" in counts:
        return [Edit(*file.span(shape.site), f"{file.code(shape.site)}[1:]")]
    return []


def _free_name(file: File, call: ir.Call) -> str:
    """A name for one key that nothing in the call goes by."""
    taken = {node.id for node in ir.walk([call]) if isinstance(node, ir.Name)}
    return next(name for name in ("key", "k", "each_key", "one_key_") if name not in taken)
