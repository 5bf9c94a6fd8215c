"""Dtypes that an operation does not take.

## What it does
Reports operands whose dtypes are known and that an operation refuses: floating-point numbers given to `&`, `|`, `^`, `~` and
shifts, integers given to functions that take floating-point numbers alone (`jax.random.bernoulli`, `lax.exp`), and arrays of
unlike dtypes given to functions of `jax.lax` that promote nothing: `lax.select`, `lax.add`, `lax.dynamic_update_slice`,
`lax.conv_general_dilated` and their kin.

## Why is this bad
JAX raises `TypeError` or `ValueError` when it traces the call.

## Example
```python
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def step(done, old, fresh):
    score = lax.select(done, jnp.zeros((), jnp.int32), jnp.float32(1.0))
    return score
```

## Use instead
```python
import jax
import jax.numpy as jnp


@jax.jit
def step(done, old, fresh):
    score = jnp.where(done, jnp.zeros((), jnp.int32), jnp.float32(1.0))
    return score
```

## When to ignore
Where the error is meant.

## Fix safety
Unsafe: the function of `jax.numpy` promotes its operands, so the result may have another dtype than one of them.

## References
- JAX documentation, "Type promotion semantics": https://docs.jax.dev/en/latest/type_promotion.html
- JAX documentation, `jax.lax.select`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.select.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.checkers.dtype_agreement import DtypeMismatch
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.dtypes import dtypes, kind
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import known, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX218",
    category=Category.FAILS,
    hazards=(DtypeMismatch,),
    error="TypeError",
    fixable="safe",
)

# Functions that JAX names as similar, and that take their arguments in another order or give other results.
_UNLIKE = frozenset({"jax.lax.rem", "jax.lax.select_n"})
_OF_MASKS = frozenset("&|^~")
_PROMOTED = "the operands are promoted to one dtype"


def check(hazard: DtypeMismatch, file: File) -> Iterator[Finding]:
    operand, api = file.code(hazard.operand, 40), hazard.api or ""
    short = api.removeprefix("operator ").replace("jax.numpy.", "jnp.").replace("jax.lax.", "lax.")
    if hazard.is_alike:
        fix = _literals(hazard, file) or _promoting(hazard, file) or _cast(hazard, file)
        expected = hazard.expected[0]
        message = f"Incompatible dtypes in `{short}`: {expected} and {hazard.dtype}"
        advice = f"`{short}` promotes nothing. Give all its operands one dtype."
    else:
        fix = _of_numpy(hazard, file)
        expected = _listed(hazard.expected)
        what = "Operand" if api.startswith("operator ") else "Argument"
        message = f"{what} `{operand}` of `{short}` has dtype {hazard.dtype}, expected {expected}"
        advice = f"Convert it with `.astype`, or compute it as {expected}."
        if short in _OF_MASKS:
            advice = f"Compare it where it is a mask: `{operand} > 0`."
    yield Finding(hazard.site, message, f"{fix.title}." if fix is not None else advice, fix)


def _listed(kinds: tuple[str, ...]) -> str:
    """Kinds of dtypes in words; unsigned integers go with the signed ones."""
    shown = [each for each in kinds if each != "uint" or "int" not in kinds]
    return " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def _call(hazard: DtypeMismatch, file: File) -> ir.Call | None:
    call = file.unit.nodes[hazard.site]
    return call if isinstance(call, ir.Call) and not any(isinstance(each, ir.Starred) for each in call.args) else None


@or_none
def _literals(hazard: DtypeMismatch, file: File) -> Fix:
    """Integers that are written out beside arrays of float32, written as floats."""
    call, draft = known(_call(hazard, file)), Draft(file)
    facts, wanted = known(knowledge.facts(hazard.api or "")), known(dtypes(hazard.api or ""))
    require(hazard.expected == ("float32",))
    members = {each for group in wanted.alike if hazard.parameter in group for each in group}
    named = [(each.value, each.name) for each in call.keywords]
    named += [(node, each.name) for node, each in zip(call.args, facts.parameters)]
    whole = [node for node, name in named if name in members and _is_whole(node) and _is_decimal(file.code(node.site))]
    require(hazard.operand in [node.site for node in whole])
    texts = [f"{file.code(node.site)}.0" for node in whole]
    for node, text in zip(whole, texts):
        draft.replace(node.site, text)
    return draft.fix(f"Write {' and '.join(f'`{each}`' for each in texts)}", level=Applicability.SAFE)


def _is_whole(node: ir.Node) -> bool:
    """Whether an integer is written out."""
    if isinstance(node, ir.Unary) and node.op == "-":
        node = node.operand
    return isinstance(node, ir.Constant) and type(node.value) is int


def _is_decimal(code: str) -> bool:
    """Whether a point behind a number makes it a float, as behind `10` and not behind `0x10`."""
    return code.lstrip("+-").replace("_", "").isdigit()


@or_none
def _promoting(hazard: DtypeMismatch, file: File) -> Fix:
    """The function that promotes its operands."""
    call, wanted, draft = known(_call(hazard, file)), known(dtypes(hazard.api or "")), Draft(file)
    require(not call.keywords)
    if hazard.api == "jax.lax.clamp" and len(call.args) == 3:
        low, x, high = (operands.argument(file, each.site) for each in call.args)
        draft.replace(call.site, draft.call("jax.numpy.clip", x, low, high))
        return draft.fix(f"Use `{draft.api('jax.numpy.clip')}`", _PROMOTED)
    require(hazard.api not in _UNLIKE)
    return using(file, call.func.site, known(wanted.instead), _PROMOTED)


@or_none
def _cast(hazard: DtypeMismatch, file: File) -> Fix:
    """An update cast to the dtype of the array that it is written into."""
    call = known(_call(hazard, file))
    require(hazard.parameter in ("update", "updates") and call.args)
    array, update = call.args[0], file.unit.nodes[hazard.operand]
    require(operands.is_path(array) and not isinstance(update, ir.Constant))
    text = f"{operands.operand(file, update.site)}.astype({file.code(array.site)}.dtype)"
    return Fix(f"Cast it with `{text}`", (file.replace(update.site, text),), changes="the update is cast")


@or_none
def _of_numpy(hazard: DtypeMismatch, file: File) -> Fix:
    """The function of `jax.numpy` of the same name, where it takes the dtype."""
    api, call = hazard.api or "", known(_call(hazard, file))
    name = api.replace("jax.lax.", "jax.numpy.")
    require(not call.keywords and name != api and knowledge.kind(name) == "function")
    wanted = dtypes(name)
    require(wanted is None or not any(kind(hazard.dtype) in kinds for kinds in wanted.refuses.values()))
    return using(file, call.func.site, name, _PROMOTED)
