"""Telling the transform that stands at a call to leave one of the arguments alone."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Api
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import COMPILED_ANEW, GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest

_STATIC = {"jax.checkpoint": "static_argnums", "jax.pmap": "static_broadcasted_argnums"}
_GRADIENTS = ("jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian")


def leave_alone(hazard: Hazard, file: File) -> Fix | None:
    """The fix for `transform(f)(x, "text")`, where the transform has an option for it."""
    call = file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call):
        return None
    if hazard.api == "jax.lax.map":
        return _array_for_range(hazard, file)
    made = call.func
    if (
        not isinstance(made, ir.Call)
        or not made.args
        or any(each.name is None for each in (*made.keywords, *call.keywords))
    ):
        return None
    if any(isinstance(each, ir.Starred) for each in (*made.args, *call.args)):
        return None
    keyword = next((each for each in call.keywords if each.value.site == hazard.operand), None)
    if keyword is not None and len(made.args) == 1:
        return bound(file, call, made, keyword)
    position = next((n for n, each in enumerate(call.args) if each.site == hazard.operand), None)
    given = {each.name: each.value for each in made.keywords}
    if position is None or len(made.args) != 1:
        return None
    code = file.code(hazard.operand, 40)
    if hazard.api == "jax.vmap" and "in_axes" not in given:
        axes = ["None" if n == position else "0" for n in range(len(call.args))]
        listed = f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"
        return _added(file, made, f"in_axes={listed}", f"Do not map over `{code}`", "each element gets all of it")
    if hazard.api in _STATIC and _STATIC[hazard.api] not in given:
        return _added(file, made, f"{_STATIC[hazard.api]}={position}", f"Make `{code}` static", COMPILED_ANEW)
    others = [n for n in range(len(call.args)) if n != position]
    if hazard.api in _GRADIENTS and "argnums" not in given and position == 0 and len(others) == 1:
        title = f"Differentiate by `{file.code(call.args[others[0]].site, 40)}`"
        return _added(file, made, f"argnums={others[0]}", title, GUESSED)
    return None


def _added(file: File, made: ir.Call, text: str, title: str, changes: str) -> Fix:
    end = file.outer_span([*made.args, *made.keywords][-1].site)[1]
    return Fix(title, (file.insert(end, f", {text}"),), changes=changes)


def bound(file: File, call: ir.Call, made: ir.Call, keyword: ir.Keyword) -> Fix | None:
    """`transform(f)(x, kind="sum")` as `transform(partial(f, kind="sum"))(x)`."""
    partial, imports = file.api("functools.partial")
    function = argument(file, made.args[0].site)
    bound = Edit(
        *file.outer_span(made.args[0].site),
        f"{partial}({function}, {keyword.name}={argument(file, keyword.value.site)})",
    )
    listed = sorted([*call.args, *call.keywords], key=lambda each: file.span(each.site)[0])
    index = listed.index(keyword)
    start, end = file.span(keyword.site)
    if index:
        start = file.outer_span(listed[index - 1].site)[1]
    elif len(listed) > 1:
        end = file.span(listed[1].site)[0]
    if file.has_comment(start, end):
        return None
    title = f"Give `{file.code(made.args[0].site, 40)}` its `{keyword.name}` before it is transformed"
    return Fix(title, (bound, Edit(start, end, "")), imports=imports, changes=COMPILED_ANEW)


def _array_for_range(hazard: Hazard, file: File) -> Fix | None:
    operand = file.unit.nodes[hazard.operand]
    if not isinstance(operand, ir.Call) or operand.keywords:
        return None
    called = file.values(operand.func.site)
    if not called or any(type(value) is not Api or value.name != "builtins.range" for value in called):
        return None
    arange: tuple[str, frozenset[ImportRequest]] = file.api("jax.numpy.arange")
    edit, changes = file.replace(operand.func.site, arange[0]), "the function gets arrays, not Python numbers"
    return Fix(f"Loop over an array, `{arange[0]}`", (edit,), imports=arange[1], changes=changes)
