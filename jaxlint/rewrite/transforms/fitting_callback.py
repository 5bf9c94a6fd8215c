"""The fix that gives `lax.scan` and its kin a function they can call, with a result they can use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxlint.analysis.domain.values import Array, Const, Tuple
from jaxlint.analysis.transforms.callbacks import CallbackSignature
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, displayed, names_of, only_result
from jaxlint.rewrite.changes import BOTH_SIDES, FRACTION, GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import (
    called,
    definition,
    names_in,
    returned,
    rewritten,
    substituted,
    value_of,
    with_parameters,
)
from jaxlint.rewrite.loops.loop_functions import gives_carry_alone
from jaxlint.rewrite.operands import argument, in_parentheses, operand
from jaxlint.rewrite.requirements import expect, is_plain, known, only, or_none, parts_of, require
from jaxlint.rewrite.statements import unused
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY
# What becomes the carry, or what is mapped: option and position in the call of the transform.
_INITIAL = {"scan": ("init", 1), "while_loop": ("init_val", 2), "fori_loop": ("init_val", 3), "map": ("xs", 1)}


@or_none
def fitting_callback(hazard: CallbackSignature, file: File) -> Fix | None:
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(is_plain(call.args))
    match hazard.reason:
        case "arity":
            return _callable(hazard, file, call)
        case "pair":
            return _pair(hazard, file, call)
        case "predicate":
            return _condition(hazard, file) if hazard.function is not None else _elementwise(hazard, file, call)
        case "index":
            return _index(hazard, file)
        case "list":
            edit = file.insert(file.outer_span(hazard.operand)[0], "*")
            return Fix("Unpack the list", (edit,), changes="the leaves of all trees are combined")
        case "rows":
            return _stacked(hazard, file)
        case "value":
            return _computed(call, file) if hazard.api == "jax.lax.cond" else _uncalled(call, file)
    return None


def _stacked(hazard: CallbackSignature, file: File) -> Fix:
    """The trees of a list as one tree, whose leaves have an axis for them."""
    (mapped, imports), (stack, more) = file.api("jax.tree.map"), file.api("jax.numpy.stack")
    node = file.unit.nodes[hazard.operand]
    edit = rewritten(file, node, f"{mapped}(lambda *leaves: {stack}(leaves), *{operand(file, node.site)})")
    changes = "right where the entries have leaves of the same shapes"
    return Fix("Stack the entries of the list", (edit,), imports=imports | more, changes=changes)


def _uncalled(call: ir.Call, file: File) -> Fix:
    """`grad(f)(x)` for `grad(f(x))(x)`: the function itself, where the transform is called with the same arguments."""
    inner, above = expect(ir.Call, call.args[0] if call.args else None), expect(ir.Call, file.unit.parent(call.site))
    given = [[file.code(each.site) for each in (*made.args, *made.keywords)] for made in (inner, above)]
    require(above.func is call and inner.args and given[0] == given[1])
    edit = Edit(file.outer_span(inner.func.site)[1], file.span(inner.site)[1], "")
    return Fix("Pass the function itself", (edit,), changes=GUESSED)


def _computed(call: ir.Call, file: File) -> Fix:
    """Functions of no argument that compute what stands in the place of the branches."""
    require(len(call.args) == 3 and not call.keywords)
    edits = []
    for node in call.args[1:]:
        values = file.values(node.site)
        require(values and all(isinstance(value, (Array, Const, Tuple)) for value in values))
        edits.append(Edit(*file.outer_span(node.site), f"lambda: {file.code(node.site)}"))
    return Fix("Let each branch compute its value", tuple(edits), changes="the other value is not computed")


# --- how it is called -------------------------------------------------------------------------


def _callable(hazard: CallbackSignature, file: File, call: ir.Call) -> Fix:
    """A function that takes what the transform passes, and hands it on as the function takes it."""
    function, operand = known(definition(file, hazard.function)), file.unit.nodes[hazard.operand]
    require(hazard.operand != hazard.site)
    # In the list of branches, if there is one.
    nodes = known(displayed(file.unit, operand)) if isinstance(operand, ir.Sequence) else [operand]
    node = only(each for each in nodes if any(definition(file, value) is function for value in file.values(each.site)))
    text, level = _wrapped(hazard, file, call, node)
    what = "the lambda" if isinstance(node, ir.Lambda) else f"`{file.code(node.site, 40)}`"
    passed = "what is passed" if hazard.given[0].startswith("operand") else f"`{', '.join(hazard.given)}`"
    return Fix(f"Let {what} take {passed}", (rewritten(file, node, text),), level, changes=GUESSED)


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
        require(
            rows is None or (isinstance(rows, ir.Constant) and rows.value is None)
        )  # else it may be meant for either
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


def _pair(hazard: CallbackSignature, file: File, call: ir.Call) -> Fix:
    """The body of a scan returns the carry and an output."""
    value = known(only_result(known(definition(file, hazard.function))))
    if hazard.what == "one value" and isinstance(value, ir.Name) and _reads_outputs(file, call):
        edit = returned(file, value, f"{value.id}, {value.id}")
        changes = "each step outputs the carry, where another may be meant"
        return Fix("Return it as the carry and as the output", (edit,), changes=changes)
    if hazard.what == "one value" or not isinstance(value, ir.Sequence):
        edit = returned(file, value, f"{argument(file, value.site)}, None")
        # What the steps give is read, where it is not seen that it is not.
        level = Applicability.UNSAFE if gives_carry_alone(file, call) else _DISPLAY
        changes = "there is no output of each step"
        return Fix("Return it as the carry, and no output", (edit,), level, changes=changes)
    elements = parts_of(value, 3)
    require(_parts(file, call, hazard) == len(elements) - 1)
    edits = in_parentheses(file, elements[:-1])
    return Fix("Return the carry as one tuple, and the output last", edits, changes=GUESSED)


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


def _condition(hazard: CallbackSignature, file: File) -> Fix | None:
    """One boolean from what a condition returns."""
    value = known(only_result(known(definition(file, hazard.function))))
    if hazard.what.startswith("an array"):
        name, imports = file.api("jax.numpy.any")
        edit = file.replace(value.site, f"{name}({argument(file, value.site)})")
        changes = "it ends when it holds for none of them"
        return Fix("Go on while it holds for any element", (edit,), imports=imports, changes=changes)
    if hazard.what in ("an int", "a float", "an uint"):
        edit = file.replace(value.site, f"{operand(file, value.site)} != 0")
        return Fix("Compare it with 0, as Python does", (edit,), changes=GUESSED)
    return None


# --- what chooses the branch ------------------------------------------------------------------


def _elementwise(hazard: CallbackSignature, file: File, call: ir.Call) -> Fix:
    """`jnp.where` for a conditional whose predicate is an array."""
    require((hazard.api or "").endswith(".cond") and "array" in hazard.what)
    require(len(call.args) >= 3 and not call.keywords)
    predicate, *branches = call.args[:3]
    results = [_applied(file, branch, call.args[3:]) for branch in branches]
    name, imports = file.api("jax.numpy.where")
    text = f"{name}({argument(file, predicate.site)}, {', '.join(results)})"
    return Fix("Choose for each element", (file.replace(call.site, text),), _DISPLAY, imports, BOTH_SIDES)


def _applied(file: File, branch: ir.Node, operands: Sequence[ir.Expression]) -> str:
    """What a branch gives for the operands."""
    if not isinstance(branch, ir.Lambda):
        return called(file, branch, ", ".join(argument(file, each.site) for each in operands))
    parameters = branch.function.parameters
    require(len(parameters) == len(operands) and all(each.kind == "ordinary" for each in parameters))
    require(all(isinstance(each, (ir.Name, ir.Constant)) for each in operands))
    texts = {parameter.name: file.code(each.site) for parameter, each in zip(parameters, operands)}
    return known(substituted(file, ir.result_of(branch), texts))


def _index(hazard: CallbackSignature, file: File) -> Fix:
    """An integer from a boolean or a float."""
    what, values = hazard.what, file.values(hazard.operand)
    require(what in ("a bool", "a float") and values and all(isinstance(value, Array) for value in values))
    edit = rewritten(file, file.unit.nodes[hazard.operand], f"{operand(file, hazard.operand)}.astype(int)")
    if what == "a bool":
        return Fix("Convert it to an integer", (edit,), changes="False is the first branch, and True the second")
    return Fix("Convert it to an integer", (edit,), _DISPLAY, changes=FRACTION)
