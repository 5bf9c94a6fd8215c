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
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import NUMBERS_DRAWN, TYPED_KEY
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX408",
    name="typed-key-misuse",
    summary="Typed key used as numeric data.",
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


def _fix(hazard: TypedKeyMisuse, file: File, node: ir.Node) -> Fix | None:
    api = str(hazard.api)
    key = file.unit.nodes[hazard.operand]
    one = all(is_typed(value) for value in file.values(key.site))  # not a list of keys, nor now a key and now an array
    if api in _FOLDED and one:
        return _folded(file, node, key)
    if api == "dtype":
        return _asked(file, node, key)
    if api == "jax.random.wrap_key_data":
        alone = isinstance(node, ir.Call) and len(node.args) == 1 and not node.keywords
        edit = file.replace(node.site, file.code(key.site))
        return Fix("Take the key as it is", (edit,), changes=TYPED_KEY) if alone else None
    if api == "iteration":
        return _unpacked(file, hazard)
    if api.startswith(("operator", "unary", "jax.Array.at.")):
        return None
    if api != "shape" and not one:
        return None
    spelled, imports = file.api("jax.random.key_data")
    start, end = file.outer_span(key.site)
    text = f"{spelled}({operands.argument(file, key.site)})"
    whole = file.replace(key.site, text) if (start, end) == file.span(key.site) else None
    return None if whole is None else Fix("Take the numbers of the key", (whole,), imports=imports, changes=TYPED_KEY)


def _unpacked(file: File, hazard: TypedKeyMisuse) -> Fix | None:
    """`a, b = split(key)` for `a, b = key`."""
    statement = file.unit.statement(hazard.site)
    if not isinstance(statement, ir.Assign) or len(statement.targets) != 1 or statement.value.site != hazard.operand:
        return None
    target = statement.targets[0]
    if type(target) is not ir.Sequence or any(type(element) is ir.Starred for element in target.elements):
        return None
    split, imports = file.api("jax.random.split")
    count = "" if len(target.elements) == 2 else f", {len(target.elements)}"
    edit = Edit(*file.outer_span(hazard.operand), f"{split}({operands.argument(file, hazard.operand)}{count})")
    return Fix(f"Split the key into {len(target.elements)}", (edit,), imports=imports, changes=TYPED_KEY)


def _folded(file: File, node: ir.Node, key: ir.Node) -> Fix | None:
    """`jax.random.fold_in(key, n)` for a sum with an integer."""
    if isinstance(node, ir.Augment):
        other = node.value
        prefix = (
            f"{file.code(node.target.site)} = " if isinstance(node.target, ir.Name) and node.target is key else None
        )
    elif isinstance(node, ir.Binary):
        other, prefix = (node.right if node.left is key else node.left), ""
    else:
        return None
    values = file.values(other.site)
    if prefix is None or not values or not all(map(_is_natural, values)):
        return None
    spelled, imports = file.api("jax.random.fold_in")
    text = f"{prefix}{spelled}({operands.argument(file, key.site)}, {operands.argument(file, other.site)})"
    edit = file.replace(node.site, text)
    return Fix("Fold the number into the key", (edit,), imports=imports, changes=NUMBERS_DRAWN)


def _is_natural(value: object) -> bool:
    """Whether a value is a scalar integer that is not known to be negative."""
    if isinstance(value, Const):
        return isinstance(value.value, int) and value.value >= 0
    if isinstance(value, Array):
        return value.aval.dtype in _INTEGERS and value.aval.shape == ()
    return isinstance(value, Static) and value.type == "int"


def _asked(file: File, node: ir.Node, key: ir.Node) -> Fix | None:
    """`jnp.issubdtype(key.dtype, jax.dtypes.prng_key)`"""
    if (
        not isinstance(node, ir.Compare)
        or len(node.ops) != 1
        or not isinstance(file.unit.parent(key.site), ir.Attribute)
    ):
        return None
    issubdtype, imports = file.api("jax.numpy.issubdtype")
    prng_key, more = file.api("jax.dtypes.prng_key")
    text = f"{issubdtype}({operands.operand(file, key.site)}.dtype, {prng_key})"
    if node.ops[0] == "!=":
        text = f"not {text}"
        above = file.unit.parent(node.site)
        text = f"({text})" if isinstance(above, (ir.Binary, ir.Compare, ir.Attribute, ir.Subscript)) else text
    edit, changes = file.replace(node.site, text), "what follows has to be written for one"
    return Fix("Ask for a typed key", (edit,), Applicability.DISPLAY, imports | more, changes)
