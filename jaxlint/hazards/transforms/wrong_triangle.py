"""Triangular solve that reads the triangle of a factor in which there are zeros.

## What it does
Reports `solve_triangular`, `triangular_solve` and `cho_solve` with a factor whose other triangle holds the numbers: a lower factor
(`jnp.linalg.cholesky(a)`, `jax.scipy.linalg.cholesky(a, lower=True)`, `jnp.tril(a)`, the transpose of an upper one) without
`lower=True`, and an upper one (`jax.scipy.linalg.cholesky(a)`, `jnp.linalg.cholesky(a).T`, R of `jnp.linalg.qr(a)`) with it.

## Why is this bad
The solver reads one triangle, and takes the other one for zeros. In the wrong one there are zeros but for the diagonal, so that
the right side is divided by the diagonal. Nothing fails, and the result is wrong. The defaults differ: `jnp.linalg.cholesky` gives
the lower factor, `jax.scipy.linalg.cholesky` and `cho_factor` the upper one, and `solve_triangular` reads the upper triangle.

## Example
```python
factor = jnp.linalg.cholesky(kernel)
white = jax.scipy.linalg.solve_triangular(factor, y)
```

## Use instead
```python
factor = jnp.linalg.cholesky(kernel)
white = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
```

## When to ignore
Where the diagonal alone is meant; `y / jnp.diag(factor)` says so.

## Fix safety
Unsafe: the result is another one.

## References
- JAX documentation, `jax.scipy.linalg.solve_triangular`:
  https://docs.jax.dev/en/latest/_autosummary/jax.scipy.linalg.solve_triangular.html
- JAX documentation, `jax.numpy.linalg.cholesky`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.cholesky.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.triangular_factors import WrongTriangle
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX538",
    category=Category.WRONG,
    hazards=(WrongTriangle,),
    fixable="unsafe",
)

_OTHER = {"lower": "upper", "upper": "lower"}


def check(hazard: WrongTriangle, file: File) -> Iterator[Finding]:
    triangle, factor = hazard.triangle, file.code(hazard.operand, 30)
    function = (hazard.api or "").rpartition(".")[2]
    meant = "True" if triangle == "lower" else "False"
    advice = f"Pass `lower={meant}`."
    if function == "cho_solve":
        advice = f"Pass the pair `({factor}, {meant})`."
    yield Finding(
        hazard.site,
        f"`{function}` reads the {_OTHER[triangle]} triangle of the {triangle} factor `{factor}`",
        advice,
        _fix(hazard, file, meant),
        also=((f"the {triangle} factor is computed here", hazard.made),) if hazard.made >= 0 else (),
    )


@or_none
def _fix(hazard: WrongTriangle, file: File, meant: str) -> Fix:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    if hazard.flag >= 0:
        draft.replace(expect(ir.Constant, file.unit.nodes[hazard.flag]).site, meant)
    else:
        draft.append_argument(call, f"lower={meant}")
    return draft.fix(f"Pass `lower={meant}`", "the result is another one")
