"""Changes of what is outside that a repeated body makes, handed to `jax.debug.callback`."""

from __future__ import annotations

from dataclasses import replace

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Transformed
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import EACH_RUN
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.effects.dropped_globals import undeclared
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.called_back import called_back, traced_names
from jaxlint.rewrite.statements import below, free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Edit, Fix


def changed_in_callback(hazard: Hazard, file: File) -> Fix | None:
    """The fix that makes the change in a callback, and waits for all of them behind the loop that is called."""
    statement, function = file.unit.statement(hazard.site), file.unit.scope(hazard.site)
    if not isinstance(function, ir.Function) or function.is_lambda:
        return None
    if isinstance(statement, ir.Evaluate):
        made = called_back(file, statement.value)
    else:
        made = _function(file, function, statement)
    if made is None:
        return None
    waiting = _barrier(hazard, file)
    title = "Make the change in a `jax.debug.callback`"
    if waiting is None:
        changes = "it happens at each run, `jax.effects_barrier()` waits"
        return Fix(title, made.edits, Applicability.DISPLAY, made.imports, changes)
    return replace(made, title=f"{title}, and wait for it", edits=in_order([*made.edits, *waiting]))


def _function(file: File, function: ir.Function, statement: ir.Statement) -> Fix | None:
    """The statement in a function of its own, which is called back."""
    if not isinstance(statement, (ir.Augment, ir.Assign)) or not stands_on_own_lines(file, statement):
        return None
    if traced_names(file, ir.walk([statement])) != []:
        return None
    code = file.code(statement.site)
    if "\n" in code:
        return None
    callback, imports = file.api("jax.debug.callback")
    name = free_name(file, function.body[0].site, "update", "change")
    indentation, newline = file.indentation(statement.site), file.source.newline
    inner = f"{newline}{indentation}    "
    targets = statement.targets if isinstance(statement, ir.Assign) else [statement.target]
    edits: list[Edit] = []
    lines = f"def {name}():"
    for target in targets:
        if isinstance(target, ir.Attribute):
            attributes = [each for each in ir.walk(function.body) if isinstance(each, ir.Attribute)]
            if any(each.attr == target.attr and each is not target for each in attributes):
                return None  # it is read before the callback has run
        if not isinstance(target, ir.Name):
            continue
        word = "nonlocal" if target.id in function.nonlocals else "global"
        if target.id not in function.nonlocals | function.globals:
            return None
        taken_back = undeclared(file, function, target.id)
        read = [each for each in ir.walk(function.body) if isinstance(each, ir.Name) and each.id == target.id]
        if taken_back is None or read != [target]:
            return None
        edits += taken_back
        lines += f"{inner}{word} {target.id}"
    lines += f"{inner}{code}{newline}{newline}{indentation}{callback}({name})"
    edits.append(file.replace(statement.site, lines))
    return Fix("", in_order(edits), imports=imports, changes=EACH_RUN)


def _barrier(hazard: Hazard, file: File) -> list[Edit] | None:
    """Edits that wait behind the outermost transform, where it is called in code that runs as it stands."""
    transforms = [
        step for step in (hazard.origin.steps(limit=64) if hazard.origin is not None else ()) if step.transform
    ]
    if not transforms:
        return None
    site = transforms[-1].site
    if not isinstance(file.unit.nodes[site], ir.Call) or any(
        isinstance(each, Transformed) for each in file.values(site)
    ):
        return None  # a function is made there, and called elsewhere
    statement, around = file.unit.statement(site), file.unit.scope(site)
    if isinstance(around, ir.Function) and (
        around.is_lambda or around.decorators or visible_calls(file, around, ()) is None
    ):
        return None  # it may be traced as well
    barrier = file.api("jax.effects_barrier")[0]
    if isinstance(statement, ir.Return) and statement.value is not None and stands_on_own_lines(file, statement):
        result = free_name(file, statement.site, "result", "value")
        start, first = file.span(statement.site)[0], file.outer_span(statement.value.site)[0]
        ending = f"{file.source.newline}{file.indentation(statement.site)}"
        end = file.span(statement.site)[1]
        return [Edit(start, first, f"{result} = "), file.insert(end, f"{ending}{barrier}(){ending}return {result}")]
    if not isinstance(statement, (ir.Assign, ir.Evaluate)):
        return None
    waiting = below(file, statement, f"{barrier}()")
    return None if waiting is None else [waiting]
