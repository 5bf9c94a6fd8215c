"""What a cache keeps, made at trace time from concrete values: `jax.ensure_compile_time_eval`."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.blocks import block_span, moved
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import first_statement
from jaxlint.source.diagnostic import Edit, Fix

_CHANGES = "it is computed once, and the cache keeps arrays"


@or_none
def made_concrete(file: File, site: int) -> Fix:
    """The fix that puts the body of the function behind a cache into `with jax.ensure_compile_time_eval():`."""
    function, draft = _behind(file, file.unit.nodes[site]), Draft(file)
    if function is None:
        return _called_concretely(draft, site)
    require(not function.is_generator and len(function.body) < 7)
    block = function.body[function.body.index(first_statement(function)) :]
    indentation = file.indentation(block[0].site)
    body = known(moved(file, block, f"{indentation}    "))
    head = f"{indentation}with {draft.api('jax.ensure_compile_time_eval')}():"
    draft.edits.append(Edit(*block_span(file, block, whole=True), file.source.newline.join([head, *body])))
    return draft.fix(f"Compute what `{function.name}` returns while JAX traces", _CHANGES)


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
