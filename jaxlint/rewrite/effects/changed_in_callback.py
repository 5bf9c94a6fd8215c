"""Changes of what is outside that a repeated body makes, handed to `jax.debug.callback`."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Transformed
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import EACH_RUN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.effects.dropped_globals import undeclare
from jaxlint.rewrite.file import File
from jaxlint.rewrite.printing.called_back import called_back, traced_names
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Edit, Fix


@or_none
def changed_in_callback(hazard: Hazard, file: File) -> Fix:
    """The fix that makes the change in a callback, and waits for all of them behind the loop that is called."""
    statement, function = file.unit.statement(hazard.site), expect(ir.Function, file.unit.scope(hazard.site))
    require(not function.is_lambda)
    draft, title = Draft(file), "Make the change in a `jax.debug.callback`"
    if isinstance(statement, ir.Evaluate):
        made = known(called_back(file, statement.value))
        draft.edits, draft.imports = list(made.edits), made.imports
    else:
        require(isinstance(statement, (ir.Augment, ir.Assign)))
        _call_back(draft, function, statement)
    waiting = _barrier(hazard, file)
    if waiting is None:
        return draft.fix(title, "it happens at each run, `jax.effects_barrier()` waits", Applicability.DISPLAY)
    draft.edits += waiting
    return draft.fix(f"{title}, and wait for it", EACH_RUN)


def _call_back(draft: Draft, function: ir.Function, statement: ir.Statement) -> None:
    """Puts the statement in a function of its own, which is called back."""
    file, code = draft.file, draft.file.code(statement.site)
    require(
        stands_on_own_lines(file, statement) and traced_names(file, ir.walk([statement])) == [] and "\n" not in code
    )
    name = free_name(file, function.body[0].site, "update", "change")
    indentation, newline = file.indentation(statement.site), file.source.newline
    inner = f"{newline}{indentation}    "
    lines = f"def {name}():"
    for target in statement.targets if isinstance(statement, ir.Assign) else [statement.target]:  # type: ignore[attr-defined]
        if isinstance(target, ir.Attribute):  # else it is read before the callback has run
            same = [n for n in ir.walk(function.body) if isinstance(n, ir.Attribute) and n.attr == target.attr]
            require(same == [target])
        if isinstance(target, ir.Name):
            require(target.id in function.nonlocals | function.globals)
            require(ir.names_below(function.body)[target.id] == [target])
            lines += f"{inner}{'nonlocal' if target.id in function.nonlocals else 'global'} {target.id}"
            undeclare(draft, function, target.id)
    lines += f"{inner}{code}{newline}{newline}{indentation}{draft.api('jax.debug.callback')}({name})"
    draft.replace(statement.site, lines)


@or_none
def _barrier(hazard: Hazard, file: File) -> list[Edit]:
    """Edits that wait behind the outermost transform, where it is called in code that runs as it stands."""
    steps = list(hazard.origin.steps(limit=64)) if hazard.origin is not None else []
    transforms = [step for step in steps if step.transform]
    site = known(transforms[-1] if transforms else None).site
    require(isinstance(file.unit.nodes[site], ir.Call))
    # What is made there is called elsewhere.
    require(not any(isinstance(each, Transformed) for each in file.values(site)))
    statement, around, draft = file.unit.statement(site), file.unit.scope(site), Draft(file)
    if isinstance(around, ir.Function):  # it may be traced as well
        require(not around.is_lambda and not around.decorators and visible_calls(file, around, ()) is not None)
    barrier = draft.api("jax.effects_barrier")
    if isinstance(statement, ir.Return) and statement.value is not None:
        result = free_name(file, statement.site, "result", "value")
        start, first = file.span(statement.site)[0], file.outer_span(statement.value.site)[0]
        draft.edits.append(Edit(start, first, f"{result} = "))
        draft.below(statement, f"{barrier}()")
        draft.below(statement, f"return {result}")
    else:
        require(isinstance(statement, (ir.Assign, ir.Evaluate)))
        draft.below(statement, f"{barrier}()")
    return draft.edits
