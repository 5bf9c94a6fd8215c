"""What a cache keeps, made at trace time from concrete values: `jax.ensure_compile_time_eval`."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import first_statement, line_start, stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix


def made_concrete(file: File, site: int) -> Fix | None:
    """The fix that puts the body of the function behind a cache into `with jax.ensure_compile_time_eval():`."""
    function = _behind(file, file.unit.nodes[site])
    if function is None:
        return _called_concretely(file, site)
    if function.is_generator or len(function.body) > 6:
        return None
    first = first_statement(function)
    start, end = file.span(first.site)[0], file.span(function.body[-1].site)[1]
    text = file.source.text
    if not stands_on_own_lines(file, function.body[-1]) or text[line_start(file, start) : start].strip():
        return None
    if '"""' in text[start:end] or "'''" in text[start:end] or "\\\n" in text[start:end]:
        return None
    evaluated, imports = file.api("jax.ensure_compile_time_eval")
    indentation = file.indentation(first.site)
    lines = text[start:end].split("\n")
    body = "\n".join([lines[0], *(f"    {line}" if line.strip() else line for line in lines[1:])])
    content = f"with {evaluated}():{file.source.newline}{indentation}    {body}"
    title = f"Compute what `{function.name}` returns while JAX traces"
    changes = "it is computed once, and the cache keeps arrays"
    return Fix(title, (Edit(start, end, content),), imports=imports, changes=changes)


def _called_concretely(file: File, site: int) -> Fix | None:
    """The call of a function of another file in `with jax.ensure_compile_time_eval():`."""
    call, statement = file.unit.nodes[site], file.unit.statement(site)
    if not isinstance(call, ir.Call) or not isinstance(statement, ir.Assign) or statement.value is not call:
        return None
    start, end = file.span(statement.site)
    if not stands_on_own_lines(file, statement) or "\n" in file.source.text[start:end]:
        return None
    evaluated, imports = file.api("jax.ensure_compile_time_eval")
    indentation = file.indentation(statement.site)
    edit = file.insert(start, f"with {evaluated}():{file.source.newline}{indentation}    ")
    title = f"Compute what `{file.code(call.func.site, 40)}` returns while JAX traces"
    return Fix(title, (edit,), imports=imports, changes="it is computed once, and the cache keeps arrays")


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
