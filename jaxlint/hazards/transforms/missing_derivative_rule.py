"""Derivative that JAX does not have.

## What it does
Reports functions of JAX that are given what is differentiated and have no rule for it: `jnp.linalg.svd` with full matrices, which
are the default, of a matrix that is not square; `jnp.linalg.eig`; `sqrtm`, `schur`, `hessenberg` and others of
`jax.scipy.linalg`; `jnp.nextafter`; `x.at[i].multiply(y)` by `y`. In reverse mode also those in which a loop runs until it has converged, such as
`eigh_tridiagonal` and `polar`. Forward mode (`jax.jvp`, `jax.jacfwd`, `jax.linearize`, `jax.hessian`) of a function that has a
`jax.custom_vjp`, whose rule is one for reverse mode.

## Why is this bad
JAX raises a `NotImplementedError`, a `ValueError` for a loop, or a `TypeError` for a `jax.custom_vjp`, when the derivative is taken.
The function itself works.

## Example
```python
def loss(data):
    u, s, vt = jnp.linalg.svd(data)
    return jnp.sum(u[:, :2] ** 4)


jax.grad(loss)(jnp.ones((5, 3)))
```

## Use instead
```python
def loss(data):
    u, s, vt = jnp.linalg.svd(data, full_matrices=False)
    return jnp.sum(u[:, :2] ** 4)


jax.grad(loss)(jnp.ones((5, 3)))
```

## When to ignore
Never: the derivative fails. Of a matrix whose shape is not known, `svd` is reported where only the first columns are used; it has
a derivative if the matrix is square.

## Fix safety
Unsafe: the thin factors have other shapes. There is no fix for the others: `jnp.linalg.eigh` is for symmetric matrices, and a
function with a `jax.custom_vjp` needs a `jax.custom_jvp` in its place, from which JAX derives reverse mode as well.

## References
- JAX documentation, `jax.numpy.linalg.svd`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.svd.html
- JAX documentation, "Custom derivative rules": https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.missing_derivatives import MissingDerivative
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.requirements import expect, is_plain, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX539",
    category=Category.FAILS,
    hazards=(MissingDerivative,),
    error="NotImplementedError",
    fixable="unsafe",
)


def check(hazard: MissingDerivative, file: File) -> Iterator[Finding]:
    by, name = hazard.transform.removeprefix("jax."), (hazard.api or "").rpartition(".")[2]
    of = function_name(hazard.function)
    fix: Fix | None = None
    if hazard.reason in ("vjp", "rules"):
        message = f"`{by}` goes forward through {of}, which has a `{name}` alone"
        advice = "Give it a `jax.custom_jvp`, from which JAX derives reverse mode too, or take the derivative by `jax.jacrev`."
        if hazard.reason == "rules":
            advice = "Give it a `jax.custom_jvp`, or let its rules call a function that has none."
    elif hazard.reason in ("full", "presumed"):
        message = "No derivative of `svd` with full matrices, unless the matrix is square"
        if hazard.reason == "full":
            message = "No derivative of `svd` with full matrices for a matrix that is not square"
        advice = "Pass `full_matrices=False`."
        fix = _thin(hazard, file)
    elif hazard.reason == "vectors":
        message = "No derivative of eigenvectors by `eig`"
        advice = "Use `jnp.linalg.eigh` for a symmetric matrix, or `jnp.linalg.eigvals` for the eigenvalues alone."
    elif hazard.reason == "loop":
        message = f"Reverse-mode `{by}` through the loop in `{name}`"
        advice = "Use `jax.jacfwd`, which goes forwards, or a function without a loop."
    elif hazard.reason == "factor":
        message = f"No derivative of `at[…].{name}` by its factors"
        advice = "Pass `unique_indices=True` where no index comes twice, or multiply by an array of factors."
    else:
        shown = f"at[…].{name}" if (hazard.api or "").startswith("at.") else name
        message = f"No derivative of `{shown}`"
        advice = "Use `jax.lax.stop_gradient` on what it is given, or give the function around it a `jax.custom_jvp`."
        if hazard.reason == "raw":
            message = "No derivative of `qr` in raw form"
            advice = 'Use `mode="reduced"`.'
    yield Finding(hazard.site, message, advice, fix, also=((f"`{by}` differentiates here", hazard.operand),))


@or_none
def _thin(hazard: MissingDerivative, file: File) -> Fix:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(call.args and is_plain(call.args))
    option = value_of(call, "full_matrices", 1)
    if option is not None:
        draft.replace(option.site, "False")
    else:
        draft.append_argument(call, "full_matrices=False")
    return draft.fix("Compute the thin factors", "the factors have other shapes")
