"""Haiku state used inside a JAX transform.

## What it does
Reports `jax.jit`, `jax.lax.scan`, `jax.lax.cond`, `jax.lax.while_loop`, `jax.checkpoint`, `jax.eval_shape` and the like,
inside a function given to `hk.transform` or in a method of an `hk.Module`, when the function they trace makes
parameters or state of Haiku, or draws a key after which another is drawn outside. `jax.vmap`, `jax.grad` and the other
derivatives run; a layer that has made its parameters before may be used anywhere; and code that asks
`hk.running_init()` looks after itself: none of these is reported.

Haiku's own versions are reported where they fail while parameters are made: `hk.while_loop` around a layer, `hk.cond` and
`hk.switch` whose branches call different layers for the first time, `hk.vmap` with `split_rng=True` around a new
layer, or without `split_rng=`.

## Why is this bad
Haiku collects parameters as a side effect. OpaqueInstance under a JAX transform they are tracers of that
transform, and outlive it: `init` returns leaked tracers, and their first use raises
`UnexpectedTracerError`.

## Example
```python
def net(x):
    layer = hk.Linear(3)
    def body(carry, row):
        return layer(carry), row
    return jax.lax.scan(body, x, None, length=2)
```

## Use instead
```python
def net(x):
    layer = hk.Linear(3)
    def body(carry, row):
        return layer(carry), row
    return hk.scan(body, x, None, length=2)
```

`hk.scan`, `hk.cond`, `hk.switch`, `hk.map`, `hk.fori_loop` and `hk.remat` take the arguments of JAX's own, but for `unroll=` in
`fori_loop`, `batch_size=` in `map` and `static_argnames=` in `remat`. There is no `hk.jit`: jit the `apply` function
that `hk.transform` gives. `hk.while_loop` cannot make parameters, and `hk.eval_shape` registers none. Or make the layer a
pure function: a nested `hk.transform`, its `init` wrapped in `hk.lift`.

## When to ignore
Where the transform is meant to raise.

## Fix safety
Unsafe: Haiku's version is called with the same arguments. A `jax.jit` goes: the whole is jitted where `apply` is. Around
`hk.while_loop`, and for branches that make different layers, code is added that makes the parameters while `init` runs. There is
no fix where a branch makes the layer that it calls: `hk.cond` and `hk.switch` need the same parameters of all branches.

## References
- Haiku documentation, "Limitations of nesting JAX functions and Haiku modules"
  (https://dm-haiku.readthedocs.io/en/latest/notebooks/transforms.html)
- Haiku documentation, "JAX Fundamentals" of the API (https://dm-haiku.readthedocs.io/en/latest/api.html#jax-fundamentals)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.haiku import JaxTransformInHaiku
from jaxlint.analysis.models.haiku_init import HaikuInitInTransform
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import LIFTED
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.layers.haiku_fixes import VERSIONS, body_first, branches_first, callee, haiku_version
from jaxlint.rewrite.requirements import expect, or_none, plain_call, require
from jaxlint.rewrite.statements import line_end, line_start
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX601",
    category=Category.FAILS,
    hazards=(JaxTransformInHaiku, HaikuInitInTransform),
    error="UnexpectedTracerError",
    fixable="unsafe",
    supersedes=("JAX604", "JAX215"),
)

_ADVICE = {
    "jax.jit": "Apply `jit` to the `apply` function of the transformed module instead.",
    "jax.lax.while_loop": "Use `hk.while_loop`, and create the parameters before the loop"
    " (`if hk.running_init(): return body(x)`).",
    "jax.eval_shape": "Use `hk.eval_shape`, which registers no parameters. For parameters, call it outside `hk.transform`.",
}


# What of Haiku's own fails at init: what happens, and what to do.
_AT_INIT = {
    "loop": (
        "Parameters created inside `{}`: `{}`",
        "Create them before the loop: `if hk.running_init(): return body(x)`.",
    ),
    "branches": (
        "Different parameters in branches of `{}`: `{}`",
        "Call every layer before the branches, or call all of them where `hk.running_init()` is true.",
    ),
    "split": (
        "Key split by `{}` during parameter creation: `{}`",
        "Pass `split_rng=not hk.running_init()`.",
    ),
    "missing": (
        "Missing argument `split_rng` of `{}`",
        "Pass `split_rng=not hk.running_init()` for one key each, or `split_rng=False` for a shared key.",
    ),
}


# What `hk.cond` and `hk.switch` stand for.
_BRANCHING = ("jax.lax.cond", "jax.lax.switch")


def check(hazard: JaxTransformInHaiku | HaikuInitInTransform, file: File) -> Iterator[Finding]:
    if isinstance(hazard, HaikuInitInTransform):
        yield _at_init(hazard, file)
        return
    api = hazard.api or ""
    short = api.removeprefix("jax.")
    advice = _ADVICE.get(api)
    fix = None
    if advice is None and api in VERSIONS:
        name, _ = file.api(VERSIONS[api][0])
        advice = f"Use `{name}`, which takes the same arguments and handles Haiku state."
        fix = haiku_version(file, hazard.site, api, LIFTED)
        if api in _BRANCHING and _makes_its_own(file, hazard):
            advice, fix = (
                f"Create the layers before `{name}`, and call each of them there while `hk.running_init()` is true.",
                None,
            )
    elif api == "jax.jit":
        fix = _without_jit(hazard, file)
    elif api == "jax.eval_shape":
        fix = _shape_evaluated(hazard, file)
    elif api == "jax.lax.while_loop":
        fix = body_first(file, hazard.site, hazard.operand, "haiku.while_loop")
    if advice is None:
        advice = "Create the parameters outside the transform, or lift the layer with `hk.lift`."
    yield Finding(
        hazard.site,
        f"Haiku state used inside `{short}`: `{file.code(hazard.operand, 40)}`",
        advice,
        fix,
        also=(("Haiku state is used here", hazard.operand),),
    )


def _at_init(hazard: HaikuInitInTransform, file: File) -> Finding:
    """Haiku's own version of a transform fails when parameters are made."""
    what, advice = _AT_INIT[hazard.how]
    name, _ = file.api(hazard.api or "")
    message = what.format(name, file.code(hazard.operand, 40))
    also = (("called here", hazard.operand),) if hazard.operand != hazard.site else ()
    return Finding(hazard.site, message, advice, _init_fix(hazard, file), also)


def _init_fix(hazard: HaikuInitInTransform, file: File) -> Fix | None:
    if hazard.how == "loop":
        return body_first(file, hazard.site, hazard.operand)
    if hazard.how == "branches":
        draft = Draft(file)
        return branches_first(draft, hazard.site, draft.call("haiku.running_init"))
    return _split_rng(hazard, file)


def _makes_its_own(file: File, hazard: JaxTransformInHaiku) -> bool:
    """Whether a branch makes the layer that it calls: Haiku wants the same parameters of all branches."""
    call, scope = file.unit.nodes[hazard.operand], file.unit.scope(hazard.operand)
    if type(call) is not ir.Call or scope is file.unit.scope(hazard.site):
        return False
    return type(call.func) is ir.Call or (type(call.func) is ir.Name and call.func.id in scope.locals)


@or_none
def _without_jit(hazard: JaxTransformInHaiku, file: File) -> Fix:
    """The function itself: what is around it is jitted as a whole."""
    call, above = file.unit.nodes[hazard.site], file.unit.parent(hazard.site)
    title, changes = "Call the function itself", "it is compiled only as a part of `apply`"
    if isinstance(above, ir.Function) and any(each is call for each in above.decorators):
        start, end = file.span(call.site)
        line, last = line_start(file, start), line_end(file, end)
        require(file.source.text[line:start].strip() == "@" and not file.source.text[end:last].strip())
        newline = 2 if file.source.text[last : last + 2] == "\r\n" else 1
        return Fix(title, (Edit(line, last + newline, ""),), changes=changes)
    function = plain_call(call, 1).args[0]
    is_called = isinstance(above, ir.Call) and above.func is call
    text = callee(file, function) if is_called else operands.operand(file, function.site)
    return Fix(title, (file.replace(call.site, text),), changes=changes)


@or_none
def _shape_evaluated(hazard: JaxTransformInHaiku, file: File) -> Fix:
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(type(call.func) in (ir.Name, ir.Attribute))
    return using(file, call.func.site, "haiku.eval_shape", "it keeps nothing of what the function makes")


@or_none
def _split_rng(hazard: HaikuInitInTransform, file: File) -> Fix:
    """Say how `hk.vmap` treats its key: split, but for the time when parameters are made."""
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(hazard.how in ("split", "missing") and call.args)
    text = f"not {draft.call('haiku.running_init')}"
    given = value_of(call, "split_rng")
    if given is not None:
        draft.replace(given.site, text)
    else:
        draft.insert(max(file.outer_span(node.site)[1] for node in ir.passed_values(call)), f", split_rng={text}")
    return draft.fix(f"Write `split_rng={text}`", "each element draws from its own key, but for `init`")
