"""Constructs that transform the function around an operation."""

from __future__ import annotations

from jaxlint.verify.differential.grammar import (
    Block,
    Construct,
    Function,
    Inner,
    Line,
    Writer,
    dead,
    function,
    indented,
    lines,
    transform,
)  # fmt: skip


def _twice(*names: str) -> str:
    return ", ".join(f"jnp.array([{name}, {name}])" for name in names)


def _unpacking(writer: Writer, inner: Inner, parameters: str, first: list[str], returned: str) -> Function:
    """A function whose ``first`` lines take the operands out of its parameters."""

    def body(block: Block) -> Block:
        return [*lines(*first), *block, Line(f"return {returned}")]

    return function(writer, inner, closing=False, parameters=parameters, body=body)


@transform
def jit(writer: Writer, inner: Inner) -> Block:
    static = writer.flip(0.3)
    option = writer.rng.choice(['static_argnames="n"', 'static_argnames=("n",)', "static_argnums=2"]) if static else ""
    decorate = writer.flip()
    decorators: tuple[str, ...] = ()
    if decorate:
        decorators = (f"@partial(jax.jit, {option})" if static else "@jax.jit",)
    taken = function(writer, inner, closing=not static, decorators=decorators)
    given = "x, v, 1" if static else taken.arguments
    called = taken.name if decorate else f"jax.jit({taken.name}{', ' + option if option else ''})"
    return [*taken.before, Line(f"out = {called}({given})")]


def _applied(name: str, *options: str) -> Construct:
    def write(writer: Writer, inner: Inner) -> Block:
        decorate = writer.flip()
        taken = function(writer, inner, decorators=(f"@{name}",) if decorate else ())
        called = taken.name if decorate else f"{name}({taken.name})"
        return [*taken.before, Line(f"out = {called}({taken.arguments})")]

    write.__name__ = name.rpartition(".")[2]
    return transform(write)


checkpoint = _applied("jax.checkpoint")
remat = _applied("jax.remat")
named_call = _applied("jax.named_call")


@transform
def vmap(writer: Writer, inner: Inner) -> Block:
    taken = function(writer, inner)
    unmapped = {name for name in taken.parameters[1:] if writer.flip(0.25)}
    given = ", ".join(name if name in unmapped else _twice(name) for name in taken.parameters)
    axes = ", ".join("None" if name in unmapped else "0" for name in taken.parameters)
    option = f", in_axes=({axes},)" if unmapped else ""
    return [*taken.before, Line(f"out = jnp.sum(jax.vmap({taken.name}{option})({given}))")]


@transform
def vectorize(writer: Writer, inner: Inner) -> Block:
    taken = function(writer, inner)
    forms = ",".join("(k)" if name == "v" else "()" for name in taken.parameters)
    called = f'jnp.vectorize({taken.name}, signature="{forms}->()")'
    return [*taken.before, Line(f"out = jnp.sum({called}({_twice(*taken.parameters)}))")]


@transform
def grad(writer: Writer, inner: Inner) -> Block:
    decorate = writer.flip()
    taken = function(writer, inner, decorators=("@partial(jax.grad, allow_int=True)",) if decorate else ())
    if decorate and taken.parameters[0] != "n":
        return [*taken.before, Line(f"out = jnp.sum({taken.name}({taken.arguments}))")]
    if decorate:  # the derivative by an integer is no number
        return [*taken.before, *lines(f"{taken.name}({taken.arguments})", "out = x * 1.0")]
    numbers = [index for index, name in enumerate(taken.parameters) if name != "n"]
    if not numbers:
        return [*taken.before, Line(f"out = jax.jit({taken.name})({taken.arguments})")]
    if len(numbers) == 2 and writer.flip():
        return [*taken.before, Line(f"out = jax.grad({taken.name}, argnums=(0, 1))({taken.arguments})[0]")]
    number = writer.rng.choice(numbers)
    return [*taken.before, Line(f"out = jnp.sum(jax.grad({taken.name}, argnums={number})({taken.arguments}))")]


def _of_first(name: str, result: str) -> Construct:
    """A transform of a function of all operands that differentiates the first two."""

    def write(writer: Writer, inner: Inner) -> Block:
        taken = function(writer, inner, closing=False)
        if writer.flip():
            one = writer.name("of")
            before = [*taken.before, *lines(f"def {one}(x, v):", f"    return {taken.name}(x, v, n)")]
        else:
            one, before = f"lambda x, v: {taken.name}(x, v, n)", taken.before
        return [*before, *lines(*(text.format(f=one) for text in result.split("; ")))]

    write.__name__ = name
    return transform(write)


value_and_grad = _of_first("value_and_grad", "out, _ = jax.value_and_grad({f})(x, v)")
jvp = _of_first("jvp", "out, _ = jax.jvp({f}, (x, v), (x, v))")
vjp = _of_first("vjp", "out, pull = jax.vjp({f}, x, v)")
linearize = _of_first("linearize", "out, push = jax.linearize({f}, x, v)")
jacfwd = _of_first("jacfwd", "out = jax.jacfwd({f})(x, v)")
jacrev = _of_first("jacrev", "out = jax.jacrev({f})(x, v)")
hessian = _of_first("hessian", "out = jax.hessian({f})(x, v)")


@transform
def scan(writer: Writer, inner: Inner) -> Block:
    taken = _unpacking(writer, inner, "carry, element", ["x, v, n = carry"], "(out, *carry[1:]), out")
    given = writer.rng.choice(["jnp.arange(2.0)", "None, length=2", "xs=jnp.ones(2)"])
    return [*taken.before, *lines(f"(out, _, _), _ = lax.scan({taken.name}, (x, v, n), {given})")]


@transform
def scanned_elements(writer: Writer, inner: Inner) -> Block:
    taken = _unpacking(writer, inner, "carry, elements", ["x, v, n = elements"], "carry, out")
    return [*taken.before, *lines(
        f"_, outs = lax.scan({taken.name}, None, ({_twice('x', 'v', 'n')}))", "out = outs[0]",
    )]  # fmt: skip


@transform
def fori_loop(writer: Writer, inner: Inner) -> Block:
    taken = _unpacking(writer, inner, "index, state", ["x, v, n = state"], "out, state[1], state[2]")
    return [*taken.before, *lines(f"out, _, _ = lax.fori_loop(0, 2, {taken.name}, (x, v, n))")]


@transform
def while_loop(writer: Writer, inner: Inner) -> Block:
    taken = _unpacking(writer, inner, "state", ["count, x, v, n = state"], "count + 1, out, state[2], state[3]")
    test = "lambda state: state[0] < 2"
    return [*taken.before, *lines(f"_, out, _, _ = lax.while_loop({test}, {taken.name}, (0, x, v, n))")]


@transform
def map_(writer: Writer, inner: Inner) -> Block:
    taken = _unpacking(writer, inner, "elements", ["x, v, n = elements"], "out")
    return [*taken.before, *lines(f"out = lax.map({taken.name}, ({_twice('x', 'v', 'n')}))[0]")]


@transform
def cond(writer: Writer, inner: Inner) -> Block:
    taken = function(writer, inner)
    test = writer.rng.choice(["x > 0", "v[0] > 0", "jnp.any(v > 0)", "True"])
    other = "lambda *given: given[0] * 0.0 + 1.0 if jnp.ndim(given[0]) == 0 else given[0][0]"
    if taken.parameters[0] == "n":
        other = "lambda *given: x * 1.0"
    pair = [taken.name, f"{other}"]
    if writer.flip(0.3):
        return [*taken.before, *lines(f"out = lax.switch(jnp.array(0), [{pair[0]}, {pair[1]}], {taken.arguments})")]
    return [*taken.before, *lines(f"out = lax.cond({test}, {pair[0]}, {pair[1]}, {taken.arguments})")]


@transform
def cond_of_closures(writer: Writer, inner: Inner) -> Block:
    name, operands = writer.name("taken"), writer.name("operands")
    text = [Line(f"def {name}():"), *indented([*lines(f"x, v, n = {operands}"), *inner(), Line("return out")])]
    return [*lines(f"{operands} = (x, v, n)"), *text, *lines(f"out = lax.cond(x > 0, {name}, lambda: x * 1.0)")]


@transform
def eval_shape(writer: Writer, inner: Inner) -> Block:
    taken = function(writer, inner)
    return [*taken.before, *lines(f"jax.eval_shape({taken.name}, {taken.arguments})", dead(writer))]


@transform
def make_jaxpr(writer: Writer, inner: Inner) -> Block:
    taken = function(writer, inner)
    return [*taken.before, *lines(f"jax.make_jaxpr({taken.name})({taken.arguments})", dead(writer))]


@transform
def associative_scan(writer: Writer, inner: Inner) -> Block:
    taken = _unpacking(writer, inner, "left, right", ["xs, vs, ns = right", "x, v, n = xs[0], vs[0], ns[0]"], "right")
    return [*taken.before, *lines(
        f"outs = lax.associative_scan({taken.name}, (jnp.stack([x] * 3), jnp.stack([v] * 3), jnp.array([n] * 3)))", "out = outs[0][0]",
    )]  # fmt: skip


@transform
def shard_map(writer: Writer, inner: Inner) -> Block:
    writer.imports[writer.file].append("from jax.sharding import Mesh, PartitionSpec as P")
    mesh = 'Mesh(np.array(jax.devices()[:1]), ("i",))'
    taken = _unpacking(writer, inner, "xs, v, ns", ["x, n = xs[0], ns[0]"], "xs")
    return [*taken.before, *lines(
        f'out = jax.shard_map({taken.name}, mesh={mesh}, in_specs=P("i"), out_specs=P("i"))'
        "(jnp.array([x]), v, jnp.array([n]))[0]",
    )]  # fmt: skip
