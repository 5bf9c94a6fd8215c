"""Wrong signature or result of a function passed to a transform, loop or branch.

## What it does
Reports arrays, numbers and containers that stand where a transform takes a function: `jax.grad(loss(w))`, `lax.cond(p, x *
2, x * 3)`. Reports functions given to `lax.scan`, `fori_loop`, `while_loop`, `cond`, `switch`, `map` and `associative_scan`
that take another number of arguments than they are called with; bodies of `scan` that do not return a pair of carry and
output; conditions of `while_loop` and predicates of `cond` that are not a single boolean or number; a list of trees that
`scan` is given, where the body asks for a part of an entry, and one that `jax.tree.map` is given in place of its
trees, with a function of `*leaves` alone; and indices of `switch` that are not one integer. Functions
that are not known, or take `*args`, are else not judged.

## Why is this bad
The call raises a `TypeError`, for a predicate or a body only after it has been traced.

## Example
```python
def body(total, x):
    return total + x


total, _ = jax.lax.scan(body, 0.0, xs)
```

## Use instead
```python
def body(total, x):
    return total + x, None


total, _ = jax.lax.scan(body, 0.0, xs)
```

## When to ignore
Never: the call fails.

## Fix safety
A function that takes other arguments than the transform passes is wrapped, or if it is a lambda rewritten; three
values that a body of `scan` returns become a carry of two and an output; a number as condition is compared with
0, and a boolean that chooses a branch of `switch` becomes an integer. These are unsafe: that this is what is meant
shows from the carry that goes in. Values in the place of the branches of `cond` become functions of
no argument, a function that is called too early is passed itself where the transform is called with the same arguments, the trees
of a list are stacked, and a condition that is an array holds for any element. What a body returns becomes the carry, without an
output, where no output is read, and the output as well, where it has a name and the outputs are taken apart and read; else that
is displayed, as is `jnp.where` in place of a `cond` over an array. A function that asks
for an argument by keyword has no fix: its value is not known.

## References
- JAX documentation, "Control flow and logical operators": https://docs.jax.dev/en/latest/control-flow.html
- JAX documentation, `jax.lax.scan`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
- JAX documentation, `jax.lax.while_loop`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html
- JAX documentation, `jax.lax.cond`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.callbacks import CallbackSignature
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.transforms.fitting_callback import fitting_callback
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX517",
    category=Category.FAILS,
    hazards=(CallbackSignature,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: CallbackSignature, file: File) -> Iterator[Finding]:
    function = function_name(hazard.function) if hazard.function is not None else ""
    head, _, short = (hazard.api or "").rpartition(".")
    short = {"jax": short, "jax.tree": f"tree.{short}"}.get(head, f"lax.{short}")
    if hazard.reason == "arity":
        message = f"`{short}` calls {function} with {_count(len(hazard.given))}{_listed(hazard)}, but it takes {_taken(hazard)}"
        advice = _arity_advice(function, hazard)
    elif hazard.reason == "keyword":
        message = f"`{short}` calls {function} without keyword-only argument `{hazard.what}`"
        advice = f"Bind it: `functools.partial({function.strip('`')}, {hazard.what}=…)`."
    elif hazard.reason == "pair":
        message = f"Body of `{short}` returns {hazard.what}, not a pair"
        advice = "Return the new carry and the output of the step, `return carry, None` for no output."
    elif hazard.reason == "value":
        operand = file.code(hazard.operand, 40)
        message = f"`{operand}` passed to `{short}` is {hazard.what}, not a function"
        advice = "Pass the function itself, and call the transformed function with the arguments."
        if hazard.parameter in ("true_fun", "false_fun"):
            advice = (
                "Pass functions without parameters, such as `lambda: …`, or choose between values with `jnp.where`."
            )
        elif short.startswith(("lax.", "tree.")):
            advice = "Pass the function itself, without calling it."
    elif hazard.reason == "rows":
        name = hazard.what.partition("[")[2].rstrip("]")
        message = f"`{short}` gives {function} a list of rows of `{file.code(hazard.operand, 40)}`, without `{name}`"
        advice = "Stack the entries of the list: `jax.tree.map(lambda *leaves: jnp.stack(leaves), *entries)`."
    elif hazard.reason == "list":
        trees = file.code(hazard.operand, 40)
        message = f"`{short}` takes the list `{trees}` for one tree, and gives {function} one leaf at a time"
        advice = f"Unpack the list to combine the leaves of its trees: `*{trees}`."
    elif hazard.reason == "predicate" and function:
        message = f"Condition of `{short}` returns {hazard.what}, not a scalar boolean"
        advice = "Reduce it with `jnp.any` or `jnp.all`." if "array" in hazard.what else "Return a comparison."
    elif hazard.reason == "predicate":
        message = f"Predicate `{file.code(hazard.operand, 40)}` of `{short}` is {hazard.what}, not a scalar"
        advice = (
            "Reduce it with `jnp.any` or `jnp.all`, or use `jnp.where`."
            if "array" in hazard.what
            else "Pass one boolean."
        )
    else:
        message = f"Index `{file.code(hazard.operand, 40)}` of `{short}` is {hazard.what}, not an integer"
        integer = "Pass one integer; convert a float with `.astype(int)`."
        advice = "Use `lax.cond` for a boolean." if hazard.what == "a bool" else integer
    yield Finding(hazard.site, message, advice, fitting_callback(hazard, file))


def _count(number: int) -> str:
    return f"{number} argument{'' if number == 1 else 's'}"


def _listed(hazard: CallbackSignature) -> str:
    """What the transform passes; operands are the user's own, and need no names."""
    return f" ({', '.join(hazard.given)})" if hazard.given and not hazard.given[0].startswith("operand") else ""


def _taken(hazard: CallbackSignature) -> str:
    if hazard.most is None:
        return f"at least {_count(hazard.least)}"
    if hazard.least == hazard.most:
        return "none" if hazard.most == 0 else str(hazard.most)
    return f"{hazard.least} to {_count(hazard.most)}"


def _arity_advice(function: str, hazard: CallbackSignature) -> str:
    if hazard.given and not hazard.given[0].startswith("operand"):
        if len(hazard.given) == 1 and hazard.least > 1:
            return f"Take one `{hazard.given[0]}`, which may be a tuple, and unpack it in {function}."
        return f"Change {function} to take `{', '.join(hazard.given)}`."
    if not hazard.given:
        return "Pass the operands after the functions, or remove the parameters of each branch."
    return (
        f"Take the {len(hazard.given)} operands in each branch."
        if len(hazard.given) > 1
        else "Take the operand in each branch."
    )
