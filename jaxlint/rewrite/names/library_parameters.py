"""What findings say of names and parameters of libraries, and arguments as a function takes them."""

from __future__ import annotations

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import NameUse, ParameterUse, ParameterUsed
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import ParameterHistory, Replacement
from jaxlint.project.target import Releases
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import DIFFERS
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.moves import offered
from jaxlint.rewrite.requirements import expect, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Fix


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


@or_none
def argument_fix(file: File, hazard: ParameterUsed) -> Fix:
    """The fix for one argument."""
    use, history, draft = hazard.use, hazard.use.history, Draft(file)
    if use.how == "keyword-only":
        draft.insert(file.outer_span(hazard.site)[0], f"{history.parameter}=")
        return draft.fix(f"Name `{history.parameter}`", level=Applicability.SAFE)
    node = expect(ir.Keyword, file.unit.nodes[hazard.site])
    if use.how == "positional-only" or history.rewrite == "positional":
        return _by_position(draft, node, hazard.api or "", use)
    level = Applicability(history.level)
    if history.rewrite == "delete":
        draft.remove_argument(node)
        return draft.fix(f"Leave `{history.parameter}` out", DIFFERS, level)
    require(use.releases.have(history.since))
    if history.values is not None and isinstance(node.value, ir.Constant):
        text = f"{history.renamed_to}={known(history.values.get(repr(node.value.value)))}"
        draft.replace(node.site, text)
        return draft.fix(f"Write `{text}`", DIFFERS, level)
    name = known(history.renamed_to)
    call = expect(ir.Call, file.unit.parent(node.site))
    require(history.rewrite in ("rename", "none") and all(other.name != name for other in call.keywords))
    draft.rename(node, name)
    return draft.fix(f"Write `{name}=`", DIFFERS, level if history.rewrite == "rename" else Applicability.UNSAFE)


def _by_position(draft: Draft, node: ir.Keyword, api: str, use: ParameterUse) -> Fix:
    """`where(c, x=a, y=b)` as `where(c, a, b)`: the keywords that come next, in their order."""
    call = plain_call(draft.file.unit.parent(node.site))
    parameters = known(knowledge.signature(api, use.releases.newest))
    places = [each.name for each in parameters if each.kind in ("positional-only", "ordinary")]
    # Keywords that already stand where their position is, up to this one.
    first = call.keywords[: call.keywords.index(node) + 1]
    own = [_new_name(api, keyword.name or "", places) for keyword in first]
    bound = call.args[1:] if draft.file.is_api(call.func.site, "functools.partial") else call.args
    require(own == places[len(bound) :][: len(own)])
    for each in first:
        draft.replace(each.site, operands.argument(draft.file, each.value.site))
    level = Applicability(use.history.level) if use.history.rewrite == "positional" else Applicability.SAFE
    return draft.fix(f"Pass `{use.history.renamed_to or use.history.parameter}` by position", DIFFERS, level)


def _new_name(api: str, keyword: str, places: list[str]) -> str:
    """The parameter a keyword is meant for."""
    if keyword in places:
        return keyword
    history: ParameterHistory | None = knowledge.parameter_history(api, keyword)
    return history.renamed_to or keyword if history is not None else keyword


def admitted(releases: Releases, since: str | None) -> str:
    """What of the target is meant, where not all of it is."""
    if since is None or releases.lowest == releases.newest or releases.have(since):
        return ""
    return f" (target: {releases})"


def shown(name: str) -> str:
    """A name of the tables as users know it: attributes of arrays are those of `jax.Array`."""
    return f"jax.{name}" if name.startswith("Array.") else name


def instead(use: NameUse) -> str:
    """What to do about a name."""
    history = use.history
    choice = offered(use)
    if choice is not None:
        return _advice(choice)
    later = history.replacement
    if later is not None and later.name is not None:
        there = f"Use `{later.name}`, available from {history.package} {later.since}"
        return f"{there}; the target starts at {use.releases.lowest}."
    if history.message:
        return f"{history.package} says: {' '.join(history.message.split())}"
    removed = history.removed or history.deprecated
    return f"See the change log of {history.package} {removed}."


def _advice(choice: Replacement) -> str:
    return sentence(choice.advice) if choice.advice else f"Use `{choice.name}`."


def sentence(words: str) -> str:
    """Words of the tables as a sentence."""
    return f"{words[0].upper()}{words[1:].rstrip('.')}."
