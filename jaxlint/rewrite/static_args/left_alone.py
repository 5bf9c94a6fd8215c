"""Telling the transform that stands at a call to leave one of the arguments alone."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.transforms.not_arrays import NonArrayArgument
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.changes import COMPILED_ANEW, GUESSED
from jaxlint.rewrite.draft import Draft, plain_call
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import called, function_of, names_in
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.transform_options import added, tuple_text
from jaxlint.source.diagnostic import Fix

_STATIC = {"jax.checkpoint": "static_argnums", "jax.pmap": "static_broadcasted_argnums"}
_GRADIENTS = ("jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian")


@or_none
def leave_alone(hazard: Hazard, file: File) -> Fix:
    """The fix for `transform(f)(x, "text")`, where the transform has an option for it."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    if hazard.api == "jax.lax.map":
        return _array_for_range(hazard, file)
    if hazard.api == "jax.experimental.ode.odeint":
        return _closed_over(hazard, file, plain_call(call))
    made, call = plain_call(call.func), plain_call(call)
    require(len(made.args) == 1)
    keyword = next((each for each in call.keywords if each.value.site == hazard.operand), None)
    if keyword is not None:
        return bound(file, call, made, keyword)
    position = known(_position(call, hazard.operand))
    code, options = file.code(hazard.operand, 40), {each.name for each in made.keywords}
    others = [n for n in range(len(call.args)) if n != position]
    if hazard.api == "jax.vmap":
        option, text = "in_axes", tuple_text(["None" if n == position else "0" for n in range(len(call.args))])
        title, changes = f"Do not map over `{code}`", "each element gets all of it"
    elif hazard.api in _STATIC:
        option, text, title, changes = _STATIC[hazard.api], str(position), f"Make `{code}` static", COMPILED_ANEW
    else:
        require(hazard.api in _GRADIENTS and position == 0 and len(others) == 1)
        option, text, changes = "argnums", str(others[0]), GUESSED
        title = f"Differentiate by `{file.code(call.args[others[0]].site, 40)}`"
    require(option not in options)
    return Fix(title, (added(file, made, f"{option}={text}"),), changes=changes)


def _position(call: ir.Call, site: int) -> int | None:
    return next((n for n, each in enumerate(call.args) if each.site == site), None)


@or_none
def without_entry(hazard: NonArrayArgument, file: File) -> Fix:
    """A dict without the one entry that is no array, which the function does not read."""
    node, function = file.unit.nodes[hazard.operand], known(hazard.function)
    require(hazard.entry and function.site in file.unit and isinstance(node, (ir.Name, ir.Attribute)))
    require(all(getattr(each, "value", None) != hazard.entry for each in ir.walk(function.body)))
    key, draft = f'"{hazard.entry}"', Draft(file)
    draft.replace(node.site, f"{{name: value for name, value in {file.code(node.site)}.items() if name != {key}}}")
    return draft.fix(f"Leave out {key}", "the function gets no such entry")


def _closed_over(hazard: Hazard, file: File, call: ir.Call) -> Fix:
    """`odeint(lambda y, t, a: f(y, t, g, a), y0, t, a)` for `odeint(f, y0, t, g, a)`, where `g` is no array."""
    position, draft = known(_position(call, hazard.operand)), Draft(file)
    require(position > 2)
    function = known(function_of(file, call.args[0]))
    names = [each.name for each in function.parameters if each.kind == "ordinary"]
    require(len(names) == len(call.args) - 1 == len(function.parameters))
    given = argument(file, hazard.operand)
    taken = [name for n, name in enumerate(names) if n != position - 1]
    require(not set(taken) & names_in(call.args[position]))
    passed = ", ".join(given if n == position - 1 else name for n, name in enumerate(names))
    draft.replace_whole(call.args[0].site, f"lambda {', '.join(taken)}: {called(file, call.args[0], passed)}")
    draft.edits.append(without_argument(file, call.args[position]))
    return draft.fix(f"Close over `{given}`", "the solver compiles anew for each function")


def bound(file: File, call: ir.Call, made: ir.Call, keyword: ir.Keyword) -> Fix:
    """`transform(f)(x, kind="sum")` as `transform(partial(f, kind="sum"))(x)`."""
    draft, function = Draft(file), made.args[0].site
    passed = f"{argument(file, function)}, {keyword.name}={argument(file, keyword.value.site)}"
    draft.replace_whole(function, f"{draft.api('functools.partial')}({passed})")
    draft.edits.append(without_argument(file, keyword))
    return draft.fix(f"Give `{file.code(function, 40)}` its `{keyword.name}` before it is transformed", COMPILED_ANEW)


def _array_for_range(hazard: Hazard, file: File) -> Fix:
    operand, draft = expect(ir.Call, file.unit.nodes[hazard.operand]), Draft(file)
    require(not operand.keywords and file.is_api(operand.func.site, "builtins.range"))
    arange = draft.api("jax.numpy.arange")
    draft.replace(operand.func.site, arange)
    return draft.fix(f"Loop over an array, `{arange}`", "the function gets arrays, not Python numbers")
