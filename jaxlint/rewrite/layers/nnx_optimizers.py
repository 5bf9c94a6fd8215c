"""What calls of optimizers of NNX have had to say since optimizers do not hold the model any more."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_to, only_target, resolved
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, is_path
from jaxlint.rewrite.requirements import expect, only, or_none, require
from jaxlint.source.diagnostic import Fix

_GRADIENTS = {"flax.nnx.grad": 0, "flax.nnx.value_and_grad": 1}  # and where the gradient is in a pair


@or_none
def parameters_named(file: File, call: ir.Call) -> Fix:
    """`nnx.Optimizer(model, tx, wrt=nnx.Param)`: what it updated where nothing was said."""
    require(len(call.args) == 2 and not call.keywords)
    draft = Draft(file)
    param = draft.api("flax.nnx.Param")
    draft.insert(file.outer_span(call.args[1].site)[1], f", wrt={param}")
    return draft.fix(f"Pass `wrt={param}`", "the parameters are updated, and no other state")


@or_none
def model_given(file: File, call: ir.Call) -> Fix:
    """`optimizer.update(model, grads)`: the model that the gradients are those of."""
    require(len(call.args) == 1 and not call.keywords)
    grads, held, draft = call.args[0], expect(ir.Attribute, call.func).value, Draft(file)
    made: list[ir.Node] = [grads]
    if isinstance(grads, ir.Name):
        bound = bindings(file.unit.scope(call.site), grads.id)
        made = [each.value for each in bound if _holds_gradient(file, each, grads.id)]  # type: ignore[attr-defined]
    models = {_differentiated(file, each) for each in made} - {""}
    optimizer = resolved(file.unit, held)
    if not models and isinstance(optimizer, ir.Call) and file.is_api(optimizer.func.site, "flax.nnx.Optimizer"):
        models = {argument(file, each.site) for each in optimizer.args[:1] if is_path(each)}
    model = only(models)
    draft.insert(file.outer_span(grads.site)[0], f"{model}, ")
    return draft.fix(f"Pass `{model}` before the gradients", f"`{model}` is updated in place")


def _holds_gradient(file: File, statement: ir.Node, name: str) -> bool:
    """Whether an assignment binds the name to a gradient, alone or beside a value or an auxiliary output."""
    target = only_target(statement)
    value = statement.value if isinstance(statement, ir.Assign) else None
    transform = bound_to(file.unit, value.func) if isinstance(value, ir.Call) else None
    place = _GRADIENTS.get(file.api_name(transform.func.site)) if isinstance(transform, ir.Call) else None
    if isinstance(target, ir.Sequence) and place is not None and len(target.elements) == 2:
        target = target.elements[place]
    return place is not None and isinstance(target, ir.Name) and target.id == name


def _differentiated(file: File, made: ir.Node) -> str:
    """The first argument of `nnx.grad(f)(model, …)`, where that is what is differentiated."""
    transform = bound_to(file.unit, made.func) if isinstance(made, ir.Call) else None
    if not isinstance(made, ir.Call) or not isinstance(transform, ir.Call) or not made.args:
        return ""
    if file.api_name(transform.func.site) not in _GRADIENTS or len(transform.args) != 1:
        return ""
    if any(each.name != "has_aux" for each in transform.keywords) or not is_path(made.args[0]):
        return ""
    return argument(file, made.args[0].site)
