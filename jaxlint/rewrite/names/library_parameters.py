"""Arguments that a function does not take as they are passed: what to say, and how to write them."""

from __future__ import annotations

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import ParameterUse, ParameterUsed
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import ParameterHistory
from jaxlint.rewrite import operands
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.changes import DIFFERS
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.words import sentence
from jaxlint.source.diagnostic import Applicability, Edit, Fix


def help_for(use: ParameterUse) -> str | None:
    """What to do about an argument."""
    history = use.history
    if history.advice:
        return sentence(history.advice)
    if use.how == "positional-only":
        return f"Pass `{history.parameter}` by position."
    if use.how == "keyword-only":
        return f"Write `{history.parameter}=`."
    if history.renamed_to is None:
        return None
    if use.releases.have(history.since):
        return f"Write `{history.renamed_to}=`."
    package = use.releases.package
    return (
        f"Use `{history.renamed_to}`, its name from {package} {history.since}; "
        f"the target starts at {use.releases.lowest}."
    )


def argument_fix(file: File, hazard: ParameterUsed) -> Fix | None:
    """The fix for one argument."""
    use = hazard.use
    node = file.unit.nodes[hazard.site]
    history = use.history
    if use.how == "keyword-only":
        start = file.outer_span(node.site)[0]
        return Fix(f"Name `{history.parameter}`", (Edit(start, start, f"{history.parameter}="),), Applicability.SAFE)
    if not isinstance(node, ir.Keyword):
        return None
    if use.how == "positional-only" or history.rewrite == "positional":
        return _by_position(file, node, hazard.api or "", use)
    level = Applicability(history.level)
    if history.rewrite == "delete":
        return Fix(f"Leave `{history.parameter}` out", (without_argument(file, node),), level, changes=DIFFERS)
    if history.values is not None and isinstance(node.value, ir.Constant) and use.releases.have(history.since):
        value = history.values.get(repr(node.value.value))
        if value is None:
            return None
        text = f"{history.renamed_to}={value}"
        return Fix(f"Write `{text}`", (file.replace(node.site, text),), level, changes=DIFFERS)
    if history.renamed_to is not None and use.releases.have(history.since) and history.rewrite in ("rename", "none"):
        call = file.unit.parent(node.site)
        if any(other.name == history.renamed_to for other in getattr(call, "keywords", ())):
            return None
        start = file.span(node.site)[0]
        edit = Edit(start, start + len(str(node.name)), history.renamed_to)
        level = level if history.rewrite == "rename" else Applicability.UNSAFE
        return Fix(f"Write `{history.renamed_to}=`", (edit,), level, changes=DIFFERS)
    return None


def _by_position(file: File, node: ir.Keyword, api: str, use: ParameterUse) -> Fix | None:
    """`where(c, x=a, y=b)` as `where(c, a, b)`: the keywords that come next, in their order."""
    call = file.unit.parent(node.site)
    parameters = knowledge.signature(api, use.releases.newest)
    if not isinstance(call, ir.Call) or parameters is None or any(isinstance(arg, ir.Starred) for arg in call.args):
        return None
    if any(keyword.name is None for keyword in call.keywords):
        return None
    places = [each.name for each in parameters if each.kind in ("positional-only", "ordinary")]
    name = use.history.renamed_to or use.history.parameter
    position = len(call.args)
    # Keywords that already stand where their position is, up to this one.
    for keyword in call.keywords:
        own = _new_name(api, keyword.name or "", places)
        if position >= len(places) or own != places[position]:
            break
        if keyword is node:
            start = file.span(node.site)[0]
            before = [each for each in call.keywords if file.span(each.site)[0] < start]
            edits = [_bare(file, each) for each in (*before, node)]
            level = Applicability(use.history.level) if use.history.rewrite == "positional" else Applicability.SAFE
            return Fix(f"Pass `{name}` by position", tuple(edits), level, changes=DIFFERS)
        position += 1
    return None


def _new_name(api: str, keyword: str, places: list[str]) -> str:
    """The parameter a keyword is meant for."""
    if keyword in places:
        return keyword
    history: ParameterHistory | None = knowledge.parameter_history(api, keyword)
    return history.renamed_to or keyword if history is not None else keyword


def _bare(file: File, keyword: ir.Keyword) -> Edit:
    """The keyword as its value alone."""
    start, end = file.span(keyword.site)
    return Edit(start, end, operands.argument(file, keyword.value.site))
