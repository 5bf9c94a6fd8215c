"""Compiled `checkify.check` without `checkify.checkify`.

## What it does
Reports `checkify.check` and `check_error` in a function that `jit`, `scan`, `cond` or their kin compile, where
it is called from code that nothing transforms.

## Why is this bad
Compiled code cannot raise. `checkify.checkify` turns the checks of a function into an error value that it
returns; without it JAX does not know what to do with them: `ValueError: Cannot abstractly evaluate a
checkify.check which was not functionalized`. OutOfBoundsIndex of compiled code a check raises at once, and all is well.

## Example
```python
@jax.jit
def step(x):
    checkify.check(jnp.all(x > 0), "x must be positive")
    return jnp.log(x)

step(x)
```

## Use instead
```python
error, y = checkify.checkify(step)(x)
error.throw()
```

`checkify.debug_check` does nothing where there is no `checkify`, and is a check where there is one.

## When to ignore
Never: the call raises an error. A compiled function that nothing in the file calls is not reported, because its
caller may use `checkify`.

## Fix safety
Unsafe. Where a loop or branch of `jax.lax` compiles the check, it is called through `checkify.checkify`, and the error
it returns is thrown. CrossFileDiagnostic `debug_check` takes the place of `check`: the function runs, and checks where its caller
uses `checkify`. There is no fix for `check_error`.

## References
- JAX documentation, "The checkify transformation": https://docs.jax.dev/en/latest/debugging/checkify_guide.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.checkify import CheckifyNotFunctionalised
from jaxlint.analysis.domain.values import Api
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import IN_CHECKIFY
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX706",
    category=Category.FAILS,
    hazards=(CheckifyNotFunctionalised,),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: CheckifyNotFunctionalised, file: File) -> Iterator[Finding]:
    called = file.code(file.unit.nodes[hazard.site].func.site, 40)
    advice = (
        "Call the function through `checkify.checkify` and throw the returned error, or use `checkify.debug_check`."
    )
    if str(hazard.api).endswith("check_error"):
        advice = f"Return `{file.code(hazard.site, 40).partition('(')[2].rstrip(')')}` as well, and throw it where the function is called."
    yield Finding(
        hazard.site,
        f"Compiled `{called}` without `checkify.checkify`",
        advice,
        _thrown(hazard, file) or _for_debugging(hazard, file),
        also=(("compiled here", hazard.compiled),),
    )


@or_none
def _thrown(hazard: CheckifyNotFunctionalised, file: File) -> Fix:
    """The loop or branch that compiles the check called through `checkify`: nothing traces that call itself."""
    call, draft = expect(ir.Call, file.unit.nodes[hazard.compiled]), Draft(file)
    require(str(hazard.api).endswith(".check"))
    require(any(type(value) is Api and value.name.startswith("jax.lax.") for value in file.values(call.func.site)))
    statement = file.unit.statement(call.site)
    require(isinstance(statement, (ir.Return, ir.Assign, ir.Evaluate)) and stands_on_own_lines(file, statement))
    node: ir.Node | None = getattr(statement, "value", None)
    while isinstance(node, ir.Subscript):
        node = node.value
    require(node is call)
    error = free_name(file, call.site, "error", "check_error")
    result = free_name(file, call.site, "result", "value", "output")
    newline, indentation = file.source.newline, file.indentation(statement.site)
    end, (first, last) = file.span(call.func.site)[1], file.span(call.site)
    checked = draft.call("jax.experimental.checkify.checkify", file.code(call.func.site))
    through = f"{checked}{file.source.text[end:last]}"
    above = f"{error}, {result} = {through}{newline}{indentation}{error}.throw(){newline}{indentation}"
    at = file.span(statement.site)[0]
    draft.edits += [Edit(at, first, above + file.source.text[at:first]), Edit(first, last, result)]
    title = f"Call `{file.code(call.func.site)}` through `checkify`, and throw its error"
    return draft.fix(title, "right where no transform is around this call")


@or_none
def _for_debugging(hazard: CheckifyNotFunctionalised, file: File) -> Fix:
    call, draft = file.unit.nodes[hazard.site], Draft(file)
    require(str(hazard.api).endswith(".check") and all(each.name not in (None, "debug") for each in call.keywords))
    if not isinstance(call.func, ir.Attribute):
        return using(file, call.func.site, "jax.experimental.checkify.debug_check", IN_CHECKIFY)
    name = f"{file.code(call.func.value.site)}.debug_check"
    draft.replace(call.func.site, name)
    return draft.fix(f"Use `{name}`", IN_CHECKIFY)
