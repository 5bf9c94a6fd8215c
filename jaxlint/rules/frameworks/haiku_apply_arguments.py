"""`init` or `apply` of a Haiku transform is called with the wrong arguments in front.

## What it does
Reports `model.apply(params, x)` without a key, `model.init(x)`, `model.apply(params, key, x)` after
`hk.without_apply_rng`, and `model.apply(params, key, x)` of `hk.transform_with_state` without the state.

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
Unsafe: None is put in for the key where the function draws none, and a key that is one too many is left out. Where keys
are drawn, one has to be passed by hand.

## References
- Haiku documentation, "hk.transform" (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.transform)
- Haiku documentation, "hk.without_apply_rng"
  (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.without_apply_rng)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Edit, Fix
from jaxlint.rewrite.operands import argument
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.haiku import HaikuCall
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX606",
    name="haiku-apply-arguments",
    summary="`init` or `apply` of a Haiku transform lacks its key or state, or is given a key that it does not take.",
    category=Category.FAILS,
    kinds=(Kind.HAIKU_ARGUMENTS,),
    error="ValueError",
    fixable="unsafe",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    wrong: HaikuCall = demand.detail
    operand, method = file.code(demand.operand, 40), demand.parameter
    takes = f"`{method}({', '.join(wrong.takes)})`"
    if wrong.how == "a key":
        message = f"`{method}` takes no key after `hk.without_apply_rng`, and `{operand}` is one argument too many"
        advice = f"The signature is {takes}: leave `{operand}` out."
    elif wrong.how == "no state":
        message = f"`{operand}` stands in the place of the state"
        advice = f"`hk.transform_with_state` gives {takes}: pass the state that `init` returned."
    else:
        message = f"`{operand}` stands in the place of the key"
        key = "a key" if wrong.draws or method == "init" else "a key, or None where none is drawn"
        advice = f"The signature is {takes}: pass {key}."
    yield Finding(demand.site, message, advice, _fix(demand, wrong, file))


def _fix(demand: Demand, wrong: HaikuCall, file: File) -> Optional[Fix]:
    call = file.unit.nodes[demand.site]
    if type(call) is not ir.Call or not any(arg.site == demand.operand for arg in call.args):
        return None
    position = next(number for number, arg in enumerate(call.args) if arg.site == demand.operand)
    start, end = file.outer_span(demand.operand)
    if wrong.how == "a key":
        before = file.outer_span(call.args[position - 1].site)[1]
        if file.has_comment(before, end):
            return None
        edit = Edit(before, end, "")
        return Fix(f"Leave `{argument(file, demand.operand)}` out", (edit,), Applicability.UNSAFE)
    if wrong.how == "no key" and wrong.certain and not wrong.draws and demand.parameter == "apply":
        return Fix("Pass None for the key", (file.insert(start, "None, "),), Applicability.UNSAFE)
    return None
