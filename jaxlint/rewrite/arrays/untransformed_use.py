"""Whether code can be run without the transform that makes a value traced."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File

# Transforms whose arguments are tracers under `jax.disable_jit` too.
_ALWAYS = frozenset(
    "jax.vmap jax.pmap jax.checkpoint jax.eval_shape jax.make_jaxpr jax.grad jax.value_and_grad jax.hessian"
    " jax.jacfwd jax.jacrev jax.linear_transpose".split()
)


def runs_only_traced(hazard: Hazard, file: File) -> bool:
    """Whether the value comes from a parameter that is a tracer each time its function is called.

    So it is where the function has no name but that of its transformed self: it is decorated with
    the transform, or a lambda that is handed to it.
    """
    function = file.unit.scope(hazard.site)
    if not isinstance(function, ir.Function) or function.is_generator or function.is_async:
        return False
    step = hazard.origin
    while step is not None and step.site not in {parameter.site for parameter in function.parameters}:
        step = step.parent
    if step is None or step.parent is None or step.parent.transform not in _ALWAYS:
        return False
    parameter = file.unit.nodes[step.site]
    if parameter.default is not None:
        return False
    made = step.parent.site
    if any(decorator.site == made for decorator in function.decorators):
        return True
    holder = file.unit.parent(function.site)
    call = file.unit.parent(holder.site) if isinstance(holder, ir.Lambda) else None
    return isinstance(call, ir.Call) and call.site == made and holder in call.args
