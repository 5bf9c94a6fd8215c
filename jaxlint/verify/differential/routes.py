"""Constructs that lead the operands to an operation: calls, containers, other files, branches, loops, changes of a value."""

from __future__ import annotations

from jaxlint.verify.differential.grammar import (
    OPERANDS,
    ROOT,
    Block,
    Inner,
    Line,
    Writer,
    assigned,
    construct,
    dead,
    function,
    indented,
    lines,
)  # fmt: skip

# --- calls --------------------------------------------------------------------------------------------------------


def _call(writer: Writer, name: str, taken: tuple[str, ...]) -> str:
    """A call with the operands in one of the ways in which arguments are passed."""
    plain = ", ".join(taken)
    named = ", ".join(f"{each}={each}" for each in taken)
    pairs = ", ".join(f'"{each}": {each}' for each in taken)
    return writer.rng.choice([
        f"{name}({plain})", f"{name}({plain})", f"{name}({named})", f"{name}(*({plain},))", f"{name}(**{{{pairs}}})",
        f"partial({name}, {taken[0]})({', '.join(taken[1:])})", f"(lambda *given: {name}(*given))({plain})",
    ])  # fmt: skip


@construct
def helper(writer: Writer, inner: Inner) -> Block:
    taken = function(writer, inner)
    if not taken.before and writer.file == ROOT and writer.flip(0.2):  # called with arrays that have values, too
        writer.early += lines(f"{taken.name}(jnp.array(1.5), C, Cint - 2)")
    return [*taken.before, Line(f"out = {_call(writer, taken.name, taken.parameters)}")]


@construct
def closure(writer: Writer, inner: Inner) -> Block:
    """A local function that takes only what it assigns."""
    name = writer.name("step")
    held = [*indented(inner()), Line("    return out")]
    taken = ", ".join(each for each in OPERANDS if each in assigned(held))
    return [Line(f"def {name}({taken}):"), *held, Line(f"out = {name}({taken})")]


@construct
def other_file(writer: Writer, inner: Inner) -> Block:
    name = writer.name("remote")
    with writer.other_file() as module:
        body = inner()
        writer.define([Line(f"def {name}(x, v, n):"), *indented([*body, Line("return out")])])
    if writer.flip():
        writer.imports[writer.file].append(f"from {module} import {name}")
        return lines(f"out = {_call(writer, name, OPERANDS)}")
    writer.imports[writer.file].append(f"import {module}")
    return lines(f"out = {module}.{name}(x, v, n)")


@construct
def method(writer: Writer, inner: Inner) -> Block:
    name = writer.name("Step")
    how = writer.rng.choice(["method", "call", "static", "class"])
    decorator = {"static": ["@staticmethod"], "class": ["@classmethod"]}.get(how, [])
    first = {"static": "", "class": "cls, "}.get(how, "self, ")
    called = "__call__" if how == "call" else "run"
    text = lines(*decorator, f"def {called}({first}x, v, n):") + indented([*inner(), Line("return out")])
    writer.define([Line(f"class {name}:"), *indented(text)])
    made = name if how in ("static", "class") else f"{name}()"
    return lines(f"out = {made}{'' if how == 'call' else '.run'}(x, v, n)")


@construct
def attribute(writer: Writer, inner: Inner) -> Block:
    name = writer.name("Step")
    body = [*lines("x, v, n = self.x, self.v, self.n"), *inner(), Line("return out")]
    store = lines("def __init__(self, x, v, n):", "    self.x = x", "    self.v, self.n = v, n", "")
    writer.define([Line(f"class {name}:"), *indented([*store, Line("def run(self):"), *indented(body)])])
    return lines(f"out = {name}(x, v, n).run()")


@construct
def higher_order(writer: Writer, inner: Inner) -> Block:
    taken = function(writer, inner)
    apply = writer.name("apply")
    writer.define(lines(f"def {apply}(called, *given):", "    return called(*given)"))
    return [*taken.before, Line(f"out = {apply}({taken.name}, {taken.arguments})")]


@construct
def decorated(writer: Writer, inner: Inner) -> Block:
    wrap = writer.name("wrap")
    writer.define(lines(
        f"def {wrap}(called):", "    def wrapped(*given, **named):", "        return called(*given, **named)", "",
        "    return wrapped",
    ))  # fmt: skip
    taken = function(writer, inner, decorators=(f"@{wrap}",))
    return [*taken.before, Line(f"out = {taken.name}({taken.arguments})")]


# --- containers ---------------------------------------------------------------------------------------------------


@construct
def container(writer: Writer, inner: Inner) -> Block:
    put, take = writer.rng.choice([
        ("(x, v, n)", "x, v, n = pack"),
        ("(x, (v, n))", "x, (v, n) = pack"),
        ("[x, v, n]", "x, v, n = pack[0], pack[1], pack[-1]"),
        ('{"x": x, "v": v, "n": n}', 'x, v, n = pack["x"], pack["v"], pack["n"]'),
        ("dict(x=x, v=v, n=n)", "x, v, n = pack.values()"),
        ('{"x": x, "rest": {"v": v, "n": n}}', 'x, v, n = pack["x"], pack["rest"]["v"], pack["rest"]["n"]'),
        ("(x, v) + (n,)", "x, *rest = pack; v, n = rest"),
        ("list(zip((x,), (v,), (n,)))", "x, v, n = pack[0]"),
        ("jax.tree.map(lambda leaf: leaf * 1, (x, v, n))", "x, v, n = pack"),
        ("[each for each in (x, v, n)]", "x, v, n = pack"),
    ])  # fmt: skip
    taking = lines(*take.split("; "))
    if writer.flip():
        return [*lines(f"pack = {put}"), *taking, *inner()]
    name = writer.name("unpack")
    writer.define([Line(f"def {name}(pack):"), *indented([*taking, *inner(), Line("return out")])])
    return lines(f"out = {name}({put})")


@construct
def record(writer: Writer, inner: Inner) -> Block:
    name = writer.name("Pack")
    fields = lines("x: object", "v: object", "n: object")
    if writer.flip():
        writer.imports[writer.file].append("from dataclasses import dataclass")
        head = lines(writer.rng.choice(["@dataclass", "@dataclass(frozen=True)"]), f"class {name}:")
    else:
        writer.imports[writer.file].append("from typing import NamedTuple")
        head = lines(f"class {name}(NamedTuple):")
    writer.define([*head, *indented(fields)])
    taking = lines("x, v, n = pack.x, pack.v, pack.n")
    if writer.flip():
        return [*lines(f"pack = {name}(x, v, n)"), *taking, *inner()]
    unpack = writer.name("unpack")
    writer.define([Line(f"def {unpack}(pack):"), *indented([*taking, *inner(), Line("return out")])])
    return lines(f"out = {unpack}({name}(x=x, v=v, n=n))")


# --- control flow -------------------------------------------------------------------------------------------------


@construct
def branch(writer: Writer, inner: Inner) -> Block:
    """A condition that is True at trace time."""
    test = writer.rng.choice([
        "v.ndim == 1", "len(v) == 3", "v.shape[0] > 2", "x is not None", "v.dtype == jnp.float32", "not NP is None",
        "isinstance(v, jax.Array)", "NP.sum() > 1.0", "jnp.ndim(v) == 1",
    ])  # fmt: skip
    if writer.flip():
        return [Line(f"if {test}:"), *indented(inner()), *lines("else:", f"    {dead(writer)}")]
    return [*lines(f"if not ({test}):", f"    {dead(writer)}", "else:"), *indented(inner())]


@construct
def guard(writer: Writer, inner: Inner) -> Block:
    """A condition that tells tracers from arrays, or that never holds."""
    test = writer.rng.choice(["not isinstance(x, jax.core.Tracer)", "isinstance(x, jax.core.Tracer)", "x is None"])
    return [*lines(f"if {test}:"), *indented(inner()), *lines("else:", f"    {dead(writer)}")]


@construct
def loop(writer: Writer, inner: Inner) -> Block:
    head = writer.rng.choice([
        "for _ in range(2):", "for x, v, n in [(x, v, n), (x, v, n)]:", "for scale in (1.0, 2.0):",
        "for name, x in {'x': x}.items():", "for number, v in enumerate([v]):", "for _ in range(v.shape[0]):",
        "for x, _ in zip([x, x], range(3)):", "while",
    ])  # fmt: skip
    if head == "while":
        count = writer.name("count")
        return [*lines(f"{count} = 0", f"while {count} < 2:", f"    {count} += 1"), *indented(inner())]
    return [Line(head), *indented(inner())]


@construct
def guarded_statement(writer: Writer, inner: Inner) -> Block:
    if writer.flip():
        return [Line("try:"), *indented(inner()), *lines("finally:", "    pass")]
    return [Line("with jax.named_scope('part'):"), *indented(inner())]


@construct
def disable_jit(writer: Writer, inner: Inner) -> Block:
    return [Line("with jax.disable_jit():"), *indented(inner())]


@construct
def constants(writer: Writer, inner: Inner) -> Block:
    return [Line("with jax.ensure_compile_time_eval():"), *indented(inner())]


# --- values -------------------------------------------------------------------------------------------------------


@construct
def change(writer: Writer, inner: Inner) -> Block:
    """Another value of the same form: traced, without a tangent, captured, or made here."""
    count = writer.rng.choice([1, 1, 2])
    changes = writer.rng.sample([
        "x = x * 1.0", "x = jnp.sin(x)", "x = v[0]", "x = v.sum()", "x = C[0]", "x = Cscalar", "x = jnp.array(1.5)",
        "x = lax.stop_gradient(x)", "x = jnp.ceil(x)", "x = x.astype(jnp.float32)", "x += C[0]", "x = jnp.asarray(x)",
        "v = v + 0.0", "v = jnp.where(v > 0, v, 1.0)", "v = C", "v = jnp.array([1.0, 2.0, 3.0])", "v = v[::-1][::-1]",
        "v = lax.stop_gradient(v)", "v = v.at[0].set(1.0)", "v = jnp.stack([x, x, x])", "v = C * x", "v = NP * v",
        "v = v.reshape(v.shape)", "v = jnp.array([x, x, x])", "v = jnp.ones_like(v)", "v = jnp.zeros(3) + 1.0",
        "n = n + 0", "n = jnp.asarray(n)", "n = Cint - 2", "n = 1", "n = v.ndim", "n = jnp.argmin(v) * 0 + 1",
        "n = jnp.array(1)", "n = (v > 0).sum() * 0 + 1", "n = jnp.max(jnp.arange(2))", "n = len(v) - 2",
    ], count)  # fmt: skip
    return [*lines(*changes), *inner()]
