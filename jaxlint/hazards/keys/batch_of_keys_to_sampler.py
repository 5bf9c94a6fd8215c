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
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import Draft, in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX410",
    category=Category.FAILS,
    hazards=(BatchOfKeysToSampler,),
    error="ValueError",
    fixable="unsafe",
    supersedes=("JAX411",),
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


@or_none
def _unpacked(hazard: BatchOfKeysToSampler, file: File) -> Fix:
    """`key, subkey = split(key)` for `keys = split(key)`, where the keys are drawn from as if they were one."""
    keys: KeyArray = hazard.keys
    require(_is_plain_split(file, keys.split))
    node, split = expect(ir.Name, file.unit.nodes[hazard.operand]), expect(ir.Call, file.unit.nodes[keys.split])
    scope, statement = file.unit.scope(node.site), expect(ir.Assign, file.unit.statement(keys.split))
    target, key = expect(ir.Name, only_target(statement)), expect(ir.Name, split.args[0])
    require(statement.value is split and file.unit.scope(statement.site) is scope and target.id == node.id)
    require(key.id in scope.locals | {node.id})
    # Else it is taken for an array elsewhere.
    require(all(each in (target, key, node) for each in ir.names_below(scope.body)[node.id]))
    draft, other = Draft(file), node.id
    if key.id == node.id:
        other = free_name(file, node.site, "subkey")
        draft.replace(node.site, other)
    draft.replace(target.site, f"{key.id}, {other}")
    return draft.fix(f"Unpack the keys, and draw with `{other}`", GUESSED)


@or_none
def _mapped(hazard: BatchOfKeysToSampler, file: File) -> Fix:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    keys: KeyArray = hazard.keys
    require(len(known(expect(Array, hazard.value).aval.shape)) == 1 and not _is_plain_split(file, keys.split))
    require(hazard.operand in [argument.site for argument in ir.passed_values(call)])
    require(not any(type(node) in (ir.Walrus, ir.Await, ir.Yield, ir.Starred) for node in call.args))
    name, (start, end) = _free_name(call), file.span(call.site)
    text, drawn, at = file.source.text, "", start
    for edit in in_order([Edit(*file.outer_span(hazard.operand), name), *_of_one_key(file, call, hazard)]):
        drawn, at = drawn + text[at : edit.start] + edit.content, edit.end
    vmap = draft.call("jax.vmap", f"lambda {name}: {drawn}{text[at:end]}")
    draft.replace(call.site, f"{vmap}({operands.argument(file, hazard.operand)})")
    return draft.fix("Draw with each of the keys", "the result gets an axis for them")


def _of_one_key(file: File, call: ir.Call, hazard: BatchOfKeysToSampler) -> list[Edit]:
    """The shape less its first axis, where that is as long as there are keys: each key draws what is behind it."""
    keys: KeyArray = hazard.keys
    places = [each.name for each in knowledge.signature(hazard.api or "") or ()]
    position = places.index("shape") if "shape" in places else len(call.args)
    given = [*call.args[position : position + 1], *(each.value for each in call.keywords if each.name == "shape")]
    split = file.unit.nodes[keys.split] if keys.split >= 0 else None
    passed_in = split is None or file.unit.scope(split.site) is not file.unit.scope(call.site)
    if len(given) == 1 and passed_in and isinstance(given[0], ir.Attribute) and given[0].attr == "shape":
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


def _free_name(call: ir.Call) -> str:
    """A name for one key that nothing in the call goes by."""
    taken = {node.id for node in ir.walk([call]) if isinstance(node, ir.Name)}
    return next(name for name in ("key", "k", "each_key", "one_key_") if name not in taken)
