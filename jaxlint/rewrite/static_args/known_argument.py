"""The fix that names an argument which the function has."""

from __future__ import annotations

from difflib import get_close_matches

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, FunctionValue
from jaxlint.analysis.transforms.agreement import UnknownStaticArgument
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition
from jaxlint.rewrite.requirements import expect, known, only, or_none, require
from jaxlint.rewrite.transform_options import rewritten, tuple_text, value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY


@or_none
def of_two_arrays(hazard: Hazard, file: File) -> Fix:
    """`jnp.maximum(x, y)` for `jnp.max(x, y)`, whose second argument is an axis."""
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    name = {"jax.numpy.max": "jax.numpy.maximum", "jax.numpy.min": "jax.numpy.minimum"}.get(hazard.api or "")
    require(name and hazard.parameter == "axis" and len(call.args) == 2 and not call.keywords)
    require(call.args[1].site == hazard.operand and expect(Array, hazard.value).aval.shape)  # a number may be an axis
    spelled = draft.api(known(name))
    draft.replace(call.func.site, spelled)
    return draft.fix(f"Use `{spelled}`", "it compares element by element")


@or_none
def known_argument(hazard: UnknownStaticArgument, file: File) -> Fix:
    require(hazard.site in file.unit)
    writers = {"unknown": _renamed, "beyond": _counted_from_0, "positional-only": _numbered, "hidden": _wrapping}
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    return writers.get(hazard.reason, _by_position)(hazard, Draft(file), call)


def _renamed(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """The nearest parameter name in place of each unknown one."""
    literal, file = _literal(hazard, call), draft.file
    parts = [part.strip() for part in str(hazard.entry).split(",")]
    nearest = [get_close_matches(part, hazard.parameters, n=1, cutoff=0.5) for part in parts]
    names = [match[0] for match in nearest if match]
    option = file.unit.parent(literal.site)
    require(len(set(names)) == len(parts) and not set(names) & _others(option, literal))
    require(len(parts) == 1 or isinstance(option, ir.Keyword))
    quote = '"' if file.code(literal.site).endswith('"') else "'"
    quoted = [quote + name + quote for name in names]
    draft.replace(literal.site, quoted[0] if len(quoted) == 1 else tuple_text(quoted))
    return draft.fix(f"Name {' and '.join(f'`{name}`' for name in names)}", GUESSED)


def _counted_from_0(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """The last argument where the number is one too high, as it is when `self` is counted or one starts at 1."""
    literal, file, last = _literal(hazard, call), draft.file, len(hazard.parameters) - 1
    require(last >= 0 and hazard.entry == last + 1 and file.code(literal.site).isdigit())
    require(last not in _others(file.unit.parent(literal.site), literal))
    draft.replace(literal.site, str(last))
    # Of a static argument that is the wrong one the code fails; of the others it would give something else.
    level = _DISPLAY if hazard.parameter == "argnums" or (hazard.parameter or "").startswith("donate") else _UNSAFE
    return draft.fix(f"Count from 0, where `{hazard.parameters[last]}` is {last}", GUESSED, level)


def _numbered(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """Numbers in place of the names of parameters that are passed by position only."""
    file, option = draft.file, hazard.parameter or ""
    function = known(definition(file, expect(FunctionValue, hazard.function)))
    keyword = known(next((each for each in call.keywords if each.name == option), None))
    numbers = option.replace("names", "nums")
    value = keyword.value
    written = value.elements if isinstance(value, ir.Sequence) else [value]
    positions = {each.name: str(n) for n, each in enumerate(function.parameters) if each.kind != "keyword-only"}
    given = [known(positions.get(getattr(each, "value", None) or "")) for each in written]
    require(given and value_of(call, numbers) is None)
    start = file.span(keyword.site)[0]
    draft.edits.append(Edit(start, start + len(option), numbers))
    draft.edits.append(rewritten(file, value, tuple_text(given) if isinstance(value, ir.Sequence) else given[0]))
    title = f"Give {'their numbers' if len(given) > 1 else 'its number'}"
    return draft.fix(title, "right where callers pass it by position")


def _wrapping(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """`functools.wraps` on the wrapper, so that JAX sees the parameters of what it calls."""
    file = draft.file
    wrapper = known(definition(file, hazard.function))
    passed_on = {
        node.func.id for node in ir.walk(wrapper.body, into_scopes=False)
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and any(isinstance(a, ir.Starred) for a in node.args)
    }  # fmt: skip
    define = expect(ir.Define, file.unit.parent(wrapper.site))
    outer = expect(ir.Function, file.unit.scope(define.site))
    require(len(passed_on) == 1 and passed_on <= {each.name for each in outer.parameters})
    draft.above(define, f"@{draft.api('functools.wraps')}({passed_on.pop()})")
    title = f"Let `{wrapper.name}` show the parameters of what it calls"
    return draft.fix(title, "it has the name and docstring of what it calls")


def _by_position(hazard: UnknownStaticArgument, draft: Draft, call: ir.Call) -> Fix:
    """The differentiated argument passed by position, where it is the first that is passed by name."""
    require(hazard.entry == len(call.args) < len(hazard.parameters) and call.keywords)
    keyword, file = call.keywords[0], draft.file
    require(keyword.name == hazard.parameters[len(call.args)])
    draft.edits.append(Edit(file.span(keyword.site)[0], file.outer_span(keyword.value.site)[0], ""))
    return draft.fix(f"Pass `{keyword.name}` by position", level=Applicability.SAFE)


def _literal(hazard: UnknownStaticArgument, call: ir.Call) -> ir.Constant:
    """The string or number in the source that is the wrong entry."""
    value = value_of(call, hazard.parameter or "")
    elements = value.elements if isinstance(value, ir.Sequence) else [value]
    constants = [each for each in elements if isinstance(each, ir.Constant) and type(each.value) is type(hazard.entry)]
    return only(each for each in constants if each.value == hazard.entry)


def _others(option: ir.Node | None, literal: ir.Constant) -> set[object]:
    """The entries that stand beside one."""
    elements = option.elements if isinstance(option, ir.Sequence) else ()
    return {each.value for each in elements if isinstance(each, ir.Constant) and each is not literal}
