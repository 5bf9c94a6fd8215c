"""Equinox module passed to a JAX transform that can neither hash nor trace it.

## What it does
Reports `jax.jit(model)` and `jax.jit(model.method)`, likewise `jax.checkpoint`, `jax.pmap` and the branches of `jax.lax.cond`
and `jax.lax.switch`, where `model` is an Equinox module that holds arrays; and a module that holds a function, such
as the activation of an `eqx.nn.MLP`, as argument of a function under `jax.jit`, `jax.grad` or `jax.value_and_grad`, or in
what `jax.lax.scan` and other control flow trace.
`jax.vmap(model)` and modules of arrays alone as arguments work.

## Why is this bad
`jax.jit` looks its function up by hash, and a module hashes its leaves: arrays cannot be hashed (`TypeError`). As an argument,
a module is a pytree, and a leaf that is a function is no valid JAX type (`TypeError`).

## Example
```python
fast = jax.jit(model)
grads = jax.grad(loss)(model, x)
```

## Use instead
```python
fast = eqx.filter_jit(model)
grads = eqx.filter_grad(loss)(model, x)
```

## When to ignore
Where the call is meant to raise.

## Fix safety
Unsafe: `eqx.filter_jit` and its kin take every array as traced and everything else as static, numbers included.
What `jax.jit` is told to donate is left out, and branches and loops get the module in a lambda.
A `scan` carries the arrays of the module, which its body and what follows combine with the rest.

## References
- Equinox documentation, "Filtered transformations" (https://docs.kidger.site/equinox/api/transformations/)
- Equinox documentation, "How to mark arrays and bound methods" and "Frequently asked questions"
  (https://docs.kidger.site/equinox/faq/)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import BoundMethod, OpaqueInstance, Ref
from jaxlint.analysis.models.equinox import JaxTransformOnEquinoxModule
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arguments import arguments_in_order
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.equinox_fixes import scanned_arrays
from jaxlint.rewrite.requirements import expect, is_plain, or_none, require
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX622",
    category=Category.FAILS,
    hazards=(JaxTransformOnEquinoxModule,),
    error="TypeError",
    fixable="unsafe",
    supersedes=("JAX111",),
)

# Equinox's version, and the keywords that it shares with JAX's.
_VERSIONS = {
    "jax.jit": ("equinox.filter_jit", frozenset({"donate"})),
    "jax.grad": ("equinox.filter_grad", frozenset({"has_aux"})),
    "jax.value_and_grad": ("equinox.filter_value_and_grad", frozenset({"has_aux"})),
    "jax.checkpoint": ("equinox.filter_checkpoint", frozenset({"prevent_cse", "policy"})),
    "jax.pmap": ("equinox.filter_pmap", frozenset({"axis_name"})),
    "jax.vmap": ("equinox.filter_vmap", frozenset({"axis_name", "axis_size"})),
}


# Keywords of JAX's that have no counterpart, and may be left out.
_OWN = {"jax.jit": frozenset({"donate_argnums", "donate_argnames", "static_argnums", "static_argnames"})}
_OPERANDS = ("x", "y", "z")
# Which arguments are functions, and names for what they take.
_CALLED: dict[str, dict[int, tuple[str, ...]]] = {
    "jax.lax.cond": {1: (), 2: ()},
    "jax.lax.map": {0: ("x",)},
    "jax.lax.scan": {0: ("carry", "x")},
    "jax.lax.fori_loop": {2: ("i", "x")},
    "jax.lax.while_loop": {0: ("x",), 1: ("x",)},
}


def check(hazard: JaxTransformOnEquinoxModule, file: File) -> Iterator[Finding]:
    api = hazard.api or ""
    short = api.removeprefix("jax.")
    if hazard.how in ("argument", "operand"):
        message = f"Equinox module `{file.code(hazard.operand, 40)}` passed to `{short}` contains a function"
    else:
        what = "method of an Equinox module" if hazard.how == "method" else "Equinox module"
        message = f"Unhashable {what} passed to `{short}`"
    if api in _VERSIONS:
        name, _ = file.api(_VERSIONS[api][0])
        advice = f"Use `{name}`, which traces the arrays of the module and treats the rest as static."
    elif hazard.how == "operand":
        partition, combine = file.api("equinox.partition")[0], file.api("equinox.combine")[0]
        arrays = file.api("equinox.is_array")[0]
        advice = f"Pass the arrays of `{partition}(module, {arrays})`, and combine them inside with `{combine}`."
    else:
        advice = "Wrap it in a lambda: `lambda x: model(x)`."
    also = (("called here", hazard.call),) if hazard.call != hazard.site else ()
    yield Finding(hazard.site, message, advice, _fix(hazard, api, file), also)


@or_none
def _fix(hazard: JaxTransformOnEquinoxModule, api: str, file: File) -> Fix | None:
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    if api == "jax.lax.scan" and hazard.how == "operand":
        return scanned_arrays(file, hazard.site, hazard.operand)
    if api not in _VERSIONS:
        return _in_lambdas(file, node, api) if hazard.how not in ("argument", "operand") else None
    name, shared = _VERSIONS[api]
    function, changes = node, "non-array leaves are static"
    if isinstance(node, ir.Call):
        require(len(node.args) == 1)
        require(all(keyword.name in shared | _OWN.get(api, frozenset()) for keyword in node.keywords))
        is_partial = file.stands_for(node.func.site, "functools.partial")
        function = node.args[0] if is_partial else node.func
        own = [keyword for keyword in node.keywords if keyword.name not in shared]
        if is_partial and len(own) == len(node.keywords):
            function, own = node, []
        draft.edits += [_left_out(file, node, keyword) for keyword in own]
        changes += ", and nothing is donated" if own else ""
    require(isinstance(function, (ir.Name, ir.Attribute)) or function is node)
    return draft.fix(f"Use `{draft.use(function.site, name)}`", changes)


def _left_out(file: File, call: ir.Call, keyword: ir.Keyword) -> Edit:
    """The edit that takes a keyword out, with the comma in front of it."""
    given = arguments_in_order(file, call)
    before = given[given.index(keyword) - 1]
    start, end = file.outer_span(before.site)[1], file.span(keyword.site)[1]
    require(not file.has_comment(start, end))
    return Edit(start, end, "")


@or_none
def _in_lambdas(file: File, node: ir.Node, api: str) -> Fix:
    """Each module that is given for a function is called by a lambda, which can be hashed."""
    call, draft = expect(ir.Call, node), Draft(file)
    require(is_plain(call.args))
    for position, names in _CALLED.get(api, {}).items():
        each = call.args[position] if position < len(call.args) else None
        if not isinstance(each, (ir.Name, ir.Attribute)) or not _is_module(file, each):
            continue
        if api == "jax.lax.cond":
            names = _OPERANDS[: len(call.args) - 3]
        code = file.code(each.site)
        require(len(call.args) - 3 <= len(_OPERANDS) and code.partition(".")[0] not in names)
        taken = ", ".join(names)
        draft.replace(each.site, f"lambda {taken}: {code}({taken})" if taken else f"lambda: {code}()")
    require(draft.edits)
    return draft.fix("Call the module in a lambda", "each call traces a new function")


def _is_module(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(type(value) in (Ref, BoundMethod, OpaqueInstance) for value in values)
