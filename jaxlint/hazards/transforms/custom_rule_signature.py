"""A derivative rule of `jax.custom_vjp` or `jax.custom_jvp` is called with, or returns, something else than JAX expects.

## What it does
Reports rules given to `defvjp`, `defjvp` and `defjvps` that take another number of arguments than
JAX passes, or take them in another order (what `nondiff_argnums` names comes first in all but the
forward rule); forward rules and JVP rules that do not return a pair; backward rules that do not
return a tuple with one cotangent for each differentiated argument. A rule that does not read the
cotangent or the tangents it is given is reported, too, unless it returns zeros or names the parameter
with an underscore. Also calls of a function that
never gets a rule, and tracers passed to a `custom_vjp` function where `nondiff_argnums` says that
there are none.

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
value that it has computed. Shown only: None for the gradients that a rule does not return, which counts
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
from jaxlint.rewrite.transforms.derivative_rules import fitting_rule
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX529",
    name="custom-rule-signature",
    summary="A custom derivative rule does not take or return what JAX expects of it.",
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
    fix = fitting_rule(file, hazard, hazard.site)
    if hazard.reason == "arity":
        message = (
            f"JAX calls the {role} of {function} with {_count(len(hazard.given))}, and {rule} takes {len(hazard.names)}"
        )
        advice = f"Let it take `{', '.join(hazard.given)}`."
    elif hazard.reason == "order":
        message = f"JAX calls the {role} of {function} with `{', '.join(hazard.given)}`, and {rule} takes `{', '.join(hazard.names)}`"
        kept = "The forward rule takes its arguments in the order of the function."
        advice = kept if hazard.role == "fwd" else "What is not differentiated comes first."
    elif hazard.reason == "pair" and hazard.role == "gradient":
        message = f"{function} must return a pair under `custom_gradient`, and it returns {hazard.what}"
        advice = "Return the value, and a function that maps its cotangent to those of the arguments."
    elif hazard.reason == "pair":
        message = f"the {role} of {function} must return a pair, and {rule} returns {hazard.what}"
        second = "the residuals for the backward rule" if hazard.role == "fwd" else "its tangent"
        advice = f"Return the value of {function}, and {second}."
    elif hazard.reason == "tuple":
        message = f"the {role} of {function} must return a tuple, and {rule} returns {hazard.what}"
        advice = _cotangents(hazard)
    elif hazard.reason == "length":
        message = f"the {role} of {function} must return a tuple of {hazard.expected}, and {rule} returns {hazard.what}"
        advice = _cotangents(hazard)
    elif hazard.reason == "count":
        message = (
            f"`defjvps` takes a rule for each argument: {function} has {hazard.expected}, and {hazard.what} are given"
        )
        advice = f"Give one each for `{', '.join(hazard.given)}`; None stands for an argument without an effect."
    elif hazard.reason == "half":
        message = f"`defvjp` of {function} is not given a {role}"
        advice = "Reverse mode needs both: `defvjp(fwd, bwd)`."
    elif hazard.reason == "nondiff":
        message = f"`defjvps` does not know arguments that are not differentiated, and {function} has some"
        advice = "Use `defjvp`, with one rule for all arguments."
    elif hazard.reason == "ignored":
        kind = "tangents" if hazard.role == "jvp" else "cotangent"
        message = f"the {role} {rule} of {function} ignores its {kind} `{hazard.what}`"
        advice = f"Multiply by `{hazard.what}`: the chain rule passes on what the {'arguments' if hazard.role == 'jvp' else 'result'} contributed."
    elif hazard.reason == "missing":
        method = "defjvp" if hazard.api == "jax.custom_jvp" else "defvjp"
        message = f"{function} is called, and no `{method}` gives it a rule"
        advice = f"Give it one with `{function.strip('`')}.{method}(…)`, or leave out `{(hazard.api or '').rpartition('.')[2]}`."
    else:
        traced = file.code(hazard.operand, 40)
        message = f"`{traced}` is a tracer, and `nondiff_argnums` says that {function} is called without one as `{hazard.what}`"
        advice = (
            f"Take `{hazard.what}` out of `nondiff_argnums`, and return None for it in the backward rule;"
            " or make it a static argument of what traces it."
        )
        fix = make_static(hazard, file)
    yield Finding(hazard.site, message, advice, fix)


def _count(number: int) -> str:
    return f"{number} argument{'' if number == 1 else 's'}"


def _cotangents(hazard: CustomRuleSignature) -> str:
    if len(hazard.given) == 1:
        return f"Return a tuple of one: the cotangent of `{hazard.given[0]}`."
    return f"Return a cotangent for each of `{', '.join(hazard.given)}`; None stands for zero."
