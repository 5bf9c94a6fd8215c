"""The fix that names an argument which the function has."""

from __future__ import annotations

from difflib import get_close_matches

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, FunctionValue
from jaxlint.analysis.transforms.agreement import UnknownStaticArgument
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition
from jaxlint.rewrite.transform_options import rewritten, tuple_text, value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY


def of_two_arrays(hazard: Hazard, file: File) -> Fix | None:
    """`jnp.maximum(x, y)` for `jnp.max(x, y)`, whose second argument is an axis."""
    call, api = file.unit.nodes[hazard.site], hazard.api or ""
    name = {"jax.numpy.max": "jax.numpy.maximum", "jax.numpy.min": "jax.numpy.minimum"}.get(api)
    if name is None or hazard.parameter != "axis" or not isinstance(call, ir.Call):
        return None
    if len(call.args) != 2 or call.keywords or call.args[1].site != hazard.operand:
        return None
    if not isinstance(hazard.value, Array) or not hazard.value.aval.shape:
        return None  # a number may be an axis
    spelled, imports = file.api(name)
    edit = file.replace(call.func.site, spelled)
    return Fix(f"Use `{spelled}`", (edit,), imports=imports, changes="it compares element by element")


def known_argument(hazard: UnknownStaticArgument, file: File) -> Fix | None:
    if hazard.site not in file.unit:
        return None
    if hazard.reason == "unknown":
        return _renamed(hazard, file)
    if hazard.reason == "beyond":
        return _counted_from_0(hazard, file)
    if hazard.reason == "positional-only":
        return _numbered(hazard, file)
    if hazard.reason == "hidden":
        return _wrapping(hazard, file)
    return _by_position(hazard, file)


def _renamed(hazard: UnknownStaticArgument, file: File) -> Fix | None:
    """The nearest parameter name in place of each unknown one."""
    literal = _literal(hazard, file)
    if literal is None:
        return None
    parts = [part.strip() for part in str(hazard.entry).split(",")]
    nearest = [get_close_matches(part, hazard.parameters, n=1, cutoff=0.5) for part in parts]
    names = [match[0] for match in nearest if match]
    option = file.unit.parent(literal.site)
    if (
        len(names) < len(parts)
        or len(set(names)) < len(names)
        or (len(parts) > 1 and not isinstance(option, ir.Keyword))
    ):
        return None
    if set(names) & _others(option, literal):
        return None
    quote = '"' if file.code(literal.site).endswith('"') else "'"
    quoted = [quote + name + quote for name in names]
    content = quoted[0] if len(quoted) == 1 else f"({', '.join(quoted)})"
    shown = " and ".join(f"`{name}`" for name in names)
    return Fix(f"Name {shown}", (file.replace(literal.site, content),), changes=GUESSED)


def _counted_from_0(hazard: UnknownStaticArgument, file: File) -> Fix | None:
    """The last argument where the number is one too high, as it is when `self` is counted or one starts at 1."""
    literal = _literal(hazard, file)
    last = len(hazard.parameters) - 1
    if literal is None or last < 0 or hazard.entry != last + 1 or not file.code(literal.site).isdigit():
        return None
    if last in _others(file.unit.parent(literal.site), literal):
        return None
    # Of a static argument that is the wrong one the code fails; of the others it would give something else.
    level = _DISPLAY if hazard.parameter == "argnums" or (hazard.parameter or "").startswith("donate") else _UNSAFE
    title, edit = f"Count from 0, where `{hazard.parameters[last]}` is {last}", file.replace(literal.site, str(last))
    return Fix(title, (edit,), level, changes=GUESSED)


def _numbered(hazard: UnknownStaticArgument, file: File) -> Fix | None:
    """Numbers in place of the names of parameters that are passed by position only."""
    function, call, option = definition(file, hazard.function), file.unit.nodes[hazard.site], hazard.parameter or ""
    if function is None or type(hazard.function) is not FunctionValue or not isinstance(call, ir.Call):
        return None
    numbers = option.replace("names", "nums")
    keyword = next((each for each in call.keywords if each.name == option), None)
    if keyword is None or value_of(call, numbers) is not None:
        return None
    value = keyword.value
    written = value.elements if isinstance(value, ir.Sequence) else [value]
    entries = [each.value for each in written if isinstance(each, ir.Constant)]
    positions = {each.name: number for number, each in enumerate(function.parameters) if each.kind != "keyword-only"}
    if not entries or len(entries) != len(written) or any(each not in positions for each in entries):
        return None
    found = [str(positions[each]) for each in entries]
    text = tuple_text(found) if isinstance(value, ir.Sequence) else found[0]
    start = file.span(keyword.site)[0]
    edits = (Edit(start, start + len(option), numbers), rewritten(file, value, text))
    title = f"Give {'their numbers' if len(found) > 1 else 'its number'}"
    return Fix(title, edits, changes="right where callers pass it by position")


def _wrapping(hazard: UnknownStaticArgument, file: File) -> Fix | None:
    """`functools.wraps` on the wrapper, so that JAX sees the parameters of what it calls."""
    wrapper = definition(file, hazard.function)
    if wrapper is None or wrapper.is_lambda:
        return None
    passed_on = {
        node.func.id
        for node in ir.walk(wrapper.body, into_scopes=False)
        if isinstance(node, ir.Call)
        and isinstance(node.func, ir.Name)
        and any(isinstance(a, ir.Starred) for a in node.args)
    }
    outer = file.unit.scope(wrapper.site)
    outer = file.unit.scope(outer.site) if outer is wrapper else outer
    if (
        len(passed_on) != 1
        or not isinstance(outer, ir.Function)
        or not passed_on <= {each.name for each in outer.parameters}
    ):
        return None
    define = file.unit.statement(wrapper.site)
    name, imports = file.api("functools.wraps")
    start = file.span(define.site)[0]
    text = f"@{name}({passed_on.pop()}){file.source.newline}{file.indentation(define.site)}"
    title = f"Let `{wrapper.name}` show the parameters of what it calls"
    changes = "it has the name and docstring of what it calls"
    return Fix(title, (file.insert(start, text),), imports=imports, changes=changes)


def _by_position(hazard: UnknownStaticArgument, file: File) -> Fix | None:
    """The differentiated argument passed by position, where it is the first that is passed by name."""
    call = file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call) or hazard.entry != len(call.args) or not call.keywords:
        return None
    keyword = call.keywords[0]
    if hazard.entry >= len(hazard.parameters) or keyword.name != hazard.parameters[hazard.entry]:
        return None
    start, end = file.span(keyword.site)[0], file.outer_span(keyword.value.site)[0]
    return Fix(f"Pass `{keyword.name}` by position", (Edit(start, end, ""),), Applicability.SAFE)


def _literal(hazard: UnknownStaticArgument, file: File) -> ir.Constant | None:
    """The string or number in the source that is the wrong entry."""
    call = file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call):
        return None
    value = next((keyword.value for keyword in call.keywords if keyword.name == hazard.parameter), None)
    elements = value.elements if isinstance(value, ir.Sequence) else [value]
    entry = hazard.entry
    constants = [each for each in elements if isinstance(each, ir.Constant) and type(each.value) is type(entry)]
    found = [each for each in constants if each.value == entry]
    return found[0] if len(found) == 1 else None


def _others(option: ir.Node | None, literal: ir.Constant) -> set[object]:
    """The entries that stand beside one."""
    elements = option.elements if isinstance(option, ir.Sequence) else ()
    return {each.value for each in elements if isinstance(each, ir.Constant) and each is not literal}
