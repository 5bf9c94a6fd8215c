"""Telling the transform that stands at a call to leave one of the arguments alone."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.transforms.not_arrays import NonArrayArgument
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import COMPILED_ANEW, GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import called, function_of, names_in
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
    if hazard.api == "jax.experimental.ode.odeint":
        return _closed_over(hazard, file, call)
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


def without_entry(hazard: NonArrayArgument, file: File) -> Fix | None:
    """A dict without the one entry that is no array, which the function does not read."""
    node, function = file.unit.nodes[hazard.operand], hazard.function
    if (
        not hazard.entry
        or not isinstance(node, (ir.Name, ir.Attribute))
        or function is None
        or function.site not in file.unit
    ):
        return None
    if any(isinstance(each, ir.Constant) and each.value == hazard.entry for each in ir.walk(function.body)):
        return None
    key = f'"{hazard.entry}"'
    text = f"{{name: value for name, value in {file.code(node.site)}.items() if name != {key}}}"
    return Fix(f"Leave out {key}", (file.replace(node.site, text),), changes="the function gets no such entry")


def _closed_over(hazard: Hazard, file: File, call: ir.Call) -> Fix | None:
    """`odeint(lambda y, t, a: f(y, t, g, a), y0, t, a)` for `odeint(f, y0, t, g, a)`, where `g` is no array."""
    position = next((n for n, each in enumerate(call.args) if each.site == hazard.operand), 0)
    if position < 3 or any(isinstance(each, ir.Starred) for each in call.args):
        return None
    function = function_of(file, call.args[0])
    if function is None:
        return None
    names = [each.name for each in function.parameters if each.kind == "ordinary"]
    start, end = file.outer_span(call.args[position - 1].site)[1], file.outer_span(hazard.operand)[1]
    if len(names) != len(call.args) - 1 or len(names) < len(function.parameters):
        return None
    given = argument(file, hazard.operand)
    taken = [name for n, name in enumerate(names) if n != position - 1]
    if set(taken) & names_in(call.args[position]):
        return None
    passed = ", ".join(given if n == position - 1 else name for n, name in enumerate(names))
    text = f"lambda {', '.join(taken)}: {called(file, call.args[0], passed)}"
    edits = (Edit(*file.outer_span(call.args[0].site), text), Edit(start, end, ""))
    return Fix(f"Close over `{given}`", edits, changes="the solver compiles anew for each function")


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
    title = f"Give `{file.code(made.args[0].site, 40)}` its `{keyword.name}` before it is transformed"
    return Fix(title, (bound, Edit(start, end, "")), imports=imports, changes=COMPILED_ANEW)


def _array_for_range(hazard: Hazard, file: File) -> Fix | None:
    operand = file.unit.nodes[hazard.operand]
    if not isinstance(operand, ir.Call) or operand.keywords:
        return None
    if not file.is_api(operand.func.site, "builtins.range"):
        return None
    arange: tuple[str, frozenset[ImportRequest]] = file.api("jax.numpy.arange")
    edit, changes = file.replace(operand.func.site, arange[0]), "the function gets arrays, not Python numbers"
    return Fix(f"Loop over an array, `{arange[0]}`", (edit,), imports=arange[1], changes=changes)
