"""Non-array argument of a transformed function, not marked static.

## What it does
Reports strings, functions, classes, sets, iterators (`range` too), instances of classes that JAX does not
know, and containers that hold one of these, passed to a function under `jax.jit`, `jax.pmap`, `jax.vmap`,
`jax.grad` or `jax.checkpoint` for an argument that is neither static, unmapped (`in_axes=None`) nor
left out of the gradient; and as the carry, input or operand of `lax.scan`, `lax.cond` and the like.

Where no call is seen, a parameter of a function under `jax.jit` is reported whose annotation says the same of each call:
`str`, `bytes`, `Callable`, an `Enum`, or a class of the file that nothing registers. It has no default and is not static.
Such an annotation also tells what a parameter around a call holds that is passed on, and what the fields of its class hold
(`apply(params, x, config.net)`).

## Why is this bad
The transform makes tracers of the arguments, and JAX can only trace arrays, numbers, and pytrees of them. The
call raises `TypeError`: "Error interpreting argument to <function …> as an abstract array", or "is not a valid
JAX type".

## Example
```python
@jax.jit
def loss(x, kind):
    return x.sum() if kind == "sum" else x.mean()

loss(x, "sum")
```

## Use instead
```python
@partial(jax.jit, static_argnames=("kind",))
def loss(x, kind):
    return x.sum() if kind == "sum" else x.mean()
```

## When to ignore
Never: the call fails. If another module registers the class as a pytree, the registration is better next to the
class.

## Fix safety
The fix makes the argument static where `jax.jit` is applied. It is unsafe: the function is compiled anew for
each value of the argument, and a function or an object is another value each time it is made. It is only
displayed where neither the argument nor the other calls can be judged. An object of a class whose `__init__` keeps what it
takes is made a pytree, a dataclass of arrays is registered as one, and fields of a Flax dataclass are marked as no leaves, be it in another file; the one entry of a dict that holds strings is left out. `odeint` gets a lambda
that closes over the function, and the `mutable` of a compiled `apply` is a static tuple. There is none for what cannot be hashed (sets, dicts,
iterators), and none where another call passes an array. Transforms that are applied where they are called are
told to leave the argument alone: `in_axes` of `jax.vmap`, `argnums` of `jax.grad`, `static_argnums` of
`jax.checkpoint`, or `functools.partial` for what is passed by keyword. Under `jax.vmap` the argument then stays
what it is.

## References
- JAX documentation, "Just-in-time compilation", marking arguments as static:
  https://docs.jax.dev/en/latest/jit-compilation.html
- JAX documentation, "Pytrees", custom pytree nodes: https://docs.jax.dev/en/latest/custom_pytrees.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.not_arrays import NonArrayArgument
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import COMPILED_ANEW
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import application, value_of
from jaxlint.rewrite.requirements import expect, known, only, or_none, plain_call, require
from jaxlint.rewrite.static_args.known_argument import freeze, leave_alone, without_entry
from jaxlint.rewrite.static_args.static_argument import TracedParameter, static_fix
from jaxlint.rewrite.transforms.returned import made_a_pytree
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX111",
    category=Category.FAILS,
    hazards=(NonArrayArgument,),
    error="TypeError",
    fixable="unsafe",
)

_STATIC = frozenset({"jax.jit", "jax.experimental.pjit.pjit", "flax.nnx.jit"})


def check(hazard: NonArrayArgument, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    head, _, transform = str(hazard.api).rpartition(".")
    transform = f"lax.{transform}" if head == "jax.lax" else transform
    yield Finding(
        hazard.site,
        f"Non-array argument `{operand}` of `{transform}`: {hazard.what}",
        help=_help(hazard, file),
        fix=_no_leaves(hazard, file)
        or _registered(hazard, file)
        or _fix(hazard, file)
        or _collections_static(hazard, file)
        or without_entry(hazard, file)
        or leave_alone(hazard, file),
    )


def _help(hazard: NonArrayArgument, file: File) -> str:
    name = hazard.definition.name if hazard.definition is not None else None
    called = "the function" if name is None else f"`{name}`"
    if "strings" in hazard.what:
        return "Leave the strings out of what is passed, and keep them beside it."
    if " in field `" in hazard.what:
        return "Mark the field as no leaf (`pytree_node=False`, `meta_fields`), or keep it outside of the object."
    if "argparse" in hazard.what:
        return (
            "Pass the options that the function needs one by one; a namespace cannot be hashed, so it cannot be static."
        )
    if "an instance" in hazard.what:
        return (
            "Register its class as a pytree (`jax.tree_util.register_dataclass`, `register_pytree_node_class`), "
            f"or make {called if name else 'the argument'} static."
        )
    if str(hazard.api).startswith("jax.lax."):
        return "Let the function close over it, or bind it with `functools.partial`. Loop over arrays only."
    if hazard.api in _STATIC:
        if hazard.hashable is False and hazard.what == "a list containing a string":
            return "Make the argument static, and pass a tuple."
        if hazard.hashable is False and " containing " in hazard.what:
            return "Leave out what is no array, and keep it beside what is passed."
        if hazard.hashable is False:
            return "Pass an array or a tuple, or a hashable value as a static argument."
        return (
            f'Make it static: `static_argnames=("{name}",)`.' if name else "Make the argument static: `static_argnums`."
        )
    if hazard.api == "jax.vmap":
        return "Set its entry of `in_axes` to `None`, or bind it with `functools.partial` first."
    if hazard.api in ("jax.pmap", "jax.checkpoint"):
        option = "static_broadcasted_argnums" if hazard.api == "jax.pmap" else "static_argnums"
        return f"Name its position in `{option}`, or bind it with `functools.partial` before the transform."
    return "Bind it with `functools.partial` before the transform, or differentiate another argument (`argnums`)."


def _no_leaves(hazard: NonArrayArgument, file: File) -> Fix | None:
    """Fields of a dataclass of Flax that hold no arrays, marked as part of its structure."""
    if not hazard.fields:
        return None
    draft = Draft(file.holding(hazard.fields[0]))
    marked = draft.call("flax.struct.field", "pytree_node=False")
    for site in hazard.fields:
        draft.insert(draft.file.span(site)[1], f" = {marked}")
    return file.placed(draft.fix("Mark as no leaf", COMPILED_ANEW), hazard.fields[0])


@or_none
def _collections_static(hazard: NonArrayArgument, file: File) -> Fix:
    """`static_argnames="mutable"` for a compiled `apply` of Linen, and a tuple for the list of collections."""
    call, draft = plain_call(file.unit.nodes[hazard.site]), Draft(file)
    given, node = value_of(call, "mutable"), expect(ir.Sequence, file.unit.nodes[hazard.operand])
    made = known(application(file, only(file.values(call.func.site))))
    require(given is node and file.is_api(made.func.site, "jax.jit") and len(made.args) == 1 and not made.keywords)
    require(ir.last_name(made.args[0]) in ("apply", "apply_fn"))
    draft.append_argument(made, 'static_argnames="mutable"')
    freeze(draft, node)
    return draft.fix("Make `mutable` static", COMPILED_ANEW)


def _registered(hazard: NonArrayArgument, file: File) -> Fix | None:
    if hazard.cls is None:
        return None
    fix = made_a_pytree(file.holding(hazard.cls), hazard.cls)
    return None if fix is None else file.placed(fix, hazard.cls)


def _fix(hazard: NonArrayArgument, file: File) -> Fix | None:
    if hazard.hashable is False or hazard.function is None or hazard.definition is None or hazard.origin is None:
        return None
    if isinstance(file.unit.nodes[hazard.operand], (ir.Dict, ir.Comprehension)):
        return None
    return static_fix(TracedParameter(hazard.definition, hazard.function, hazard.origin), file, hazard.hashable)
