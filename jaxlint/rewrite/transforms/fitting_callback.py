"""The fix that gives `lax.scan` and its kin a function they can call, with a result they can use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxlint.analysis.domain.values import Array, Const, Tuple
from jaxlint.analysis.transforms.callbacks import CallbackSignature
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, displayed, names_of
from jaxlint.rewrite.changes import BOTH_SIDES, FRACTION, GUESSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import (
    called,
    definition,
    names_in,
    result_of,
    return_instead,
    substituted,
    value_of,
    with_parameters,
)
from jaxlint.rewrite.loops.loop_functions import gives_carry_alone
from jaxlint.rewrite.operands import argument, in_parentheses, operand
from jaxlint.rewrite.requirements import expect, is_plain, known, only, or_none, parts_of, plain_call, require
from jaxlint.rewrite.statements import unused
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY
# What becomes the carry, or what is mapped: option and position in the call of the transform.
_INITIAL = {"scan": ("init", 1), "while_loop": ("init_val", 2), "fori_loop": ("init_val", 3), "map": ("xs", 1)}


@or_none
def fitting_callback(hazard: CallbackSignature, file: File) -> Fix | None:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(is_plain(call.args))
    match hazard.reason:
        case "arity":
            return _callable(hazard, draft, call)
        case "pair":
            return _pair(hazard, draft, call)
        case "predicate":
            return _condition(hazard, draft) if hazard.function is not None else _elementwise(hazard, draft, call)
        case "index":
            return _index(hazard, draft)
        case "list":
            draft.insert(file.outer_span(hazard.operand)[0], "*")
            return draft.fix("Unpack the list", "the leaves of all trees are combined")
        case "rows":
            return _stacked(hazard, draft)
        case "value":
            return _computed(call, draft) if hazard.api == "jax.lax.cond" else _uncalled(call, draft)
    return None


def _stacked(hazard: CallbackSignature, draft: Draft) -> Fix:
    """The trees of a list as one tree, whose leaves have an axis for them."""
    stacking = f"lambda *leaves: {draft.call('jax.numpy.stack', 'leaves')}"
    trees = f"*{operand(draft.file, hazard.operand)}"
    draft.replace_whole(hazard.operand, draft.call("jax.tree.map", stacking, trees))
    return draft.fix("Stack the entries of the list", "right where the entries have leaves of the same shapes")


def _uncalled(call: ir.Call, draft: Draft) -> Fix:
    """`grad(f)(x)` for `grad(f(x))(x)`: the function itself, where the transform is called with the same arguments."""
    file = draft.file
    inner, above = expect(ir.Call, call.args[0] if call.args else None), expect(ir.Call, file.unit.parent(call.site))
    given = [[file.code(each.site) for each in (*made.args, *made.keywords)] for made in (inner, above)]
    require(above.func is call and inner.args and given[0] == given[1])
    draft.edits.append(Edit(file.outer_span(inner.func.site)[1], file.span(inner.site)[1], ""))
    return draft.fix("Pass the function itself", GUESSED)


def _computed(call: ir.Call, draft: Draft) -> Fix:
    """Functions of no argument that compute what stands in the place of the branches."""
    for node in plain_call(call, 3).args[1:]:
        require(draft.file.always(node.site, lambda value: isinstance(value, (Array, Const, Tuple))))
        draft.replace_whole(node.site, f"lambda: {draft.file.code(node.site)}")
    return draft.fix("Let each branch compute its value", "the other value is not computed")


# --- how it is called -------------------------------------------------------------------------


def _callable(hazard: CallbackSignature, draft: Draft, call: ir.Call) -> Fix:
    """A function that takes what the transform passes, and hands it on as the function takes it."""
    file = draft.file
    function, operand = known(definition(file, hazard.function)), file.unit.nodes[hazard.operand]
    require(hazard.operand != hazard.site)
    # In the list of branches, if there is one.
    nodes = known(displayed(file.unit, operand)) if isinstance(operand, ir.Sequence) else [operand]
    node = only(each for each in nodes if any(definition(file, value) is function for value in file.values(each.site)))
    text, level = _wrapped(hazard, file, call, node)
    what = "the lambda" if isinstance(node, ir.Lambda) else f"`{file.code(node.site, 40)}`"
    passed = "what is passed" if hazard.given[0].startswith("operand") else f"`{', '.join(hazard.given)}`"
    draft.replace_whole(node.site, text)
    return draft.fix(f"Let {what} take {passed}", GUESSED, level)


def _wrapped(hazard: CallbackSignature, file: File, call: ir.Call, node: ir.Node) -> tuple[str, Applicability]:
    takes, given = hazard.least, hazard.given
    require(given and hazard.most == takes)
    parameters = node.function.parameters if isinstance(node, ir.Lambda) else []
    require(all(each.kind == "ordinary" and each.default is None for each in parameters))
    own = [each.name for each in parameters]
    taken = names_in(node)
    if given[0].startswith("operand"):
        require(not takes and len(given) <= 3)
        return _handed_on(file, node, [unused(taken, "_" * number) for number in range(1, len(given) + 1)], []), _UNSAFE
    names = [unused(taken, each, "row" if each == "x" else f"{each}_") for each in given]
    if given == ("i", "carry") and takes == 1:
        counter = unused(taken, "i", "_") if own else unused(taken, "_", "i")
        return _handed_on(file, node, [counter, *(own or names[1:])], names[1:]), _UNSAFE
    if given == ("carry", "x") and takes == 1:
        rows = value_of(call, "xs", 2)
        require(rows is None or ir.is_none(rows))  # else it may be meant for either
        return _handed_on(file, node, [*(own or names[:1]), unused(taken, "_", "x")], names[:1]), _UNSAFE
    if given == ("left", "right") and takes == 1:
        require(not own)
        return _handed_on(file, node, names, [f"({', '.join(names)})"]), _UNSAFE
    count = _parts(file, call, hazard)
    spread = takes - (len(given) - 1)
    require(("carry" in given or "x" in given) and spread >= 2 and count in (None, spread))
    level = _UNSAFE if count is not None else _DISPLAY
    tree = given.index("carry") if "carry" in given else 0
    if not isinstance(node, ir.Lambda):
        passed = [f"*{name}" if number == tree else name for number, name in enumerate(names)]
        return _handed_on(file, node, names, passed), level
    parts = {name: f"{names[tree]}[{number}]" for number, name in enumerate(own[tree : tree + spread])}
    body = known(substituted(file, ir.result_of(node), parts))
    kept = own[:tree] + [names[tree]] + own[tree + spread :]
    return f"lambda {', '.join(kept)}: {body}", level


def _handed_on(file: File, node: ir.Node, names: Iterable[str], passed: Iterable[str]) -> str:
    names = ", ".join(names)
    if isinstance(node, ir.Lambda):
        return with_parameters(file, node, names)
    return f"lambda {names}: {called(file, node, ', '.join(passed))}"


def _parts(file: File, call: ir.Call, hazard: CallbackSignature) -> int | None:
    """The number of items of what becomes the carry; None where that is not written."""
    initial = _INITIAL.get((hazard.api or "").rpartition(".")[2])
    value = value_of(call, *initial) if initial else None
    items = displayed(file.unit, value) if value is not None else None
    return None if items is None else len(items)


# --- what it returns --------------------------------------------------------------------------


def _pair(hazard: CallbackSignature, draft: Draft, call: ir.Call) -> Fix:
    """The body of a scan returns the carry and an output."""
    file = draft.file
    value = result_of(file, hazard.function)
    if hazard.what == "one value" and isinstance(value, ir.Name) and _reads_outputs(file, call):
        return_instead(draft, value, f"{value.id}, {value.id}")
        changes = "each step outputs the carry, where another may be meant"
        return draft.fix("Return it as the carry and as the output", changes)
    if hazard.what == "one value" or not isinstance(value, ir.Sequence):
        return_instead(draft, value, f"{argument(file, value.site)}, None")
        # What the steps give is read, where it is not seen that it is not.
        level = _UNSAFE if gives_carry_alone(file, call) else _DISPLAY
        return draft.fix("Return it as the carry, and no output", "there is no output of each step", level)
    elements = parts_of(value, 3)
    require(_parts(file, call, hazard) == len(elements) - 1)
    draft.edits += in_parentheses(file, elements[:-1])
    return draft.fix("Return the carry as one tuple, and the output last", GUESSED)


def _reads_outputs(file: File, scan: ir.Call) -> bool:
    """Whether code takes the pair apart that a scan gives, or a function that returns it, and reads the outputs."""
    pairs: list[ir.Node] = [scan]
    function = file.unit.scope(scan.site)
    if isinstance(file.unit.parent(scan.site), ir.Return) and isinstance(function, ir.Function):
        pairs = [
            node for node in file.unit.own
            if isinstance(node, ir.Call) and getattr(binding_of(file.unit, node.func), "function", None) is function
        ]  # fmt: skip
    for pair in pairs:
        match file.unit.parent(pair.site):
            case ir.Assign(targets=[ir.Sequence(elements=[_, ir.Name(id=name)])], value=value) if value is pair:
                if len(names_of(file.unit, file.unit.scope(pair.site), name)) > 1:
                    return True
    return False


def _condition(hazard: CallbackSignature, draft: Draft) -> Fix:
    """One boolean from what a condition returns."""
    site = result_of(draft.file, hazard.function).site
    if hazard.what.startswith("an array"):
        draft.replace(site, draft.call("jax.numpy.any", argument(draft.file, site)))
        return draft.fix("Go on while it holds for any element", "it ends when it holds for none of them")
    require(hazard.what in ("an int", "a float", "a uint"))
    draft.replace(site, f"{operand(draft.file, site)} != 0")
    return draft.fix("Compare it with 0, as Python does", GUESSED)


# --- what chooses the branch ------------------------------------------------------------------


def _elementwise(hazard: CallbackSignature, draft: Draft, call: ir.Call) -> Fix:
    """`jnp.where` for a conditional whose predicate is an array."""
    require((hazard.api or "").endswith(".cond") and "array" in hazard.what)
    require(len(call.args) >= 3 and not call.keywords)
    predicate, *branches = call.args[:3]
    results = [_applied(draft.file, branch, call.args[3:]) for branch in branches]
    draft.replace(call.site, draft.call("jax.numpy.where", argument(draft.file, predicate.site), *results))
    return draft.fix("Choose for each element", BOTH_SIDES, _DISPLAY)


def _applied(file: File, branch: ir.Node, operands: Sequence[ir.Expression]) -> str:
    """What a branch gives for the operands."""
    if not isinstance(branch, ir.Lambda):
        return called(file, branch, ", ".join(argument(file, each.site) for each in operands))
    parameters = branch.function.parameters
    require(len(parameters) == len(operands) and all(each.kind == "ordinary" for each in parameters))
    require(all(isinstance(each, (ir.Name, ir.Constant)) for each in operands))
    texts = {parameter.name: file.code(each.site) for parameter, each in zip(parameters, operands)}
    return known(substituted(file, ir.result_of(branch), texts))


def _index(hazard: CallbackSignature, draft: Draft) -> Fix:
    """An integer from a boolean or a float."""
    require(hazard.what in ("a bool", "a float"))
    require(draft.file.always(hazard.operand, lambda value: isinstance(value, Array)))
    draft.replace_whole(hazard.operand, f"{operand(draft.file, hazard.operand)}.astype(int)")
    if hazard.what == "a bool":
        return draft.fix("Convert it to an integer", "False is the first branch, and True the second")
    return draft.fix("Convert it to an integer", FRACTION, _DISPLAY)
