"""The fix that gives `lax.scan` and its kin a function they can call, with a result they can use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxlint.analysis.domain.values import Array, Const, Tuple
from jaxlint.analysis.transforms.callbacks import CallbackSignature
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, displayed, names_of, only_result
from jaxlint.rewrite.changes import BOTH_SIDES, FRACTION, GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import called, definition, names_in, returned, substituted, unused, with_parameters
from jaxlint.rewrite.loops.loop_carry import gives_carry_alone
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.transform_options import rewritten, value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY
# What becomes the carry, or what is mapped: option and position in the call of the transform.
_INITIAL = {"scan": ("init", 1), "while_loop": ("init_val", 2), "fori_loop": ("init_val", 3), "map": ("xs", 1)}


def fitting_callback(hazard: CallbackSignature, file: File) -> Fix | None:
    call = file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call) or any(isinstance(each, ir.Starred) for each in call.args):
        return None
    if hazard.reason == "arity":
        return _callable(hazard, file, call)
    if hazard.reason == "pair":
        return _pair(hazard, file, call)
    if hazard.reason == "predicate":
        return _condition(hazard, file) if hazard.function is not None else _elementwise(hazard, file, call)
    if hazard.reason == "index":
        return _index(hazard, file)
    if hazard.reason == "list":
        edit = file.insert(file.outer_span(hazard.operand)[0], "*")
        return Fix("Unpack the list", (edit,), changes="the leaves of all trees are combined")
    if hazard.reason == "rows":
        return _stacked(hazard, file)
    if hazard.reason == "value" and hazard.api == "jax.lax.cond":
        return _computed(call, file)
    return _uncalled(call, file) if hazard.reason == "value" else None


def _stacked(hazard: CallbackSignature, file: File) -> Fix | None:
    """The trees of a list as one tree, whose leaves have an axis for them."""
    (mapped, imports), (stack, more) = file.api("jax.tree.map"), file.api("jax.numpy.stack")
    node = file.unit.nodes[hazard.operand]
    edit = rewritten(file, node, f"{mapped}(lambda *leaves: {stack}(leaves), *{operand(file, node.site)})")
    changes = "right where the entries have leaves of the same shapes"
    return Fix("Stack the entries of the list", (edit,), imports=imports | more, changes=changes)


def _uncalled(call: ir.Call, file: File) -> Fix | None:
    """`grad(f)(x)` for `grad(f(x))(x)`: the function itself, where the transform is called with the same arguments."""
    inner, above = call.args[0] if call.args else None, file.unit.parent(call.site)
    if not isinstance(inner, ir.Call) or not isinstance(above, ir.Call) or above.func is not call or not inner.args:
        return None
    given = [[file.code(each.site) for each in (*made.args, *made.keywords)] for made in (inner, above)]
    start, end = file.outer_span(inner.func.site)[1], file.span(inner.site)[1]
    if given[0] != given[1]:
        return None
    return Fix("Pass the function itself", (Edit(start, end, ""),), changes=GUESSED)


def _computed(call: ir.Call, file: File) -> Fix | None:
    """Functions of no argument that compute what stands in the place of the branches."""
    if len(call.args) != 3 or call.keywords or any(isinstance(each, ir.Lambda) for each in call.args):
        return None
    edits = []
    for node in call.args[1:]:
        values = file.values(node.site)
        if not values or not all(isinstance(value, (Array, Const, Tuple)) for value in values):
            return None
        start, end = file.outer_span(node.site)
        edits.append(Edit(start, end, f"lambda: {file.code(node.site)}"))
    return Fix("Let each branch compute its value", tuple(edits), changes="the other value is not computed")


# --- how it is called -------------------------------------------------------------------------


def _callable(hazard: CallbackSignature, file: File, call: ir.Call) -> Fix | None:
    """A function that takes what the transform passes, and hands it on as the function takes it."""
    node = _function_node(hazard, file)
    if node is None:
        return None
    made = _wrapped(hazard, file, call, node)
    if made is None:
        return None
    text, level = made
    what = "the lambda" if isinstance(node, ir.Lambda) else f"`{file.code(node.site, 40)}`"
    passed = "what is passed" if hazard.given[0].startswith("operand") else f"`{', '.join(hazard.given)}`"
    return Fix(f"Let {what} take {passed}", (rewritten(file, node, text),), level, changes=GUESSED)


def _function_node(hazard: CallbackSignature, file: File) -> ir.Node | None:
    """The expression that stands for the function, in the list of branches if there is one."""
    node = file.unit.nodes[hazard.operand]
    function = definition(file, hazard.function)
    if function is None or hazard.operand == hazard.site:
        return None
    nodes = displayed(file.unit, node) if isinstance(node, ir.Sequence) else [node]
    found = [
        each for each in nodes or () if any(definition(file, value) is function for value in file.values(each.site))
    ]
    return found[0] if len(found) == 1 else None


def _wrapped(hazard: CallbackSignature, file: File, call: ir.Call, node: ir.Node) -> tuple[str, Applicability] | None:
    takes, given = hazard.least, hazard.given
    if not given or hazard.most != takes:
        return None
    function = node.function if isinstance(node, ir.Lambda) else None
    if function is not None and any(
        each.kind != "ordinary" or each.default is not None for each in function.parameters
    ):
        return None
    taken = names_in(node)
    if given[0].startswith("operand"):
        if takes:
            return None
        names = [unused(taken, each) for each in ("_", "__", "___")][: len(given)]
        if len(names) < len(given):
            return None
        return _handed_on(file, node, names, []), _UNSAFE
    names = [unused(taken, each, "row" if each == "x" else f"{each}_") for each in given]
    if given == ("i", "carry") and takes == 1:
        if isinstance(node, ir.Lambda):
            first = unused(taken, "i", "_")
            return with_parameters(file, node, f"{first}, {node.function.parameters[0].name}"), _UNSAFE
        return _handed_on(file, node, [unused(taken, "_", "i"), names[1]], [names[1]]), _UNSAFE
    if given == ("carry", "x") and takes == 1:
        return None  # it may be meant for either
    if given == ("left", "right") and takes == 1:
        text = ", ".join(names)
        if function is None:
            return _handed_on(file, node, names, [f"({text})"]), _UNSAFE
        return None
    count = _parts(file, call, hazard)
    spread = takes - (len(given) - 1)
    if "carry" not in given and "x" not in given or spread < 2 or count not in (None, spread):
        return None
    level = _UNSAFE if count is not None else _DISPLAY
    tree = names.index(names[given.index("carry")] if "carry" in given else names[0])
    if not isinstance(node, ir.Lambda):
        passed = [f"*{name}" if number == tree else name for number, name in enumerate(names)]
        return _handed_on(file, node, names, passed), level
    own = [each.name for each in node.function.parameters]
    parts = {name: f"{names[tree]}[{number}]" for number, name in enumerate(own[tree : tree + spread])}
    body = substituted(file, ir.result_of(node), parts)
    kept = own[:tree] + [names[tree]] + own[tree + spread :]
    return None if body is None else (f"lambda {', '.join(kept)}: {body}", level)


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


def _pair(hazard: CallbackSignature, file: File, call: ir.Call) -> Fix | None:
    """The body of a scan returns the carry and an output."""
    function = definition(file, hazard.function)
    value = only_result(function) if function is not None else None
    if function is None or value is None:
        return None
    if hazard.what == "one value" or not isinstance(value, ir.Sequence):
        if hazard.what == "one value" and isinstance(value, ir.Name) and _reads_outputs(file, call):
            edit = returned(file, value, f"{value.id}, {value.id}")
            changes = "each step outputs the carry, where another may be meant"
            return Fix("Return it as the carry and as the output", (edit,), changes=changes)
        edit = returned(file, value, f"{argument(file, value.site)}, None")
        # What the steps give is read, where it is not seen that it is not.
        level = Applicability.UNSAFE if gives_carry_alone(file, call) else _DISPLAY
        changes = "there is no output of each step"
        return Fix("Return it as the carry, and no output", (edit,), level, changes=changes)
    count = _parts(file, call, hazard)
    if not isinstance(value, ir.Sequence) or value.kind != "tuple" or count != len(value.elements) - 1 or count < 2:
        return None
    if any(isinstance(each, ir.Starred) for each in value.elements):
        return None
    start, end = file.outer_span(value.elements[0].site)[0], file.outer_span(value.elements[-2].site)[1]
    edits = (file.insert(start, "("), file.insert(end, ")"))
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
            case ir.Assign(targets=[ir.Sequence(elements=[_, ir.Name(id=name) as outputs])], value=value) if (
                value is pair
            ):
                scope = file.unit.scope(pair.site)
                if any(each is not outputs for each in names_of(file.unit, scope, name)):
                    return True
    return False


def _condition(hazard: CallbackSignature, file: File) -> Fix | None:
    """One boolean from what a condition returns."""
    function = definition(file, hazard.function)
    value = only_result(function) if function is not None else None
    if value is None or file.outer_span(value.site) != file.span(value.site):
        return None
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


def _elementwise(hazard: CallbackSignature, file: File, call: ir.Call) -> Fix | None:
    """`jnp.where` for a conditional whose predicate is an array."""
    if not (hazard.api or "").endswith(".cond") or call.keywords or len(call.args) < 3 or "array" not in hazard.what:
        return None
    predicate, *branches = call.args[:3]
    results = [_applied(file, branch, call.args[3:]) for branch in branches]
    if None in results:
        return None
    name, imports = file.api("jax.numpy.where")
    text = f"{name}({argument(file, predicate.site)}, {', '.join(filter(None, results))})"
    return Fix("Choose for each element", (file.replace(call.site, text),), _DISPLAY, imports, BOTH_SIDES)


def _applied(file: File, branch: ir.Node, operands: Sequence[ir.Expression]) -> str | None:
    """What a branch gives for the operands."""
    if not isinstance(branch, ir.Lambda):
        return called(file, branch, ", ".join(argument(file, each.site) for each in operands))
    parameters = branch.function.parameters
    if len(parameters) != len(operands) or any(each.kind != "ordinary" for each in parameters):
        return None
    if not all(isinstance(each, (ir.Name, ir.Constant)) for each in operands):
        return None
    texts = {parameter.name: file.code(each.site) for parameter, each in zip(parameters, operands)}
    return substituted(file, ir.result_of(branch), texts)


def _index(hazard: CallbackSignature, file: File) -> Fix | None:
    """An integer from a boolean or a float."""
    what, values = hazard.what, file.values(hazard.operand)
    if what not in ("a bool", "a float") or not values or not all(isinstance(value, Array) for value in values):
        return None
    node = file.unit.nodes[hazard.operand]
    edit = rewritten(file, node, f"{operand(file, hazard.operand)}.astype(int)")
    if what == "a bool":
        return Fix("Convert it to an integer", (edit,), changes="False is the first branch, and True the second")
    return Fix("Convert it to an integer", (edit,), _DISPLAY, changes=FRACTION)
