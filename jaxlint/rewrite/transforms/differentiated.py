"""A function that is differentiated made to return one number, and what comes with it taken as auxiliary."""

from __future__ import annotations

from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.analysis.transforms.gradients import WrongGradient
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, defining_scope, only_target, own_returns
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import returned
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.parameters import append_argument
from jaxlint.rewrite.statements import below, free_name
from jaxlint.source.diagnostic import Edit, Fix

_GRADIENTS = ("jax.grad", "jax.value_and_grad")


def one_number(file: File, site: int, hazard: WrongGradient) -> Fix | None:
    """The fix for the call, or the unpacking, at ``site``."""
    node = file.unit.nodes[site]
    if hazard.reason == "unpacked":
        return _pair_unpacked(file, node, hazard)
    if hazard.reason == "gradient":
        return _with_value(file, node)
    made = _made(file, node) if isinstance(node, ir.Call) else None
    if made is None or not made.args:
        return None
    if hazard.reason == "tree" and hazard.count == 2 and not _has_aux(made):
        return _with_aux(file, node, made)
    own = _only_here(file, made, hazard)
    returns = own_returns(own) if own is not None else []
    if own is not None and hazard.reason == "none" and not returns:
        return _last_assigned(file, own)
    value = returns[0].value if len(returns) == 1 else None
    if value is not None and hazard.reason == "aux":
        return _as_pair(file, value, hazard, _unpacking(file, node, made))
    if value is not None and hazard.reason == "tree" and isinstance(value, ir.Dict) and len(value.values) == 1:
        if value.keys[0] is not None and not _has_aux(made):
            edit = returned(file, value, argument(file, value.values[0].site))
            return Fix("Return the number itself", (edit,), changes="callers get no dict")
    if hazard.reason == "shape" and not _has_aux(made):
        return _summed(file, node, made, value)
    return None


def _with_value(file: File, statement: ir.Node) -> Fix | None:
    """`value, gradient = jax.value_and_grad(f)(x)` for `jax.grad`."""
    call = statement.value if isinstance(statement, ir.Assign) else None
    target = statement.targets[0] if isinstance(statement, ir.Assign) else None
    made = call.func if isinstance(call, ir.Call) else None
    if not isinstance(made, ir.Call) or not isinstance(target, ir.Sequence) or len(target.elements) != 2:
        return None
    name = file.api_name(made.func.site)
    if not name.endswith("grad"):
        return None
    text, imports = file.api(f"{name.removesuffix('grad')}value_and_grad")
    edit = file.replace(made.func.site, text)
    return Fix("Use `value_and_grad`", (edit,), imports=imports, changes="the first name is the value of the function")


def _made(file: File, call: ir.Call) -> ir.Call | None:
    """The `jax.grad(…)` that makes what is called: there, or where the one value of its name is made."""
    made = bound_to(file.unit, call.func)
    return made if isinstance(made, ir.Call) and file.is_api(made.func.site, *_GRADIENTS) else None


def _has_aux(made: ir.Call) -> bool:
    return any(keyword.name in ("has_aux", None) for keyword in made.keywords) or len(made.args) > 2


def _only_here(file: File, made: ir.Call, hazard: WrongGradient) -> ir.Function | None:
    """The function that is differentiated, where nothing else uses it."""
    function = hazard.function.function if isinstance(hazard.function, FunctionValue) else None
    if function is None or function.site not in file.unit or function.decorators:
        return None
    given = made.args[0]
    if isinstance(given, ir.Lambda):
        return function if given.function is function else None
    home = file.unit.scope(function.site)
    named = [
        node for node in file.unit.own
        if isinstance(node, ir.Name) and node.id == function.name and defining_scope(file.unit, node.site, node.id) is home
    ]  # fmt: skip
    return function if isinstance(given, ir.Name) and given.id == function.name and len(named) == 1 else None


# --- auxiliary values -------------------------------------------------------------------------


def _with_aux(file: File, call: ir.Call, made: ir.Call) -> Fix | None:
    """`has_aux=True`, and the gradient alone of what the call gives then."""
    added = append_argument(file, made, "has_aux=True")
    if added is None or (made is not call.func and not _called_once(file, call)):
        return None
    statement = file.unit.parent(call.site)
    end = file.span(call.site)[1]
    received: Edit | None
    if file.is_api(made.func.site, "jax.value_and_grad"):
        if not (isinstance(statement, ir.Assign) and statement.value is call and len(statement.targets) == 1):
            return None
        target = statement.targets[0]
        if (
            not isinstance(target, ir.Sequence)
            or len(target.elements) != 2
            or isinstance(target.elements[0], ir.Starred)
        ):
            return None
        first = target.elements[0]
        received = file.replace(first.site, f"({file.code(first.site)}, {free_name(file, call.site, '_', 'aux')})")
        if isinstance(first, ir.Sequence):
            received = None  # the pair is unpacked already
            if len(first.elements) != 2 or any(isinstance(each, ir.Starred) for each in first.elements):
                return None
    elif isinstance(statement, ir.Assign) and statement.value is call and len(statement.targets) == 1:
        if not isinstance(statement.targets[0], ir.Name):
            return None
        at = file.span(statement.targets[0].site)[1]
        received = Edit(at, at, ", _")
    else:
        received = Edit(end, end, "[0]")
    edits = tuple(sorted(filter(None, (added, received)), key=lambda edit: edit.start))
    title = "Hand on the second result, with `has_aux=True`"
    return Fix(title, edits, changes="the first result alone is differentiated")


def _called_once(file: File, call: ir.Call) -> bool:
    name = call.func
    return isinstance(name, ir.Name) and sum(isinstance(n, ir.Name) and n.id == name.id for n in file.unit.own) == 2


def _unpacking(file: File, call: ir.Node, made: ir.Call) -> ir.Node | None:
    """What takes the value and all auxiliary ones, or the gradient and these."""
    statement = file.unit.parent(call.site)
    target = statement.targets[0] if isinstance(statement, ir.Assign) and statement.value is call else None
    if file.is_api(made.func.site, "jax.value_and_grad") and isinstance(target, ir.Sequence) and target.elements:
        target = target.elements[0]
    return target


def _as_pair(file: File, value: ir.Node, hazard: WrongGradient, target: ir.Node | None) -> Fix | None:
    """The number, and all the rest as one, where it is taken apart too; None where there is no rest."""
    if isinstance(value, ir.Sequence):
        if value.kind != "tuple" or len(value.elements) < 3 or any(isinstance(e, ir.Starred) for e in value.elements):
            return None
        pairs = [value]
        if isinstance(target, ir.Sequence) and len(target.elements) == len(value.elements):
            pairs.append(target)
        edits = [
            file.insert(offset, bracket) for each in pairs
            for offset, bracket in (
                (file.outer_span(each.elements[1].site)[0], "("), (file.outer_span(each.elements[-1].site)[1], ")"),
            )
        ]  # fmt: skip
        return Fix("Return what is auxiliary as one", in_order(edits), changes="callers get it as one tuple")
    if hazard.count or hazard.what == "None":
        return None
    edit = returned(file, value, f"{argument(file, value.site)}, None")
    return Fix("Return None for what is auxiliary", (edit,), changes="callers get a pair")


def _pair_unpacked(file: File, statement: ir.Node, hazard: WrongGradient) -> Fix | None:
    """`value, aux, gradient = …` as `(value, aux), gradient = …`"""
    if not isinstance(statement, ir.Assign) or len(statement.targets) != 1 or hazard.what != "aux" or hazard.count != 3:
        return None
    target = statement.targets[0]
    if not isinstance(target, ir.Sequence) or any(isinstance(each, ir.Starred) for each in target.elements):
        return None
    first, last = file.outer_span(target.elements[0].site)[0], file.outer_span(target.elements[1].site)[1]
    edits = (Edit(first, first, "("), Edit(last, last, ")"))
    return Fix("Unpack the pair of value and auxiliary", edits, changes=GUESSED)


# --- one number -------------------------------------------------------------------------------


def _last_assigned(file: File, function: ir.Function) -> Fix | None:
    """What the last statement of the function computes, returned."""
    last = function.body[-1]
    if not isinstance(last, ir.Assign) or len(last.targets) != 1 or not isinstance(last.targets[0], ir.Name):
        return None
    name = last.targets[0].id
    edit = below(file, last, f"return {name}")
    return None if edit is None else Fix(f"Return `{name}`", (edit,), changes=GUESSED)


def _summed(file: File, call: ir.Call, made: ir.Call, value: ir.Node | None) -> Fix | None:
    """The sum of the array: each element that depends on its own input alone gets its own derivative. In training, the mean."""
    total, imports = file.api("jax.numpy.sum")
    title, changes = "Differentiate the sum", "`jax.jacrev` gives the derivative of each element"
    if _trains(file, call):
        total, imports = file.api("jax.numpy.mean")
        title, changes = "Differentiate the mean", "the sum may be meant"
    if value is not None:
        bare = isinstance(value, (ir.Sequence, ir.Comprehension, ir.Starred))
        if bare:
            return None
        edit = Edit(*file.outer_span(value.site), f"{total}({argument(file, value.site)})")
        return Fix(title, (edit,), imports=imports, changes=changes)
    given = [each.id for each in call.args if isinstance(each, ir.Name)]
    if call.keywords or not call.args or len(given) < len(call.args):
        return None
    names = ", ".join(given)
    function = made.args[0]
    if len(set(given)) != len(given) or not isinstance(function, ir.Name) or function.id in names:
        return None
    wrapped = f"lambda {names}: {total}({function.id}({names}))"
    return Fix(title, (file.replace(function.site, wrapped),), imports=imports, changes=changes)


def _trains(file: File, call: ir.Call) -> bool:
    """Whether an optimiser is given the gradient: `updates, state = optimiser.update(gradient, state)`."""
    target = only_target(file.unit.statement(call.site))
    names = {each.id for each in ir.walk([target] if target is not None else []) if isinstance(each, ir.Name)}
    return any(
        isinstance(each, ir.Call) and each.args and getattr(each.args[0], "id", "") in names
        and isinstance(each.func, ir.Attribute) and each.func.attr in ("update", "apply_gradients")
        for each in ir.walk(file.unit.scope(call.site).body)
    )  # fmt: skip
