"""Constructs of Python around a block, and of JAX those that have rules of their own: forms that the ways of ``routes`` leave out."""

from __future__ import annotations

from jaxlint.verify.differential.grammar import (
    OPERANDS,
    Block,
    Construct,
    Function,
    Inner,
    Line,
    Writer,
    dead,
    form,
    function,
    indented,
    lines,
)  # fmt: skip


def transforming(write: Construct) -> Construct:
    return form(write, transforms=True)


def _of_all(
    writer: Writer, inner: Inner, parameters: str = "", first: tuple[str, ...] = (), decorators: tuple[str, ...] = ()
) -> Function:
    """A function that takes all operands, under ``parameters`` that its ``first`` lines unpack."""

    def body(block: Block) -> Block:
        return [*lines(*first), *block, Line("return out")]

    made = function(writer, inner, closing=False, parameters=parameters, decorators=decorators, body=body)
    return Function(made.before, made.name, OPERANDS)


def _called(writer: Writer, inner: Inner, texts: list[str]) -> Block:
    """A function of all operands, and one of the ``texts`` that call it as ``{f}``."""
    taken = _of_all(writer, inner)
    text = writer.rng.choice(texts).format(f=taken.name)
    return [*taken.before, *lines(*text.splitlines())]


# --- control flow -------------------------------------------------------------------------------------------------


@form
def early_return(writer: Writer, inner: Inner) -> Block:
    test = writer.rng.choice(["v.ndim != 1", "x is None", "len(v) == 2", "n is None or v.ndim > 1"])
    taken = _of_all(writer, inner, first=(f"if {test}:", f"    {dead(writer)}", "    return out"))
    return [*taken.before, Line(f"out = {taken.name}(x, v, n)")]


@form
def match_(writer: Writer, inner: Inner) -> Block:
    subject, first, rest = writer.rng.choice([
        ("v.ndim", "case 1:", "case _:"), ("v.shape", "case (3,):", "case _:"), ('"step"', 'case "step" | "run":', "case _:"),
        ("(v.ndim, 2)", "case (1, count) if count > 1:", "case _:"), ('{"kind": 1}', 'case {"kind": 1}:', "case _:"),
    ])  # fmt: skip
    return [
        *lines(f"match {subject}:", f"    {first}"), *indented(indented(inner())),
        *lines(f"    {rest}", f"        {dead(writer)}"),
    ]  # fmt: skip


@form
def handled(writer: Writer, inner: Inner) -> Block:
    if writer.flip():
        return [Line("try:"), *indented(inner()), *lines("except ZeroDivisionError:", f"    {dead(writer)}")]
    return [*lines("try:", "    pass", "except KeyError:", f"    {dead(writer)}", "else:"), *indented(inner())]


@form
def left_loop(writer: Writer, inner: Inner) -> Block:
    if writer.flip():
        return [Line("while True:"), *indented(inner()), Line("    break")]
    skipped = lines("    if turn == 0:", "        continue")
    return [
        Line("for turn in range(3):"),
        *skipped,
        *indented(inner()),
        *lines("    if turn == 1:", "        break", "else:", "    out = x * 1.0"),
    ]


@form
def ternary(writer: Writer, inner: Inner) -> Block:
    return _called(writer, inner, [
        "out = {f}(x, v, n) if v.ndim == 1 else x", "out = x if v.ndim == 2 else {f}(x, v, n)", "out = v.ndim == 1 and {f}(x, v, n)",
        "out = v.ndim == 2 or {f}(x, v, n)",
    ])  # fmt: skip


@form
def walrus(writer: Writer, inner: Inner) -> Block:
    if writer.flip():
        return [
            *lines("if (rank := v.ndim) == 1:"),
            *indented(inner()),
            *lines("else:", f"    {dead(writer)}", "    out = out * rank"),
        ]
    taken = _of_all(writer, inner)
    return [*taken.before, Line(f"out = (held := {taken.name}(x, (v := v * 1.0), n)) + held * 0.0")]


@form
def context_manager(writer: Writer, inner: Inner) -> Block:
    name = writer.name("entered")
    writer.imports[writer.file].append("import contextlib")
    writer.define(lines("@contextlib.contextmanager", f"def {name}(given):", "    yield given"))
    return [Line(f"with {name}(v) as v:"), *indented(inner())]


@form
def recursion(writer: Writer, inner: Inner) -> Block:
    name = writer.name("step")
    body = [
        Line("if depth == 0:"),
        *indented([*inner(), Line("return out")]),
        Line(f"return {name}(depth - 1, x, v, n)"),
    ]
    writer.define([Line(f"def {name}(depth, x, v, n):"), *indented(body)])
    return lines(f"out = {name}(1, x, v, n)")


# --- functions ----------------------------------------------------------------------------------------------------


@form
def comprehension(writer: Writer, inner: Inner) -> Block:
    return _called(writer, inner, [
        "out = [{f}(x, v, n) for _ in range(2)][0]", "out = [{f}(each, v, n) for each in (x, x)][-1]",
        "out = {{name: {f}(x, v, n) for name in ('a', 'b')}}['a']", "out = next({f}(x, v, n) for _ in range(2))",
        "out = sum({f}(each, v, n) for each in [x, x])", "out, = [{f}(x, v, n) for x in [x] if v.ndim == 1]",
        "out = [{f}(*given) for given in zip([x], [v], [n])][0]", "out = max([{f}(x, v, n) for _ in (0,)], key=jnp.ndim)",
    ])  # fmt: skip


@form
def generator(writer: Writer, inner: Inner) -> Block:
    name = writer.name("steps")
    writer.define([Line(f"def {name}(x, v, n):"), *indented([*inner(), Line("yield out")])])
    return lines(*writer.rng.choice([
        (f"out = next({name}(x, v, n))",), (f"out = list({name}(x, v, n))[0]",), (f"for out in {name}(x, v, n):", "    pass"),
        (f"out, = {name}(x, v, n)",), (f"out = sum({name}(x, v, n))",),
    ]))  # fmt: skip


@form
def defaults(writer: Writer, inner: Inner) -> Block:
    if writer.flip():
        taken = _of_all(
            writer, inner, "x, v, n, scale=1.0, *, offset=None", ("x = x * scale if offset is None else x + offset",)
        )
        return [
            *taken.before,
            Line(f"out = {taken.name}(x, v, n{writer.rng.choice(['', ', 2.0', ', offset=1.0', ', scale=1.0'])})"),
        ]
    name = writer.name("step")
    return [Line(f"def {name}(x, v=v, n=n):"), *indented([*inner(), Line("return out")]), Line(f"out = {name}(x)")]


@form
def variadic(writer: Writer, inner: Inner) -> Block:
    parameters, first, given = writer.rng.choice([
        ("*given", "x, v, n = given", "x, v, n"), ("**given", 'x, v, n = given["x"], given["v"], given["n"]', "x=x, v=v, n=n"),
        ("x, *rest", "v, n = rest", "x, v, n"), ("x, /, v, *, n, **rest", "pass", "x, v, n=n, other=1"),
        ("*given, n", "x, v = given", "x, v, n=n"), ("x, *rest, **named", "v, n = *rest, named['n']", "x, v, n=n"),
    ])  # fmt: skip
    taken = _of_all(writer, inner, parameters, (first,))
    return [*taken.before, Line(f"out = {taken.name}({given})")]


@form
def lambda_(writer: Writer, inner: Inner) -> Block:
    return _called(writer, inner, [
        "out = (lambda x, v: {f}(x, v, n))(x, v)", "out = (lambda x, v=v, n=n: {f}(x, v, n))(x)", "out = (lambda: {f}(x, v, n))()",
        "out = (lambda called: called(x, v, n))({f})", "out = (lambda *, n, **rest: {f}(n=n, **rest))(x=x, v=v, n=n)",
    ])  # fmt: skip


@form
def partial(writer: Writer, inner: Inner) -> Block:
    return _called(writer, inner, [
        "out = partial({f}, n=n)(x, v)", "out = partial(partial({f}, x), v)(n)", "out = partial({f}, v=v, n=n)(x=x)",
        "out = partial({f}, x, n=1)(v, n=n)", "out = partial({f}, *(x, v))(n)",
    ])  # fmt: skip


@form
def decorated_with(writer: Writer, inner: Inner) -> Block:
    """A decorator that takes arguments."""
    wrap = writer.name("repeated")
    wraps = writer.flip()
    if wraps:
        writer.imports[writer.file].append("import functools")
    writer.define(lines(
        f"def {wrap}(times, scale=1.0):", "    def wrap(called):", *(["        @functools.wraps(called)"] if wraps else []),
        "        def wrapped(*given, **named):", "            for _ in range(times):", "                result = called(*given, **named)",
        "            return result * scale", "", "        return wrapped", "", "    return wrap",
    ))  # fmt: skip
    taken = _of_all(writer, inner, decorators=(f"@{wrap}({writer.rng.choice(['1', '2, scale=2.0', 'times=2'])})",))
    return [*taken.before, Line(f"out = {taken.name}(x, v, n)")]


@form
def nonlocal_(writer: Writer, inner: Inner) -> Block:
    name, result = writer.name("step"), writer.name("result")
    body = [Line(f"nonlocal {result}"), *inner(), Line(f"{result} = out")]
    around = writer.name("around")
    text = [
        *lines(f"{result} = None", ""),
        Line(f"def {name}(x, v, n):"),
        *indented(body),
        *lines("", f"{name}(x, v, n)", f"return {result}"),
    ]
    return [Line(f"def {around}(x, v, n):"), *indented(text), Line(f"out = {around}(x, v, n)")]


@form
def table_of_functions(writer: Writer, inner: Inner) -> Block:
    return _called(writer, inner, [
        'table = {{"step": {f}}}\nout = table["step"](x, v, n)', "for called in ({f},):\n    out = called(x, v, n)",
        "out = list(map({f}, [x], [v], [n]))[0]", 'table = dict(step={f}, other=None)\nout = table.get("step")(x, v, n)',
        "(called, _), = [({f}, 1)]\nout = called(x, v, n)",
    ])  # fmt: skip


# --- classes and containers ---------------------------------------------------------------------------------------


@form
def inherited(writer: Writer, inner: Inner) -> Block:
    base, name = writer.name("Base"), writer.name("Step")
    run = [Line("def run(self, x, v, n):"), *indented([*inner(), Line("return out")])]
    if writer.flip():  # the base calls what its subclass defines
        writer.define(lines(f"class {base}:", "    def __call__(self, x, v, n):", "        return self.run(x, v, n)"))
        writer.define([Line(f"class {name}({base}):"), *indented(run)])
        return lines(f"out = {name}()(x, v, n)")
    writer.define([Line(f"class {base}:"), *indented(run)])
    writer.define(lines(f"class {name}({base}):", "    def run(self, x, v, n):", "        return super().run(x, v, n)"))
    return lines(f"out = {name}().run(x, v, n)")


@form
def property_(writer: Writer, inner: Inner) -> Block:
    name = writer.name("Step")
    store = lines("def __init__(self, x, v, n):", "    self.given = (x, v, n)", "")
    body = [Line("x, v, n = self.given"), *inner(), Line("return out")]
    writer.define(
        [Line(f"class {name}:"), *indented([*store, *lines("@property", "def result(self):"), *indented(body)])]
    )
    return lines(f"out = {name}(x, v, n).result")


@form
def pytree_class(writer: Writer, inner: Inner) -> Block:
    """A dataclass that JAX takes apart, and puts together from what a transform gives."""
    name = writer.name("Pack")
    writer.imports[writer.file].append("from dataclasses import dataclass, replace")
    head = lines(
        "@jax.tree_util.register_dataclass",
        "@dataclass",
        f"class {name}:",
        "    x: jax.Array",
        "    v: jax.Array",
        "    n: jax.Array",
    )
    if writer.flip():
        writer.define(
            [
                *head,
                Line(""),
                *indented(
                    [
                        Line("def run(self):"),
                        *indented([*lines("x, v, n = self.x, self.v, self.n"), *inner(), Line("return out")]),
                    ]
                ),
            ]
        )
        made = writer.rng.choice(
            ["{name}(x, v, n)", "jax.tree.map(lambda leaf: leaf * 1, {name}(x, v, n))", "replace({name}(x, v, n), n=n)"]
        )
        return lines(f"out = {made.format(name=name)}.run()")
    writer.define(head)
    unpack = writer.name("unpack")
    body = [*lines("x, v, n = pack.x, pack.v, pack.n"), *inner(), Line("return out")]
    writer.define([Line(f"def {unpack}(pack):"), *indented(body)])
    called = writer.rng.choice([unpack, f"jax.jit({unpack})", f"jax.checkpoint({unpack})"])
    return lines(f"out = {called}({name}(x, v, n))")


@form
def iterated_dict(writer: Writer, inner: Inner) -> Block:
    put = writer.rng.choice([
        ('pack = {name: value for name, value in {"x": x, "v": v, "n": n}.items()}',),
        ('pack = {name: value for name, value in zip("xvn", (x, v, n))}',),
        ('pack = {**{"x": x}, **dict(v=v, n=n)}',), ('pack = {"x": x} | {"v": v, "n": n}',),
        ('pack = {"x": x}', 'pack.update(v=v)', 'pack.setdefault("n", n)'),
        ('names = {"x": x, "v": v, "n": n}', "pack = {name: names[name] for name in sorted(names)}"),
    ])  # fmt: skip
    return [*lines(*put), *lines('x, v, n = pack["x"], pack["v"], pack["n"]'), *inner()]


@form
def grown_list(writer: Writer, inner: Inner) -> Block:
    put = writer.rng.choice([
        ("pack = []", "for value in (x, v, n):", "    pack.append(value)"), ("pack = [x]", "pack += [v]", "pack.extend((n,))"),
        ("pack = [n, v, x]", "pack.reverse()"), ("pack = [None] * 3", "pack[0], pack[1], pack[2] = x, v, n"), ("pack = [x, v, n, x]", "pack.pop()"),
        ("pack = list(reversed([n, v, x]))",), ("pack = [x, None, v, n]", "del pack[1]"), ("pack = [x]; pack.insert(1, n)", "pack.insert(1, v)"),
    ])  # fmt: skip
    return [*lines(*put), Line("x, v, n = pack"), *inner()]


# --- of JAX -------------------------------------------------------------------------------------------------------


@transforming
def custom_jvp(writer: Writer, inner: Inner) -> Block:
    name, rule = writer.name("step"), writer.name("rule")
    writer.define([*lines("@jax.custom_jvp", f"def {name}(x, v, n):"), *indented([*inner(), Line("return out")])])
    writer.define(lines(
        f"@{name}.defjvp", f"def {rule}(primals, tangents):", "    x, v, n = primals", f"    return {name}(x, v, n), tangents[0] * 2.0",
    ))  # fmt: skip
    return lines(f"out = {name}(x, v, n)")


@transforming
def custom_vjp(writer: Writer, inner: Inner) -> Block:
    name = writer.name("step")
    writer.define([*lines("@jax.custom_vjp", f"def {name}(x, v, n):"), *indented([*inner(), Line("return out")])])
    writer.define(lines(f"def {name}_forward(x, v, n):", f"    return {name}(x, v, n), v"))
    writer.define(lines(f"def {name}_backward(v, given):", "    return given * 2.0, v * 0.0, None"))
    writer.define(lines(f"{name}.defvjp({name}_forward, {name}_backward)"))
    return lines(f"out = {name}(x, v, n)")


@transforming
def jit_of_expression(writer: Writer, inner: Inner) -> Block:
    return _called(writer, inner, [
        "out = jax.jit(lambda x, v, n: {f}(x, v, n))(x, v, n)", "out = jax.jit(lambda x: {f}(x, v, n))(x)",
        "out = jax.jit(partial({f}, n=n))(x, v)", "out = jax.jit(partial({f}, x))(v, n)", "out = jax.jit({f})(x, v=v, n=n)",
        "out = partial(jax.jit)({f})(x, v, n)", "out = jax.jit(jax.vmap({f}, in_axes=(None, None, 0)))(x, v, jnp.array([n, n]))[0]",
    ])  # fmt: skip


@transforming
def loop_condition(writer: Writer, inner: Inner) -> Block:
    name = writer.name("test")
    body = [Line("count, x, v, n = state"), *inner(), Line("return count < 2")]
    text = [Line(f"def {name}(state):"), *indented(body)]
    step = "lambda state: (state[0] + 1, *state[1:])"
    return [*text, Line(f"_, out, _, _ = lax.while_loop({name}, {step}, (0, x, v, n))")]
