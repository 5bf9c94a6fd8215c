"""Missing key or state, or extra key, in `init` or `apply` of a Haiku transform.

## What it does
Reports `model.apply(params, x)` without a key, `model.init(x)`, `model.apply(params, key, x)` after
`hk.without_apply_rng`, and `model.apply(params, key, x)` of `hk.transform_with_state` without the state. Also
`model.apply(params, None, x)`, and `apply` after `hk.without_apply_rng`, of a function that certainly asks for a key with
`hk.next_rng_key`.

## Why is this bad
`hk.transform` puts parameters, state and key in front of the function's own arguments. What is missing there is taken
from what follows: the data stand in the place of the key, and Haiku raises `ValueError` or Python `TypeError`.

## Example
```python
model = hk.transform(net)
params = model.init(key, x)
y = model.apply(params, x)
```

## Use instead
```python
y = model.apply(params, None, x)
```

Or, where no keys are drawn, `model = hk.without_apply_rng(hk.transform(net))`, and `model.apply(params, x)`.

## When to ignore
Where the call is meant to raise.

## Fix safety
Unsafe: None is put in for the key where the function draws none, a key that is one too many is left out, and the state that
`init` gave is put in. A key that the functions around hold and never read is passed. Where there is none and keys are drawn
a key of seed 0 is shown, which draws the same numbers in each call.

## References
- Haiku documentation, "hk.transform" (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.transform)
- Haiku documentation, "hk.without_apply_rng"
  (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.without_apply_rng)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.haiku import HaikuApplyArguments
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by
from jaxlint.rewrite.changes import GUESSED, new_each_time
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX606",
    name="haiku-apply-arguments",
    summary="Missing key or state, or extra key, in `init` or `apply` of a Haiku transform.",
    category=Category.FAILS,
    hazards=(HaikuApplyArguments,),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: HaikuApplyArguments, file: File) -> Iterator[Finding]:
    operand, method = file.code(hazard.operand, 40), hazard.parameter
    takes = f"`{method}({', '.join(hazard.takes)})`"
    if hazard.how == "a key":
        message = f"Extra key `{operand}` passed to `{method}` after `hk.without_apply_rng`"
        advice = f"Remove `{operand}`; the signature is {takes}."
    elif hazard.how == "no state":
        message = f"`{operand}` passed in place of the state"
        advice = f"Pass the state from `init`; the signature is {takes}."
    elif hazard.how == "none drawn":
        message = f"`{operand}` passed as key of `{method}`, but `{file.code(hazard.drawn, 40)}` draws one"
        advice = f"Pass a key; the signature is {takes}."
    elif hazard.how == "drawn without":
        message = f"`{file.code(hazard.drawn, 40)}` without a key, because of `hk.without_apply_rng`"
        advice = "Remove `hk.without_apply_rng`, and pass a key after the parameters."
    else:
        message = f"`{operand}` passed in place of the key"
        key = "a key" if hazard.draws or method == "init" else "a key, or None if no key is drawn"
        advice = f"Pass {key}; the signature is {takes}."
    also = ((f"`{file.code(hazard.drawn, 40)}` draws a key", hazard.drawn),) if hazard.drawn >= 0 else ()
    yield Finding(hazard.site, message, advice, _fix(hazard, file), also)


_SAME_NUMBERS = "this one draws the same numbers each time"


def _fix(hazard: HaikuApplyArguments, file: File) -> Fix | None:
    call = file.unit.nodes[hazard.site]
    if hazard.how == "none drawn":
        if type(file.unit.nodes[hazard.operand]) is not ir.Constant:
            return None
        if hazard.ready:
            return Fix(
                f"Pass `{hazard.ready}`",
                (file.replace(hazard.operand, hazard.ready),),
                changes=new_each_time(hazard.ready),
            )
        key, imports = file.api("jax.random.key")
        edit = file.replace(hazard.operand, f"{key}(0)")
        return Fix("Pass a key", (edit,), Applicability.DISPLAY, imports, _SAME_NUMBERS)
    if type(call) is not ir.Call or not any(arg.site == hazard.operand for arg in call.args):
        return None
    position = next(number for number, arg in enumerate(call.args) if arg.site == hazard.operand)
    start, end = file.outer_span(hazard.operand)
    if hazard.how == "a key":
        before = file.outer_span(call.args[position - 1].site)[1]
        edit = Edit(before, end, "")
        return Fix(f"Leave `{argument(file, hazard.operand)}` out", (edit,), changes=GUESSED)
    if hazard.how == "no state":
        state = _state(file, call)
        edit = file.insert(start, f"{state}, ")
        return Fix("Pass the state", (edit,), changes=f"right where `{state}` is of this model") if state else None
    if hazard.draws or hazard.parameter == "init":
        key, imports = file.api("jax.random.key")
        edit = file.insert(start, f"{key}(0), ")
        return Fix("Pass a key", (edit,), Applicability.DISPLAY, imports, _SAME_NUMBERS)
    return Fix("Pass None for the key", (file.insert(start, "None, "),), changes="right where nothing is drawn")


def _state(file: File, call: ir.Call) -> str | None:
    """The name that is bound to the state, where the parameters passed come of `params, state = model.init(…)` above."""
    params, statement = call.args[0], file.unit.statement(call.site)
    block = list(getattr(file.unit.parent(statement.site), "body", ()))
    if type(params) is not ir.Name or statement not in block:
        return None
    before = block[: block.index(statement)]
    made = next(
        (each for each in reversed(before) if any(params.id in bound_by(node) for node in ir.walk([each]))), None
    )
    if not isinstance(made, ir.Assign) or len(made.targets) != 1 or type(made.targets[0]) is not ir.Sequence:
        return None
    names = [each.id if type(each) is ir.Name else "" for each in made.targets[0].elements]
    if len(names) != 2 or names[0] != params.id or names[1] in ("", "_"):
        return None
    later = before[before.index(made) + 1 :]
    return None if any(names[1] in bound_by(node) for node in ir.walk(later)) else names[1]
