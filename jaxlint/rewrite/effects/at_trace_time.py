"""What a cache or an attribute keeps, made at trace time from concrete values: `jax.ensure_compile_time_eval`."""

from __future__ import annotations

from jaxlint.analysis.checkers.trace_side_effects import TracerLeak
from jaxlint.analysis.domain.origin import MADE_OF_CONSTANTS
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import block_span, first_statement, moved
from jaxlint.source.diagnostic import Edit, Fix

_CHANGES = "it is computed once, and the cache keeps arrays"


@or_none
def made_concrete(file: File, site: int) -> Fix:
    """The fix that puts the body of the function behind a cache into `with jax.ensure_compile_time_eval():`."""
    function, draft = _behind(file, file.unit.nodes[site]), Draft(file)
    if function is None:
        return _called_concretely(draft, site)
    require(not function.is_generator and len(function.body) < 7)
    _put_inside(draft, function.body[function.body.index(first_statement(function)) :])
    return draft.fix(f"Compute what `{function.name}` returns while JAX traces", _CHANGES)


@or_none
def kept_concrete(file: File, hazard: TracerLeak) -> Fix:
    """The fix for what is stored where it is missing, and made of nothing traced: what computes it is evaluated at once."""
    require(hazard.origin is not None and hazard.origin.text == MADE_OF_CONSTANTS)
    statement, draft = file.unit.statement(hazard.site), Draft(file)
    choice, target = expect(ir.If, file.unit.parent(statement.site)), known(only_target(statement))
    require(statement in choice.body and not choice.orelse)
    match choice.test, target:
        case ir.Compare(ops=["is"], left=asked, rights=[ir.Constant(value=None)]), ir.Attribute() as held:
            pass
        case ir.Compare(ops=["not in"], rights=[asked]), ir.Subscript(value=held):
            pass
        case _:
            raise NoFix
    require(file.code(asked.site) == file.code(held.site))
    _put_inside(draft, choice.body)
    return draft.fix("Compute what is kept while JAX traces", _CHANGES)


def _put_inside(draft: Draft, block: list[ir.Statement]) -> None:
    """Puts a block into `with jax.ensure_compile_time_eval():`."""
    file, indentation = draft.file, draft.file.indentation(block[0].site)
    body = known(moved(file, block, f"{indentation}    "))
    head = f"{indentation}with {draft.api('jax.ensure_compile_time_eval')}():"
    start, end = block_span(file, block, whole=True)
    draft.edits.append(Edit(start, end, file.source.newline.join([head, *body])))


def _called_concretely(draft: Draft, site: int) -> Fix:
    """The call of a function of another file in `with jax.ensure_compile_time_eval():`."""
    file = draft.file
    call, statement = expect(ir.Call, file.unit.nodes[site]), expect(ir.Assign, file.unit.statement(site))
    require(statement.value is call and "\n" not in file.code(statement.site))
    draft.above(statement, f"with {draft.api('jax.ensure_compile_time_eval')}():")
    draft.insert(file.span(statement.site)[0], "    ")
    return draft.fix(f"Compute what `{file.code(call.func.site, 40)}` returns while JAX traces", _CHANGES)


def _behind(file: File, node: ir.Node) -> ir.Function | None:
    """The function of the file whose result is remembered; for a property the one of its name in a class around."""
    functions = [each.function for each in file.unit.own if isinstance(each, ir.Define)]
    match node:
        case ir.Call(func=ir.Name(id=name) | ir.Attribute(attr=name)):
            found = [each for each in functions if each.name == name]
        case ir.Attribute(attr=name):
            found = [each for each in functions if each.name == name and each.is_method]
        case _:
            return None
    return found[0] if len(found) == 1 and found[0].decorators else None
