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
from jaxlint.ir.bindings import bound_by, only_target
from jaxlint.rewrite.changes import GUESSED, new_each_time
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import expect, known, or_none, pair_of, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX606",
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


@or_none
def _fix(hazard: HaikuApplyArguments, file: File) -> Fix:
    call, draft = file.unit.nodes[hazard.site], Draft(file)
    if hazard.how == "none drawn":
        require(type(file.unit.nodes[hazard.operand]) is ir.Constant)
        if hazard.ready:
            draft.replace(hazard.operand, hazard.ready)
            return draft.fix(f"Pass `{hazard.ready}`", new_each_time(hazard.ready))
        draft.replace(hazard.operand, draft.call("jax.random.key", "0"))
        return draft.fix("Pass a key", _SAME_NUMBERS, Applicability.DISPLAY)
    given = expect(ir.Call, call).args
    position = known(next((number for number, each in enumerate(given) if each.site == hazard.operand), None))
    start, end = file.outer_span(hazard.operand)
    if hazard.how == "a key":
        draft.edits.append(Edit(file.outer_span(given[position - 1].site)[1], end, ""))
        return draft.fix(f"Leave `{argument(file, hazard.operand)}` out", GUESSED)
    if hazard.how == "no state":
        state = known(_state(file, call))
        draft.insert(start, f"{state}, ")
        return draft.fix("Pass the state", f"right where `{state}` is of this model")
    if hazard.draws or hazard.parameter == "init":
        draft.insert(start, f"{draft.call('jax.random.key', '0')}, ")
        return draft.fix("Pass a key", _SAME_NUMBERS, Applicability.DISPLAY)
    draft.insert(start, "None, ")
    return draft.fix("Pass None for the key", "right where nothing is drawn")


@or_none
def _state(file: File, call: ir.Call) -> str:
    """The name that is bound to the state, where the parameters passed come of `params, state = model.init(…)` above."""
    params, statement = expect(ir.Name, call.args[0]), file.unit.statement(call.site)
    block = list(getattr(file.unit.parent(statement.site), "body", ()))
    require(statement in block)
    before = block[: block.index(statement)]
    made = next(
        (each for each in reversed(before) if any(params.id in bound_by(node) for node in ir.walk([each]))), None
    )
    first, second = (each.id if type(each) is ir.Name else "" for each in pair_of(only_target(made)))
    require(first == params.id and second not in ("", "_"))
    later = before[before.index(made) + 1 :]
    require(not any(second in bound_by(node) for node in ir.walk(later)))
    return second
