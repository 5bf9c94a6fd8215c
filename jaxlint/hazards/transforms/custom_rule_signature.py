"""Wrong signature or result of a custom derivative rule.

## What it does
Reports rules given to `defvjp`, `defjvp` and `defjvps` that take another number of arguments than
JAX passes, or take them in another order (what `nondiff_argnums` names comes first in all but the
forward rule); forward rules and JVP rules that do not return a pair; backward rules that do not
return a tuple with one cotangent for each differentiated argument; cotangents of another shape than the argument, and
tangents of another shape than the value. A rule that does not read the
cotangent or the tangents it is given is reported, too, unless it returns zeros or names the parameter
with an underscore. Also calls of a function that
never gets a rule, and tracers passed to a `custom_vjp` function where `nondiff_argnums` says that
there are none; to a `custom_jvp` function, in code that is staged and then differentiated.

## Why is this bad
JAX calls a rule only when it differentiates the function: until then everything works, and then a
`TypeError` names the structure of trees rather than the line that is wrong. Rules that take their
arguments in another order, or ignore the cotangent, may work and give wrong gradients. A function without a rule raises an
`AttributeError` at its first call, and a tracer among the `nondiff_argnums` an `UnexpectedTracerError`.

## Example
```python
@jax.custom_vjp
def scaled(x, factor):
    return x * factor


def scaled_fwd(x, factor):
    return x * factor, factor


def scaled_bwd(factor, g):
    return g * factor


scaled.defvjp(scaled_fwd, scaled_bwd)
```

## Use instead
```python
def scaled_bwd(factor, g):
    return g * factor, None
```

## When to ignore
Never: the call, or its gradient, fails. A rule whose parameters merely bear the names of others can
rename them.

## Fix safety
Unsafe: parameters are put in the order in which JAX passes them, and those it passes too are taken; one cotangent is
returned in a tuple; a forward rule returns what its backward rule calls by the same name, a JVP rule the
value that it has computed, and the gradient of a parameter that the function does not read is None. Shown only: None for the gradients that a rule does not return, which counts
as zero, and the function without its decorator, where no rule is there. A tracer among
`nondiff_argnums` is made a static argument of `jax.jit`, as in JAX108.

## References
- JAX documentation, "Custom derivative rules for JAX-transformable Python functions":
  https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html
- JAX documentation, `jax.custom_vjp.defvjp`: https://docs.jax.dev/en/latest/_autosummary/jax.custom_vjp.defvjp.html
- JAX documentation, `jax.custom_jvp.defjvp`: https://docs.jax.dev/en/latest/_autosummary/jax.custom_jvp.defjvp.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.custom_rules import CustomRuleSignature
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.static_args.static_argument import make_static
from jaxlint.rewrite.transforms.derivatives import fitting_rule
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX529",
    category=Category.FAILS,
    hazards=(CustomRuleSignature,),
    error="TypeError",
    fixable="unsafe",
)

_ROLES = {"fwd": "forward rule", "bwd": "backward rule", "jvp": "JVP rule"}


def check(hazard: CustomRuleSignature, file: File) -> Iterator[Finding]:
    function = function_name(hazard.function)
    rule = function_name(hazard.rule) if hazard.rule is not None else ""
    role = _ROLES.get(hazard.role, "")
    named = f"{role[:1].upper()}{role[1:]}{f' {rule}' if rule.startswith('`') else ''} of {function}"
    fix = fitting_rule(file, hazard, hazard.site)
    if hazard.reason == "arity":
        message = f"{named} takes {_count(len(hazard.names))}, expected {len(hazard.given)}"
        advice = f"Change it to take `{', '.join(hazard.given)}`."
    elif hazard.reason == "order":
        message = f"{named} takes `{', '.join(hazard.names)}`, expected `{', '.join(hazard.given)}`"
        kept = "Take the arguments in the order of the function."
        advice = kept if hazard.role == "fwd" else "Take the non-differentiable arguments first."
    elif hazard.reason == "pair" and hazard.role == "gradient":
        message = f"`custom_gradient` function returns {hazard.what}, not a pair"
        advice = "Return the value, and a function from its cotangent to those of the arguments."
    elif hazard.reason == "pair":
        message = f"{named} returns {hazard.what}, not a pair"
        second = "the residuals for the backward rule" if hazard.role == "fwd" else "its tangent"
        advice = f"Return the value of {function} and {second}."
    elif hazard.reason == "tuple":
        message = f"{named} returns {hazard.what}, not a tuple"
        advice = _cotangents(hazard)
    elif hazard.reason == "length":
        message = f"{named} returns {hazard.what}, expected {hazard.expected}"
        advice = _cotangents(hazard)
    elif hazard.reason == "count":
        rules = f"{hazard.what} rule{'' if hazard.what == '1' else 's'}"
        message = f"`defjvps` of {function} gets {rules} for {_count(hazard.expected)}"
        advice = f"Pass one rule each for `{', '.join(hazard.given)}`, or None for a zero tangent."
    elif hazard.reason == "half":
        message = f"`defvjp` of {function} without a {role}"
        advice = "Pass both rules: `defvjp(fwd, bwd)`."
    elif hazard.reason == "nondiff":
        message = f"`defjvps` of {function}, which has non-differentiable arguments"
        advice = "Use `defjvp`, with one rule for all arguments."
    elif hazard.reason == "ignored":
        kind = "tangents" if hazard.role == "jvp" else "cotangent"
        message = f"{named} ignores its {kind} `{hazard.what}`"
        advice = f"Multiply by `{hazard.what}`, as the chain rule requires."
    elif hazard.reason == "staged":
        message = (
            f"Array passed as non-differentiable argument `{hazard.what}` of {function} in code that is differentiated"
        )
        advice = f"Remove `{hazard.what}` from `nondiff_argnums`, and take it from `primals` in the rule."
    elif hazard.reason == "shape":
        kind, of = ("tangent", "of the value") if hazard.role == "jvp" else ("cotangent", f"of `{hazard.names[0]}`")
        message = f"{named} returns a {kind} of shape {hazard.what}"
        advice = f"Return a {kind} of the shape {of}."
        if hazard.role == "bwd":
            advice += " Sum over the axes along which the value was broadcast."
    elif hazard.reason == "missing":
        method = "defjvp" if hazard.api == "jax.custom_jvp" else "defvjp"
        message = f"Missing derivative rule: {function} has no `{method}`"
        advice = f"Define a rule with `{function.strip('`')}.{method}(…)`, or remove `{(hazard.api or '').rpartition('.')[2]}`."
    else:
        traced = file.code(hazard.operand, 40)
        message = f"Traced value `{traced}` passed as non-differentiable argument `{hazard.what}` of {function}"
        advice = (
            f"Remove `{hazard.what}` from `nondiff_argnums`, and return None for it in the backward rule."
            " Or make it a static argument of the traced function."
        )
        fix = make_static(hazard, file)
    yield Finding(hazard.site, message, advice, fix)


def _count(number: int) -> str:
    return f"{number} argument{'' if number == 1 else 's'}"


def _cotangents(hazard: CustomRuleSignature) -> str:
    if len(hazard.given) == 1:
        return f"Return a tuple of one cotangent, of `{hazard.given[0]}`."
    return f"Return a cotangent for each of `{', '.join(hazard.given)}`, or None for zero."
