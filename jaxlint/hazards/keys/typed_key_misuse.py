"""Typed key used as numeric data.

## What it does
Reports operations that work on legacy keys (`jax.random.PRNGKey`), which are arrays of two numbers, and not on
typed ones (`jax.random.key`): arithmetic and ordering, `key[0]` and `a, b = key` of a single key, `np.asarray(key)`
and other NumPy functions, functions and methods that compute with numbers, and the tests `key.dtype == uint32`
and `key.shape == (2,)`.

## Why is this bad
A typed key has a dtype of its own, to which no numbers belong, and shape `()`. The operations raise `TypeError`,
`IndexError`, `NotImplementedError` or `ValueError`; the tests are quietly `False`.

## Example
```python
key = jax.random.key(0)
noise = jax.random.normal(key + step, (3,))
saved = np.asarray(key)
```

## Use instead
```python
key = jax.random.key(0)
noise = jax.random.normal(jax.random.fold_in(key, step), (3,))
saved = np.asarray(jax.random.key_data(key))
```

## When to ignore
Never: the code fails. A test by dtype that is meant to find legacy keys only can be written with
`jnp.issubdtype(key.dtype, jax.dtypes.prng_key)` and says so.

## Fix safety
Unsafe. `key + n`, `key * n` and the like become `jax.random.fold_in(key, n)`, which gives other draws than the sum did;
`a, b = key` becomes a split; what wants numbers gets `jax.random.key_data(key)`, the numbers of a legacy key. The rewrite of `key.dtype == uint32` is
only displayed: it is true where the test was not, so the branch that follows has to be rewritten as well.

## References
- JAX documentation, "JEP 9263: Typed keys & pluggable RNGs": https://docs.jax.dev/en/latest/jep/9263-typed-keys.html
- JAX documentation, `jax.random.key_data`, `jax.random.wrap_key_data`, `jax.random.fold_in`:
  https://docs.jax.dev/en/latest/jax.random.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Array, Const, Static
from jaxlint.analysis.keys.typed_keys import TypedKeyMisuse, is_typed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import NUMBERS_DRAWN, TYPED_KEY
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX408",
    category=Category.FAILS,
    hazards=(TypedKeyMisuse,),
    error="TypeError",
    fixable="unsafe",
)

_FOLDED = tuple(f"operator {sign}" for sign in "+ ^ - * | & % // <<".split())
_INTEGERS = frozenset({"int8", "int16", "int32", "uint8", "uint16", "uint32"})


def check(hazard: TypedKeyMisuse, file: File) -> Iterator[Finding]:
    key = file.code(hazard.operand, 40)
    node = file.unit.nodes[hazard.site]
    api = str(hazard.api)
    yield Finding(hazard.site, _message(file, api, node, key), help=_help(file, api, key), fix=_fix(hazard, file, node))


def _message(file: File, api: str, node: ir.Node, key: str) -> str:
    if api == "dtype":
        return f"Typed key `{key}` never has dtype `uint32`"
    if api == "shape":
        return f"Single typed key `{key}` has shape `()`"
    if api == "iteration":
        return f"Iteration over single typed key `{key}`"
    if api == "subscript":
        return f"Index into single typed key: `{file.code(node.site, 40)}`"
    if isinstance(node, ir.Call):
        return f"Typed key `{key}` used as numeric data in `{file.code(node.func.site, 40)}`"
    return f"Typed key `{key}` used as numeric data: `{file.code(node.site, 40)}`"


def _help(file: File, api: str, key: str) -> str:
    if api == "dtype":
        return "Test for typed keys with `jnp.issubdtype(key.dtype, jax.dtypes.prng_key)`."
    if api == "iteration":
        return f"Split it with `jax.random.split({key})`, or read its numbers with `jax.random.key_data({key})`."
    if api.startswith(("operator", "unary")):
        return f"Fold in a number with `jax.random.fold_in({key}, n)`, or make several keys with `jax.random.split`."
    if api == "jax.random.wrap_key_data":
        return f"Use `{key}` itself, which is wrapped already."
    return f"Read its numbers with `jax.random.key_data({key})`. Make a key of them with `jax.random.wrap_key_data`."


@or_none
def _fix(hazard: TypedKeyMisuse, file: File, node: ir.Node) -> Fix:
    api, draft = str(hazard.api), Draft(file)
    key = file.unit.nodes[hazard.operand]
    one = all(is_typed(value) for value in file.values(key.site))  # not a list of keys, nor now a key and now an array
    if api in _FOLDED and one:
        return _folded(draft, node, key)
    if api == "dtype":
        return _asked(draft, node, key)
    if api == "jax.random.wrap_key_data":
        call = expect(ir.Call, node)
        require(len(call.args) == 1 and not call.keywords)
        draft.replace(node.site, file.code(key.site))
        return draft.fix("Take the key as it is", TYPED_KEY)
    if api == "iteration":
        return _unpacked(draft, hazard)
    require(not api.startswith(("operator", "unary", "jax.Array.at.")))
    require((api == "shape" or one) and file.outer_span(key.site) == file.span(key.site))
    draft.replace(key.site, draft.call("jax.random.key_data", operands.argument(file, key.site)))
    return draft.fix("Take the numbers of the key", TYPED_KEY)


def _unpacked(draft: Draft, hazard: TypedKeyMisuse) -> Fix:
    """`a, b = split(key)` for `a, b = key`."""
    file, statement = draft.file, expect(ir.Assign, draft.file.unit.statement(hazard.site))
    parts = expect(ir.Sequence, only_target(statement)).elements
    require(statement.value.site == hazard.operand and is_plain(parts))
    count = [] if len(parts) == 2 else [str(len(parts))]
    split = draft.call("jax.random.split", operands.argument(file, hazard.operand), *count)
    draft.replace_whole(hazard.operand, split)
    return draft.fix(f"Split the key into {len(parts)}", TYPED_KEY)


def _folded(draft: Draft, node: ir.Node, key: ir.Node) -> Fix:
    """`jax.random.fold_in(key, n)` for a sum with an integer."""
    file, prefix = draft.file, ""
    if isinstance(node, ir.Augment):
        require(isinstance(node.target, ir.Name) and node.target is key)
        other, prefix = node.value, f"{file.code(node.target.site)} = "
    else:
        binary = expect(ir.Binary, node)
        other = binary.right if binary.left is key else binary.left
    require(file.always(other.site, _is_natural))
    given = [operands.argument(file, each.site) for each in (key, other)]
    draft.replace(node.site, prefix + draft.call("jax.random.fold_in", *given))
    return draft.fix("Fold the number into the key", NUMBERS_DRAWN)


def _is_natural(value: object) -> bool:
    """Whether a value is a scalar integer that is not known to be negative."""
    if isinstance(value, Const):
        return isinstance(value.value, int) and value.value >= 0
    if isinstance(value, Array):
        return value.aval.dtype in _INTEGERS and value.aval.shape == ()
    return isinstance(value, Static) and value.type == "int"


def _asked(draft: Draft, node: ir.Node, key: ir.Node) -> Fix:
    """`jnp.issubdtype(key.dtype, jax.dtypes.prng_key)`"""
    file, test = draft.file, expect(ir.Compare, node)
    require(len(test.ops) == 1 and isinstance(file.unit.parent(key.site), ir.Attribute))
    dtype = f"{operands.operand(file, key.site)}.dtype"
    text = draft.call("jax.numpy.issubdtype", dtype, draft.api("jax.dtypes.prng_key"))
    if test.ops[0] == "!=":
        text = f"not {text}"
        above = file.unit.parent(node.site)
        text = f"({text})" if isinstance(above, (ir.Binary, ir.Compare, ir.Attribute, ir.Subscript)) else text
    draft.replace(node.site, text)
    return draft.fix("Ask for a typed key", "what follows has to be written for one", Applicability.DISPLAY)
