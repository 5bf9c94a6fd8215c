"""Array used after its buffer was donated.

## What it does
Reports uses of a variable after a call that donated it (`donate_argnums`, `donate_argnames`) and before it is bound
anew, and an argument that is donated and passed a second time in the same call. The same goes for aliases of the array,
such as `initial = params` before a loop that donates `params`, and for the leaves of a tree. Only arrays whose shape
and dtype fit an output of the function are taken, where both are known; NumPy arrays are copied, and calls inside
another trace donate nothing. What a function donates of its own arguments, whatever happens, its caller has lost as
well.

## Why is this bad
The output was written into the buffer of the argument. `RuntimeError: Array has been deleted` is raised
on every platform; its text does not say who took it.

## Example
```python
update = jax.jit(lambda params, gradient: params - 0.1 * gradient, donate_argnums=0)

params = jnp.ones(3)
new_params = update(params, gradient)
change = new_params - params
```

## Use instead
```python
update = jax.jit(lambda params, gradient: params - 0.1 * gradient, donate_argnums=0)

params = jnp.ones(3)
before = params.copy()
params = update(params, gradient)
change = params - before
```

## When to ignore
Never: the use fails.

## Fix safety
The fix donates a copy, which gives what the code gave without donation; it is unsafe because the copy takes the
memory that donating was to save. Where a function of another file donates it, the copy is made for the call in this one. Where the array is passed to a compiled function again, as in a loop, what is
displayed binds the result to its name as well: the old array or the new one may be meant.

## References
- JAX documentation, "Buffer donation": https://docs.jax.dev/en/latest/buffer_donation.html
- JAX documentation, `jax.jit`, `donate_argnums`: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Array, Transformed, Tuple, Unknown, Value
from jaxlint.analysis.transforms.donations import DonatedArgumentReused, Donation
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import is_assigned, names_of, only_target
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, only, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX505",
    category=Category.FAILS,
    hazards=(DonatedArgumentReused,),
    error="RuntimeError",
    fixable="unsafe",
)


def check(hazard: DonatedArgumentReused, file: File) -> Iterator[Finding]:
    donation: Donation = hazard.donation
    function, name = function_name(donation.function), file.code(hazard.operand, 40)
    if donation.again is not None:
        again = file.code(donation.again, 40)
        second = (
            f", as `{again}`" if isinstance(donation.value, (Array, Unknown)) else f": `{again}` holds an array of it"
        )
        yield Finding(
            hazard.site,
            f"`{name}` donated to {function} and passed to it again{second if again != name else ''}",
            f"Pass a copy of `{name}` as one of the arguments, or do not donate it.",
            _copied(donation, file),
        )
        return
    if donation.kept is not None:
        yield Finding(
            hazard.operand,
            f"`{donation.kept}` kept after the loop donates its buffer to {function}",
            f"Keep a copy of `{name}` in `{donation.kept}`.",
            _copied(donation, file),
            also=(
                (f"`{name}` is donated here", donation.site),
                (f"`{donation.kept}` is read here", hazard.site),
            ),
        )
        return
    elsewhere = ir.dotted(file.unit.nodes[donation.argument]) or name
    argument = file.code(donation.argument, 40) if _is_here(donation.argument, file) else elsewhere
    under = (
        f" as `{argument}`"
        if _root(file.unit.nodes[hazard.operand]) != _root(file.unit.nodes[donation.argument])
        else ""
    )
    yield Finding(
        hazard.site,
        f"`{name}` used after its buffer was donated{under}",
        f"Keep a copy of `{argument}` in `{name}`, or do not donate it."
        if donation.aliased is not None
        else f"Copy `{name}` before the call, or do not donate `{argument}`."
        if under
        else f"Bind the result to `{argument}`, copy it before the call, or do not donate it.",
        _unpacked(donation, file)
        if _drops_parts(hazard, donation, file)
        else _rebound(hazard, donation, file) or _copied(donation, file, _passed_before(hazard, file)),
        also=((f"`{argument}` is donated to {function} here", donation.site),) if donation.site != hazard.site else (),
    )


def _is_here(site: int, file: File) -> bool:
    return site in file.unit


def _root(node: ir.Node) -> str | None:
    """The name of the variable that an item or attribute is reached from."""
    while isinstance(node, (ir.Attribute, ir.Subscript)):
        node = node.value
    return node.id if isinstance(node, ir.Name) else None


@or_none
def _rebound(hazard: DonatedArgumentReused, donation: Donation, file: File) -> Fix:
    """The fix that gives the result the name of what was donated, where a compiled function is called with it again."""
    call, name = expect(ir.Call, file.unit.nodes[hazard.site]), expect(ir.Name, file.unit.nodes[hazard.operand])
    require(any(isinstance(each, Transformed) for each in file.values(call.func.site)))
    require(_is_here(donation.site, file))
    statement = expect(ir.Assign, file.unit.parent(donation.site))
    require(file.unit.scope(statement.site) is file.unit.scope(name.site))
    require(all(isinstance(target, ir.Name) and target.id != name.id for target in statement.targets))
    # Else what is given back does not take its place.
    require(file.always(donation.site, lambda each: type(each) is type(hazard.value) and not isinstance(each, Tuple)))
    edit = file.insert(file.span(statement.site)[0], f"{name.id} = ")
    return Fix(f"Bind the result to `{name.id}` as well", (edit,), Applicability.DISPLAY)


@or_none
def _parts(donation: Donation, file: File) -> list[Value]:
    """The parts of the tuple that the call gives; None where it gives anything else."""
    require(_is_here(donation.site, file))
    given = [expect(Tuple, each).items for each in file.values(donation.site)]
    require(given and all(given))
    return list(known(given[0]))


def _drops_parts(hazard: DonatedArgumentReused, donation: Donation, file: File) -> bool:
    """Whether each pass of a loop donates the same state, and binds all that the step gives to one name: a copy hides that."""
    if hazard.site != donation.site or _parts(donation, file) is None:
        return False
    statement = file.unit.parent(donation.site)
    return isinstance(statement, ir.Assign) and all(isinstance(target, ir.Name) for target in statement.targets)


@or_none
def _unpacked(donation: Donation, file: File) -> Fix:
    """The fix that binds the first of two parts to the name of what was donated."""
    statement, name = file.unit.parent(donation.site), expect(ir.Name, file.unit.nodes[donation.argument])
    target, parts = known(only_target(expect(ir.Assign, statement))), known(_parts(donation, file))
    require(len(parts) == 2 and isinstance(parts[0], Array) == isinstance(donation.value, Array))
    edit = file.insert(file.span(target.site)[0], f"{name.id}, ")
    return Fix(f"Bind the first part of the result to `{name.id}`", (edit,), Applicability.DISPLAY)


@or_none
def _passed_before(hazard: DonatedArgumentReused, file: File) -> int:
    """The one argument in which the name was passed before, to a function that donates it."""
    name, scope = expect(ir.Name, file.unit.nodes[hazard.operand]), file.unit.scope(hazard.operand)
    reads = [
        each for each in names_of(file.unit, scope, name.id)
        if each.site < name.site and file.unit.scope(each.site) is scope and not is_assigned(file.unit, each)
    ]  # fmt: skip
    passed = only(each for each in reads if isinstance(file.unit.parent(each.site), (ir.Call, ir.Keyword)))
    require(not any(isinstance(each, (ir.For, ir.While)) for each in file.unit.ancestors(passed.site)))
    return passed.site


@or_none
def _copied(donation: Donation, file: File, passed: int | None = None) -> Fix:
    """The fix that donates a copy, or keeps one where an alias of what is donated is made."""
    at = donation.argument if donation.aliased is None else donation.aliased
    if not _is_here(donation.site, file):
        at = passed if passed is not None else at
    require(_is_here(at, file))
    code, draft = file.code(at), Draft(file)
    if isinstance(donation.value, Array):
        draft.replace(at, f"{code}.copy()")
    else:
        draft.replace(at, draft.call("jax.tree.map", draft.api("jax.numpy.copy"), code))
    verb = "Donate" if donation.kept is None and donation.aliased is None else "Keep"
    return draft.fix(f"{verb} a copy of `{code}`", "the copy takes the memory that donating saves")
