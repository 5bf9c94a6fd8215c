"""Stale value of a captured variable in a compiled function.

## What it does
Reports the call of a function under `jax.jit` that was called before with arguments of the same shapes and dtypes,
where a global, a variable of the function around, an attribute or an item that its body reads has another value since,
also where another module sets it (`physics.COUPLING = 2.0`); and the call in a loop that computes the variable anew in
each pass, or in some. Where a loop around the call changes an attribute, an item or a global, or another method an attribute of
`self`, the place is reported where the compiled function reads it, or a property or method that it reads through. The function
may be made by another one, and a derivative of it may be what is called.

## Why is this bad
The function reads what is around it when it is traced: the value becomes a constant of the compiled program. Later
calls find the program and run it, and nothing tells them that the value is another one. With arguments of another
shape the function is traced anew, and the new value shows: the result depends on the history.

## Example
```python
rate = 0.1

@jax.jit
def step(w, g):
    return w - rate * g

w = step(w, g)
rate = 0.01
w = step(w, g)
```

## Use instead
```python
@jax.jit
def step(w, g, rate):
    return w - rate * g

w = step(w, g, 0.1)
w = step(w, g, 0.01)
```

## When to ignore
Where the old value is meant. A name of its own for the new one says so.

## Fix safety
The fix adds a parameter that takes the place of the variable, attribute or element, and passes it at each call in the
file. It is unsafe for a function that nobody else can call, and else only shown. There is none where a call is not
seen, as that of a method that is compiled as a value.

## References
- JAX documentation, "JAX - The Sharp Bits", pure functions
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, "Just-in-time compilation" (https://docs.jax.dev/en/latest/jit-compilation.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from keyword import iskeyword

from jaxlint.analysis.checkers.stale_attributes import StaleAttribute
from jaxlint.analysis.checkers.stale_closures import StaleCapture
from jaxlint.analysis.domain.values import Const, is_scalar_const
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope
from jaxlint.rewrite.calls import add_parameter
from jaxlint.rewrite.changes import PASSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX316",
    category=Category.WRONG,
    hazards=(StaleCapture, StaleAttribute),
    fixable="unsafe",
)


def check(hazard: StaleCapture | StaleAttribute, file: File) -> Iterator[Finding]:
    if isinstance(hazard, StaleAttribute):
        code = file.code(hazard.site)
        also = [("it changes here", hazard.changed)]
        if hazard.call is not None:
            also.append(("it is called here", hazard.call))
        yield Finding(
            hazard.site,
            f"Stale value of `{code}` in {function_name(hazard.function)}, which is compiled before it changes",
            f"Pass `{code}` as an argument.",
            also=tuple(also),
        )
        return
    values = ""
    before, now = hazard.before, hazard.now
    if isinstance(before, Const) and isinstance(now, Const) and is_scalar_const(before) and is_scalar_const(now):
        values = f": {before.value!r}, now {now.value!r}"
    yield Finding(
        hazard.site,
        f"Stale value of `{hazard.text}` in compiled `{file.code(hazard.site, 40)}`{values}",
        f"Read the parameter `{hazard.unread}` in its place."
        if hazard.unread
        else f"Pass `{hazard.text}` as an argument.",
        _fix(file, hazard),
        also=(
            ("it is read here, when the function is traced", hazard.read),
            ("this call compiled it", hazard.first) if hazard.rebound is None else ("it changes here", hazard.rebound),
        ),
    )


@or_none
def _fix(file: File, hazard: StaleCapture) -> Fix:
    require(hazard.read in file.unit)
    around = (each for each in file.unit.ancestors(hazard.read) if each.site == hazard.compiled)
    function = expect(ir.Function, next(around, None))  # else it is read in what the compiled function calls
    read = file.unit.nodes[hazard.read]
    while not isinstance(read, (ir.Name, ir.Attribute, ir.Subscript)) or _plain(file.code(read.site)) != _plain(
        hazard.text
    ):
        read = known(file.unit.parent(read.site))
        require(not isinstance(read, ir.Statement))
    root, name, code = expect(ir.Name, ir.root_of(read)), known(_name(read)), file.code(read.site)
    owner = defining_scope(file.unit, root.site, root.id)
    if hazard.unread:
        return known(_named(file, hazard, function))

    def argument(call: ir.Call) -> str | None:
        return code if defining_scope(file.unit, call.site, root.id) is owner else None

    change = known(add_parameter(file, function, name, argument, shadows=name == root.id))
    require(owner is not function)
    edits = list(change.edits)
    if name != root.id:
        same = [each for each in ir.walk(function.body) if type(each) is type(read) and file.code(each.site) == code]
        edits += [file.replace(each.site, name) for each in same]
    title = f"Pass `{code}` as an argument"
    return Fix(title, tuple(edits), change.level, changes=PASSED)


@or_none
def _named(file: File, hazard: StaleCapture, function: ir.Function) -> Fix:
    """The parameter that is passed the variable, and that the function does not read, with the name of the variable."""
    parameter, draft = next((each for each in function.parameters if each.name == hazard.unread), None), Draft(file)
    require(all(not isinstance(node, ir.Keyword) or node.name != hazard.unread for node in file.unit.own))
    require(all(each.name != hazard.text for each in function.parameters))
    draft.rename(known(parameter), hazard.text)
    return draft.fix(f"Name the parameter `{hazard.text}`", "it is read at each call")


def _plain(code: str) -> str:
    return code.replace("'", '"')


def _name(read: ir.Node) -> str | None:
    """A name for the parameter: that of the variable, the attribute or the key."""
    if isinstance(read, ir.Subscript):
        key = read.index.value if isinstance(read.index, ir.Constant) else None
        return key if isinstance(key, str) and key.isidentifier() and not iskeyword(key) else None
    return read.id if isinstance(read, ir.Name) else getattr(read, "attr", None)
