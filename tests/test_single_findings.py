"""Findings that rest on one detail each of what the model follows."""

from pathlib import Path

import pytest

from jaxlint.analysis import analyse
from jaxlint.analysis.analyser import Interpreter
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.state import ListObject, State, _written, join_states
from jaxlint.analysis.keys.consumed_keys import ConsumedKeys
from jaxlint.analysis.keys.key_arrays import KeyArrays
from jaxlint.analysis.transforms import tangents
from jaxlint.api import check
from jaxlint.ir.lowering import lower
from jaxlint.ir.nodes import Name
from jaxlint.plugins import hazards
from jaxlint.project.resolver import Loader
from jaxlint.project.sources import Project
from jaxlint.run.reveal import Analysis
from jaxlint.source.text import Source

HEAD = """\
import numbers

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

"""
CELL = """\
import flax.linen as nn


class Model(nn.Module):
    @nn.compact
    def __call__(self, carry, x):
        cell = nn.GRUCell(3)
        out = {}
        return 1 if out else 2
"""
INDEXED = (
    "def f(n, other):\n    x, i = jnp.arange(4), 7\n    if {}:\n        if {}:\n            return x[i]\n    return x\n"
)
SLICED = "y = lax.dynamic_slice(jnp.arange(8), {}(7,), {}(4,))"
CALLING = """\
@jax.jit
def f(x):
    def host(y):
        return -{}
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)


f(1.0)
"""
TYPED = "@jax.jit\ndef f(x):\n    return x // 2 if {} else x / 2\n\n\ny = f({})\n"
UNFLATTENED = """\
@jax.jit
def f(structure, x):
    y = jax.tree.unflatten(structure, {})
    if y[0] > 0:
        return x
    return -x
"""
ROUNDED = "def f(x):\n    return lax.fori_loop(0, 3, lambda i, y: {}, x)\n\n\njax.grad(f)(0.5)\n"
NO_SCALE = """\
g = jax.grad(lambda scale, x: x.sum() if scale is None else scale * x.sum())(None, jnp.ones(3))
y = jnp.arange(4)[7] if g {} else g
"""
RETURNED = "@jax.jit\ndef f(x):\n    return {}\n\n\nf(1.0)\n"
GUARDED = "def f(x):\n    return jnp.where({}, jnp.log(x), 0.0)\n\n\njax.grad(f)(1.0)\n"
SHAPED = "def f():\n    y = {}\n    return y[{}]\n\n\nf()\n"
VIEWED = "def f():\n    y = np.asarray(jnp.ones(2))\n    {}\n    return jnp.arange(2)[y.shape[0]]\n\n\nf()\n"

EXPORTED = """\
from jax import export


@jax.jit
def f(x, ready=True):
    if ready and x.shape[0] > 2:
        return x * 2.0
    else:
        return x * 3.0


(n,) = export.symbolic_shape("n")
export.export(f)(jax.ShapeDtypeStruct((n,), jnp.float32))
"""

BOUND = """\
import flax.linen as nn


class Model(nn.Module):
    def setup(self):
        self.dense = nn.Dense(3)


def f(variables, x):
    model = Model().bind(variables)
    return jax.jit(lambda y: 1 if {} > 0 else 2)(x)
"""
NOISY = """\
import flax.linen as nn


class Model(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        if train:
            x = x + self.make_rng("noise")
        return x


def f(variables, x, flag):
    return Model().apply(variables, x, {})
"""
DRAWN = """\
DRAWS = []


def f(x):
    DRAWS.append(np.random.normal())
    return x


y = jax.vmap(f)(jnp.ones(3))
z = DRAWS[0] + jnp.ones(3)
"""
RESHAPED = """\
from jax import export
from elsewhere import n


@jax.jit
def f(x):
    return x.reshape({})


(b,) = export.symbolic_shape("b")
export.export(f)(jax.ShapeDtypeStruct((b, 3), jnp.float32))
"""
COMPILED = """\
from functools import partial


class Model:
    def __init__(self):
        self.n = 1

    @partial(jax.jit, static_argnums=0)
    def scaled(self, x, y):
        return x * y * self.n


def f():
    model, x = Model(), jnp.ones(3)
    model.scaled(x, jnp.ones(3))
    model.n = 2
    return model.scaled(x, {})
"""
ASKED = """\
def is_concrete(x):
    return not isinstance(x, jax.core.Tracer)


@jax.jit
def f(x, y):
    if {}is_concrete(x):
        return float(y)
    return x


f(1.0, 2.0)
"""
CHOSEN = "def f(x):\n    y = {}\n    return x if y > 0 else -x\n\n\n{}(f)(jnp.ones(3))\n"
FROZEN = """\
import equinox as eqx


class A(eqx.Module):
    linear: eqx.nn.Linear


class B(eqx.Module):
    a: A


class C(eqx.Module):
    b: B


class D(eqx.Module):
    c: C


class E(eqx.Module):
    d: D

    def f(self, x):
        {} = x
"""
DECLARED = """\
import equinox as eqx


def made():
    class Inner(eqx.Module):
        linear: eqx.nn.Linear

    class Outer(eqx.Module):
        inner: {}

    return Outer


Outer = made()


class Model(eqx.Module):
    outer: Outer

    def f(self, x):
        self.outer.inner.x = x
"""
PRINTED = "@jax.jit\ndef f(x):\n    jax.debug.print({}, x, 4)\n    return x\n\n\nf(1.0)\n"

# A program -> the code that is reported, if any, and the text of the line where that is.
PROGRAMS = {
    # several arrays give a list, and a matrix gets its new axis last
    "y = jnp.atleast_3d(jnp.ones((2, 3)))[1]": None,
    "y = jnp.atleast_1d(jnp.arange(1), jnp.arange(1))[1]": None,
    "y = jnp.atleast_3d(jnp.ones(()))[1]": ("JAX513", "y = jnp.atleast_3d(jnp.ones(()))[1]"),
    # a symbolic dimension in a part of a test
    EXPORTED: ("JAX711", "if ready and x.shape[0] > 2:"),
    # an index behind conditions that ask about it, or about something else
    INDEXED.format("i < n", "other"): None,
    INDEXED.format("other", "i < n"): None,
    INDEXED.format("n", "other"): ("JAX513", "return x[i]"),
    INDEXED.format("(y := jnp.ones(3))[0] > n", "y[1] > len(other)"): ("JAX513", "return x[i]"),
    # a cell of a network gives a pair, which is not empty
    CELL.format("cell(carry, x)"): None,
    CELL.format("cell(carry, x)[1]"): ("JAX103", "return 1 if out else 2"),
    CELL.format("nn.Dense(3)(x)"): ("JAX103", "return 1 if out else 2"),
    # the start of a slice, by its place and by its name
    SLICED.format("", ""): ("JAX513", SLICED.format("", "")),
    SLICED.format("start_indices=", "slice_sizes="): ("JAX513", SLICED.format("start_indices=", "slice_sizes=")),
    SLICED.format("start_indices=", "slice_sizes=").replace("7", "4"): None,
    # a tracer that a callback computes with
    CALLING.format("x"): ("JAX704", "return -x"),
    CALLING.format("y"): None,
    # the type that an argument had before it was traced
    **{
        TYPED.format(test, value): ("JAX113", f"return x // 2 if {test} else x / 2") if found else None
        for test, value, found in (
            ("isinstance(x, int)", "1", True),
            ("isinstance(x, int)", "1.0", False),
            ("isinstance(x, float)", "1.0", True),
            ("isinstance(x, float)", "1", False),
            ("isinstance(x, bool)", "True", True),
            ("isinstance(x, complex)", "1j", True),
            ("isinstance(x, numbers.Number)", "1", True),
            ("isinstance(x, numbers.Integral)", "1", True),
            ("isinstance(x, numbers.Integral)", "True", True),
            ("isinstance(x, numbers.Integral)", "1.0", False),
            ("isinstance(x, numbers.Real)", "1", True),
            ("isinstance(x, numbers.Real)", "1j", False),
            ("np.isscalar(x)", "1", True),
        )
    },
    # a tree that is put together of leaves, whatever its structure is
    UNFLATTENED.format("[x, x]"): ("JAX103", "if y[0] > 0:"),
    UNFLATTENED.format("[1.0, 2.0]"): None,
    # the derivative of what only rounds in a loop, and by a parameter that is None
    ROUNDED.format("jnp.floor(y)"): ("JAX524", "jax.grad(f)(0.5)"),
    ROUNDED.format("y + jnp.floor(y)"): None,
    NO_SCALE.format("is None"): ("JAX513", "y = jnp.arange(4)[7] if g is None else g"),
    NO_SCALE.format("is not None"): None,
    # a tuple of tuples is looked into, down to the fourth
    RETURNED.format("((((x.dtype,),),),)"): ("JAX114", "return ((((x.dtype,),),),)"),
    RETURNED.format("(((((x.dtype,),),),),)"): None,
    # one half of a condition, either of which keeps the argument away from where there is no gradient
    GUARDED.format("(x > 0) & (x < 9)"): ("JAX506", "return jnp.where((x > 0) & (x < 9), jnp.log(x), 0.0)"),
    GUARDED.format("(x < 9) & (x > 0)"): ("JAX506", "return jnp.where((x < 9) & (x > 0), jnp.log(x), 0.0)"),
    GUARDED.format("(x < 9) | (x > 0)"): None,
    # shapes of a power, where the exponent has more rows, and of what has an axis moved to its end
    SHAPED.format("pow(jnp.arange(3), jnp.ones((5, 3)))", 4): None,
    SHAPED.format("pow(jnp.arange(3), jnp.ones((5, 3)))", 5): ("JAX513", "return y[5]"),
    SHAPED.format("jnp.moveaxis(jnp.ones((2, 3, 4)), 0, -1)", "2, 3, 1"): None,
    SHAPED.format("jnp.moveaxis(jnp.ones((2, 3, 4)), 0, -1)", "2, 3, 2"): ("JAX513", "return y[2, 3, 2]"),
    SHAPED.format("jnp.moveaxis(jnp.ones((2, 3, 4)), 0, -1)", "2, 4, 1"): ("JAX513", "return y[2, 4, 1]"),
    # what is written in place into a view of an array fails there, and what comes of it is not said
    VIEWED.format("y += 3"): None,
    VIEWED.format("y = y + 3"): ("JAX513", "return jnp.arange(2)[y.shape[0]]"),
    # an element of a list that is compared with a number
    RETURNED.format("1 if 1 in [x + 1, 2] else 2"): ("JAX105", "return 1 if 1 in [x + 1, 2] else 2"),
    RETURNED.format("1 if 1 in [3, 2] else 2"): None,
    # a bound module has what its `setup` sets
    BOUND.format("model.dense(y)"): ("JAX103", "return jax.jit(lambda y: 1 if model.dense(y) > 0 else 2)(x)"),
    BOUND.format("model.other"): None,
    # a key that is only asked for where a flag says so
    NOISY.format("flag"): None,
    NOISY.format("True"): ("JAX613", "return Model().apply(variables, x, True)"),
    # a number that was drawn under `vmap`, read after it
    DRAWN: None,
    # the body of a scan returns a pair
    "y = lax.scan(lambda c, x: None, 0, jnp.ones(3))": ("JAX517", "y = lax.scan(lambda c, x: None, 0, jnp.ones(3))"),
    "y = lax.scan(lambda c, x: (c, None), 0, jnp.ones(3))": None,
    # a symbolic size that is divided, or may be
    RESHAPED.format("2, -1"): ("JAX713", "return x.reshape(2, -1)"),
    RESHAPED.format("n, 2, -1"): None,
    RESHAPED.format("n, 2"): None,
    # a call that finds what was compiled before, and one that does not
    COMPILED.format("jnp.zeros(3)"): ("JAX504", "return model.scaled(x, jnp.zeros(3))"),
    COMPILED.format("jnp.ones(4)"): None,
    # a test of the project's own asks for values, and what it decides is for them
    ASKED.format(""): None,
    ASKED.format("not "): ("JAX102", "return float(y)"),
    # what is computed under a transform by position of its arguments
    CHOSEN.format("jax.vjp(jnp.sin, x)[0]", "jax.vmap"): ("JAX103", "return x if y > 0 else -x"),
    CHOSEN.format("jax.vjp(jnp.sin, 1.0)[0]", "jax.vmap"): None,
    CHOSEN.format("x", "jnp.vectorize"): ("JAX103", "return x if y > 0 else -x"),
    # modules that are declared in one another, down to the third
    FROZEN.format("self.d.c.b.x"): ("JAX621", "self.d.c.b.x = x"),
    FROZEN.format("self.d.c.b.a.x"): None,
    # a class that a function makes, and finds where it was made
    DECLARED.format("Inner"): ("JAX621", "self.outer.inner.x = x"),
    DECLARED.format("int"): None,
    # a field in the specification of a field, which has a specification itself
    PRINTED.format("'{:{:1}}'"): None,
    PRINTED.format("'{:{:{}}}'"): ("JAX703", "jax.debug.print('{:{:{}}}', x, 4)"),
}  # fmt: skip


REPORTED = {found[0] for found in PROGRAMS.values() if found is not None}


@pytest.mark.parametrize("program", PROGRAMS)
def test_finding(program):
    text = HEAD + program
    lines = text.split("\n")
    found = check(text, "program.py", select=["JAX"], preview=True)
    places = [(each.code, lines[each.start.row - 1].strip()) for each in found]
    places = [each for each in places if each[0] in REPORTED or each[0].startswith("JAX9")]
    assert places == ([] if PROGRAMS[program] is None else [PROGRAMS[program]])


def model(program: str, folder: Path | str = "."):
    return Analysis(Source.from_text(HEAD + program, str(Path(folder) / "program.py")), Project(str(folder))).model


KERNEL = """\
from jax.experimental import pallas as pl


def kernel(x, out):
    {}


pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((3,), jnp.float32))(jnp.ones(3))
"""


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ("out[...] = x[...] + 1", []),
        ("out[...] = x + 1", ["operator +"]),
        ("out[...] = 1 - x", ["operator -"]),
        ("out[...] = sum(row for row in x)", ["iteration"]),
        ("out[...] = sum(row for row in x[...])", []),
    ],
)
def test_reference_to_the_memory_of_a_kernel_is_no_array(body, refused):
    found = model(KERNEL.format(body)).hazards
    assert [each.api for each in found if type(each) is hazards.UnsupportedOperation] == refused


POINTS = """\
def f(x):
    d = x{} - x{}
    return jnp.linalg.norm(d, axis=-1).sum()


jax.grad(f)(jnp.ones((3, 2)))
"""


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ("[:, None]", "[None, :]", True),
        ("[:, None]", "[None, ...]", True),
        ("[:, None, ...]", "[None, :, ...]", True),
        ("[:, None]", "[:, None]", False),
        ("[:, None, 0]", "[None, :, 0]", False),
        ("[:, None, ::2]", "[None, :, ::2]", False),
        ("[:, None, 1:]", "[None, :, 1:]", False),
        ("[:, None, :1]", "[None, :, :1]", False),
    ],
)
def test_distances_of_points_from_themselves(left, right, found):
    """Said only where all of both sides is taken: then each point meets itself."""
    assert [each.code for each in check(HEAD + POINTS.format(left, right), select=["JAX525"])] == ["JAX525"] * found


GRADIENTS = {
    "jax.grad(f)(1.0)", "jax.value_and_grad(f)(1.0)", "jax.jacrev(f)(1.0)", "jax.jacobian(f)(1.0)", "jax.hessian(f)(1.0)",
    "hk.grad(f)(1.0)", "hk.value_and_grad(f)(1.0)", "eqx.filter_grad(f)(jnp.ones(()))", "eqx.filter_value_and_grad(f)(jnp.ones(()))",
    "jax.grad(lambda xs: lax.scan(lambda c, x: (c, f(x)), 0.0, xs)[1].sum())(jnp.ones(3))",
    "jax.grad(lambda x: lax.scan(lambda c, _: (f(c), None), x, None, length=3)[0])(1.0)",
    "jax.grad(lambda x: lax.map(f, x).sum())(jnp.ones(3))",
    "jax.grad(lambda x: lax.cond(True, f, f, x))(1.0)",
    "jax.grad(lambda x: lax.switch(0, [f, f], x))(1.0)",
    "jax.grad(lambda x: jax.vmap(f)(x).sum())(jnp.ones(3))",
    "jax.grad(jax.jit(f))(1.0)",
    "jax.grad(jax.checkpoint(f))(1.0)",
}  # fmt: skip


@pytest.mark.parametrize("gradient", sorted(GRADIENTS))
def test_each_gradient_goes_backwards_through_a_loop(gradient):
    program = (
        "import equinox as eqx\nimport haiku as hk\n\n\ndef f(x):\n"
        f"    return lax.while_loop(lambda y: y < 3.0, lambda y: y * 2.0, x)\n\n\n{gradient}\n"
    )
    assert [each.code for each in check(HEAD + program, select=["JAX511"])] == ["JAX511"]


def test_budget_that_a_module_reaches_as_it_is_imported_is_said(tmp_path):
    (tmp_path / "helpers.py").write_text(
        "import jax.numpy as jnp\n\n\ndef scaled(x, y):\n    return x * y\n\n\n"
        + "".join(f"Y{size} = scaled(jnp.ones({size}), 1)\n" for size in range(1, 40))
    )
    said = model("from helpers import Y1\n\ny = Y1 * 2\n", tmp_path).budget_reached
    assert said == ["more than 32 calling contexts of scaled"]


@pytest.mark.parametrize(("is_test", "said"), [(False, []), (True, ["more than 2000 steps in imported modules"])])
def test_test_follows_fewer_calls_into_what_it_imports(tmp_path, is_test, said):
    (tmp_path / "helpers.py").write_text(
        "".join(f"def sum_{number}(x):\n    return {' + '.join(['x'] * 200)}\n\n\n" for number in range(50))
    )
    program = "import helpers\nimport jax.numpy as jnp\n\n" + "".join(
        f"helpers.sum_{n}(jnp.ones(3))\n" for n in range(50)
    )
    unit = lower(Source.from_text(program, str(tmp_path / "program.py")))
    assert analyse(unit, loader=Loader(Project(str(tmp_path))), is_test=is_test).budget_reached == said


@pytest.mark.parametrize(
    ("program", "bound", "said"),
    [
        ("{}def f(x):\n    return x\n\n\nf(1.0)\n", 16, "more than 16 transforms around one another"),
        ("y = [0 {}]\n", 6, "more than 6 clauses of comprehensions in one another"),
    ],
)
def test_budget_that_docs_robustness_names_is_said(program, bound, said):
    part = "@jax.jit\n" if "def" in program else "for x in (1, 2) "
    assert [model(program.format(part * count)).budget_reached for count in (bound, bound + 1)] == [[], [said]]


STEPS = (7, ".key", 0, None)
IDENTS = [(first, *rest) for first in STEPS[:3] for rest in ((), *((step,) for step in STEPS), (0, 1))]


@pytest.mark.parametrize("ident", IDENTS)
def test_keys_that_may_have_a_part_in_common_are_found_by_steps(ident):
    """The same as by a look at each of them: those of another object, or another element, are left out."""

    def steps(each):
        numbers = [step if isinstance(step, int) else None for step in (*each[:2], None)]
        return numbers[0], numbers[1] if numbers[0] is not None else None

    def may_be_like(one, other):
        return all(a is None or b is None or a == b for a, b in zip(steps(one), steps(other)))

    index, table = ConsumedKeys(), {}
    for other in IDENTS:
        table[other] = None
        assert list(index.like(ident, table)) == [each for each in table if may_be_like(ident, each)]
    assert list(index.like(ident, {IDENTS[-1]: None})) == [IDENTS[-1]] * may_be_like(ident, IDENTS[-1])


COUNTED = """\
TRACES = []


@jax.jit
def f(x):
    TRACES.append(1)
    return x


f(1.0)
{}
"""


@pytest.mark.parametrize(
    ("reads", "found"),
    [
        ("assert len(TRACES) == 1", False),
        ("np.testing.assert_equal(len(TRACES), 1)", False),
        ("self.assertEqual(len(TRACES), 1)", False),
        ("print(len(TRACES))", True),
        ("assert_of_ours(TRACES)", True),  # the name of a function of the project says nothing
    ],
)
def test_what_an_assertion_counts_changes_at_trace_time_on_purpose(reads, found):
    assert [each.code for each in check(HEAD + COUNTED.format(reads), select=["JAX304"])] == ["JAX304"] * found


UNLOCKED = """\
import equinox as eqx
from equinox._module._module import _currently_initialising as being_made


class Scale(eqx.Module):
    weight: jax.Array


def unlock(module):
    being_made.add(module)


def doubled():
    scale = Scale(jnp.ones(2))
    {}
    scale.weight = scale.weight * 2
    return scale
"""


@pytest.mark.parametrize(("statement", "found"), [("unlock(scale)", 0), ("print(scale)", 1)])
def test_module_that_equinox_takes_for_one_that_is_being_made_is_not_frozen(statement, found):
    assert [each.code for each in check(HEAD + UNLOCKED.format(statement), select=["JAX621"])] == ["JAX621"] * found


def test_hazard_is_shown_with_its_class_its_place_and_its_function():
    program = "@jax.jit\ndef f(x):\n    while x > 0:\n        x = x - 1\n    return float(x), not x\n\n\nf(1.0)\n"
    found = model(program).hazards
    shown = [f"{type(each).__name__}(site={each.site}, api={each.api}, parameter={each.parameter})" for each in found]
    assert list(map(repr, found)) == shown
    named = {text.partition("(")[0] for text in shown}
    assert {"WhileOnTracer", "BooleanOperatorOnTracer", "PythonCastOnTracer"} <= named


@pytest.mark.parametrize(
    ("lines", "count", "bound"),
    [(0, 32, None), (0, 33, 32), (60, 8, None), (60, 9, 8), (60, 12, 8)],  # a long function is followed less often
)
def test_calls_of_an_imported_function_are_followed_up_to_a_number_of_kinds_of_them(tmp_path, lines, count, bound):
    long = "    y = y * 2 + x.shape[0]\n" * lines
    (tmp_path / "helpers.py").write_text(
        f"def scaled(x, y):\n{long}    if x.sum() > 0:\n        return x\n    return -x\n"
    )
    calls = "".join(f"    scaled(jnp.ones({size}) + x, 1)\n" for size in range(1, count + 1))
    reached = model(
        f"from helpers import scaled\n\n\n@jax.jit\ndef f(x):\n{calls}\n\nf(1.0)\n", tmp_path
    ).budget_reached
    assert reached == ([f"more than {bound} calling contexts of scaled"] if bound else [])


def test_decorator_of_a_library_is_followed_at_each_definition(tmp_path):
    shared = "import jax\n\n\ndef compiled(**options):\n    def wrap(function):\n        return jax.jit(function, **options)\n\n    return wrap\n"
    (tmp_path / "shared.py").write_text(shared)
    definitions = "".join(
        f"@compiled(inline={n % 2 == 0})\ndef f{n}(x):\n    return bool(x * {n})\n\n\n" for n in range(20)
    )
    found = model(f"from shared import compiled\n\n\n{definitions}", tmp_path)
    assert found.budget_reached == []
    assert [type(each).__name__ for each in found.hazards] == ["PythonCastOnTracer"] * 20


@pytest.mark.parametrize("passes", ["self.config", "None, scale=self.config.scale"])
def test_setup_of_equal_modules_is_run_once(passes):
    """However many modules hold one of the class, the layers of the last one are known."""
    outer = "".join(
        f"class Outer{n}(nn.Module):\n    config: Any\n\n    def setup(self):\n        self.inner = Inner({passes})\n\n"
        "    def __call__(self, x):\n        return self.inner(x)\n\n\n"
        for n in range(40)
    )
    inner = (
        "class Inner(nn.Module):\n    config: Any\n    scale: float = 1.0\n\n    def setup(self):\n"
        "        self.dense = nn.Dense(self.config.width)\n        self.parts = [nn.Dense(3), nn.Dense(3)]\n\n"
        "    def __call__(self, x):\n        y = self.parts[1](self.parts[0](self.dense(x)))\n        return y if y.sum() > 0 else -y\n\n\n"
    )
    found = model(f"from typing import Any\n\nimport flax.linen as nn\n\n\n{outer}{inner}")
    assert [text for text in found.budget_reached if "setup" in text] == []
    assert "BranchOnTracer" in {type(each).__name__ for each in found.hazards}


@pytest.mark.parametrize("count", [10, 24, 200])
def test_function_that_is_run_at_each_call_is_followed_in_each_of_its_contexts(count):
    # It consumes a key that is older than itself: no call of it is taken for another.
    steps = "".join(f"    x = noisy(x, keys[{number}])\n" for number in range(count))
    program = (
        "def noisy(x, key):\n    return x + jax.random.normal(key, x.shape)\n\n\n"
        f"@jax.jit\ndef f(x, keys):\n{steps}    if x.sum() > 0:\n        return x\n    return -x\n\n\n"
        f"f(jnp.ones(3), jax.random.split(jax.random.key(0), {count}))\n"
    )
    found = model(program)
    assert found.budget_reached == ([] if count < 200 else ["more than 36 runs of noisy"])
    assert ("BranchOnTracer" in {type(each).__name__ for each in found.hazards}) == (count < 200)


@pytest.mark.parametrize(
    "call, found",
    [
        ("later(7)", []),  # plain values in code that runs as it is: what comes back is left unknown
        ("after(7)", ["JAX513"]),  # but for arithmetic
        ("adding(1)(7)", ["JAX513"]),  # a function comes back, and reads its variables
        ("after(jnp.array(7.0))", ["JAX212"]),
    ],
)
def test_calls_of_imported_functions_that_are_followed(tmp_path, call, found):
    (tmp_path / "helpers.py").write_text(
        "def after(n):\n    return n + 1\n\n\ndef later(n):\n    print(n)\n    return n + 1\n\n\ndef adding(k):\n    def add(n):\n        return n + k\n\n    return add\n"
    )
    text = HEAD + f"from helpers import adding, after, later\n\ny = jnp.arange(4)[{call}]\n"
    assert [
        each.code for each in check(text, str(tmp_path / "program.py"), select=["JAX212", "JAX513"], preview=True)
    ] == found


@pytest.mark.parametrize("given, found", [("jnp.ones(3)", ["JAX513"]), ("2", [])])
def test_objects_that_hold_arrays_are_followed_into_imported_functions(tmp_path, given, found):
    (tmp_path / "helpers.py").write_text("def index(state):\n    print(state)\n    return state.n\n")
    text = HEAD + (
        "from helpers import index\n\n\nclass State:\n    def __init__(self, x):\n        self.x, self.n = x, 7\n\n\n"
        f"y = jnp.arange(4)[index(State({given}))]\n"
    )
    assert [each.code for each in check(text, str(tmp_path / "program.py"), select=["JAX513"])] == found


def test_imported_module_that_ends_the_program_has_what_it_bound(tmp_path):
    (tmp_path / "helpers.py").write_text("N = 7\nraise SystemExit\n")
    text = HEAD + "from helpers import N\n\ny = jnp.arange(4)[N]\n"
    found = check(text, str(tmp_path / "program.py"), select=["JAX5", "JAX9"], preview=True)
    assert [each.code for each in found] == ["JAX513"]


@pytest.mark.parametrize("more", ["", "doubled = scaled(2)\n"])
def test_what_a_module_does_as_it_is_imported_is_said_again_of_its_callers(tmp_path, more):
    (tmp_path / "helpers.py").write_text(
        "import jax\n\n\ndef scaled(k):\n    @jax.custom_vjp\n    def f(x):\n        return x * k\n\n"
        "    def fwd(x):\n        return f(x), None\n\n    def bwd(residuals, g):\n        return g * k\n\n"
        f"    f.defvjp(fwd, bwd)\n    return f\n\n\n{more}"
    )
    text = HEAD + "from helpers import scaled\n\ny = jax.grad(scaled(3))(1.0)\n"
    assert [each.code for each in check(text, str(tmp_path / "program.py"), select=["JAX529"])] == ["JAX529"]


@pytest.mark.parametrize("consumers, found", [([], ["JAX513"]), (["jax.numpy.zeros"], [])])
def test_what_a_project_says_of_a_function_goes_before_what_is_known(consumers, found):
    text = HEAD + "y = jnp.arange(4)[jnp.zeros(7).shape[0]]\n"
    assert [each.code for each in check(text, select=["JAX513"], key_consumers=consumers)] == found


@pytest.mark.parametrize(
    "declared, codes", [("flax>=0.12", ["JAX615"]), ("flax<0.12", []), ("flax==0.8.0", []), ("flax", ["JAX615"])]
)
def test_lists_of_modules_fail_since_modules_are_pytrees(tmp_path, declared, codes):
    (tmp_path / "pyproject.toml").write_text(f'[project]\ndependencies = ["jax", "{declared}"]\n')
    text = (
        "from flax import nnx\n\n\nclass Stack(nnx.Module):\n    def __init__(self, rngs):\n"
        "        self.layers = [nnx.Linear(2, 2, rngs=rngs)]\n"
    )
    assert [each.code for each in check(text, str(tmp_path / "model.py"))] == codes


LAYER = """\
from typing import NamedTuple

import flax.linen as nn


class Batch(NamedTuple):
    x: jax.Array
    y: jax.Array


class Layer(nn.Module):
    @nn.compact
    def __call__(self, batch: Batch):
        return float({})
"""


@pytest.mark.parametrize("value, codes", [("batch.x.sum()", ["JAX102"]), ("batch.x.size", [])])
def test_fields_of_what_a_module_is_called_with_are_presumed_to_be_traced(value, codes):
    found = check(HEAD + LAYER.format(value), "layer.py")
    assert [each.code for each in found] == codes and all(each.basis == "presumed" for each in found)


@pytest.mark.parametrize(
    "annotation, codes", [("Optional[jax.Array]", ["JAX102"]), ("jax.Array | None", ["JAX102"]), ("str | None", [])]
)
def test_an_argument_that_may_be_none_is_presumed_to_be_traced(annotation, codes):
    program = "from typing import Optional\n" + LAYER.replace("Batch):", f"{annotation}):").format("batch.sum()")
    assert [each.code for each in check(HEAD + program, "layer.py")] == codes


def test_code_that_takes_a_value_to_be_traced_says_so():
    program = "def f(x, done):\n    y = lax.cond(done, jnp.sin, jnp.cos, x)\n    return y if done else -y\n"
    [found] = check(HEAD + program, "program.py", presume=["beliefs"])
    assert (found.code, found.basis) == ("JAX103", "presumed")
    [step] = [each for each in found.related if "is taken to be traced" in each.message]
    assert step.message == "`done` is taken to be traced: it is given to `lax.cond`"
    assert step.start.row == HEAD.count("\n") + 2


def test_keys_and_other_arrays_joined_are_no_keys_for_certain():
    keys, numbers = v.Aval("key", (3,)), v.Aval("uint32", (3,))
    assert repr(v.join_aval(keys, numbers)) == repr(v.join_aval(numbers, keys)) == "?[3]"
    assert repr(v.join_aval(keys, v.Aval(v.TYPED_KEY, (3,)))) == "key[3]"


def test_split_that_made_keys_is_remembered_by_a_call_and_by_nothing_else():
    unit = model("y = jax.random.split(jax.random.key(0))\n").unit
    node = unit.module.body[-1].value  # type: ignore[attr-defined]
    name = next(each for each in unit.own if type(each) is Name)
    keys = v.Array(v.CONCRETE, v.Aval(v.TYPED_KEY, (2,)), None, v.fresh())
    unnamed = v.Array(v.CONCRETE, v.Aval(v.TYPED_KEY, (2,)))
    for value, at, splits in ((keys, node, {keys.ident: node.site}), (keys, name, {}), (unnamed, node, {})):
        arrays = KeyArrays(Interpreter(lower(Source.from_text("", "example.py"))))
        assert arrays.made(value, Call(at, [], [], {}, {})) is value
        assert arrays.splits == splits


STEPS = """\
@jax.jit
def step(x):
    return x * 2


{}def f(x):
    found = []
    for _ in range(3):
        x = step(x)
        found.append(jax.device_get(x))
    return found


f(1.0)
"""


@pytest.mark.parametrize("decorator, rows", [("", [17]), ("@jax.jit\n", [])])
def test_loop_that_is_traced_waits_for_nothing(decorator, rows):
    found = check(HEAD + STEPS.format(decorator), "program.py", select=["JAX514"], preview=True)
    assert [each.start.row for each in found] == rows


@pytest.mark.parametrize(
    "program, reasons",
    [
        ("jax.jit(f, static_argnames='z')", ["unknown"]),
        ("jax.jit(f, static_argnames='x')", ["positional-only"]),
        ("jax.jit(f, static_argnums=2)", ["beyond"]),
        ("jax.grad(f, argnums=1)(1.0, y=2.0)", ["not passed"]),
        ("jax.grad(f, argnums=1)(1.0, 2.0)", []),
    ],
)
def test_option_that_does_not_fit_says_why(program, reasons):
    found = model(f"def f(x, /, y):\n    return x * y\n\n\n{program}\n").hazards
    assert [each.reason for each in found if type(each) is hazards.UnknownStaticArgument] == reasons


def test_states_that_meet_share_what_was_written_before_they_parted():
    for _ in range(9):  # so that locations are other numbers than those of writes
        State().allocate(ListObject((), v.UNKNOWN))
    here = State()
    old = [here.allocate(ListObject((), v.UNKNOWN)) for _ in range(3)]
    there = here.fork()
    mine, theirs = (state.allocate(ListObject((), v.UNKNOWN)) for state in (here, there))
    assert _written(here._log, there._log) == [mine, theirs]
    assert _written(there._log, here._log) == [mine, theirs]
    assert join_states(here, there).heap.keys() == {*old, mine, theirs}


@pytest.mark.parametrize(
    ("condition", "kinds"),
    [("isinstance(n, int)", {"int"}), ("isinstance(n, bool)", {"bool"}), ("isinstance(n, (int, float))", {""})],
)
def test_a_parameter_has_the_type_that_a_condition_names(condition, kinds):
    text = f"def f(n):\n    if {condition}:\n        return n + 0\n"
    start = text.index("n + 0")
    found = [
        each.value
        for each in Analysis(Source.from_text(text, "a.py")).own()
        if (each.start, each.end) == (start, start + 1)
    ]
    assert {getattr(value, "type", None) for value in found} == kinds


LOOPED = "import jax, haiku, equinox\n\n\ndef f(x):\n    return jax.lax.while_loop(lambda y: y < 9.0, lambda y: y * 2.0, x)\n"


@pytest.mark.parametrize("transform", sorted(each for each in tangents._REVERSE if ".nnx." not in each))
def test_reverse_mode_does_not_go_through_a_while_loop(transform):
    assert [each.code for each in check(f"{LOOPED}\n\n{transform}(f)(jax.numpy.ones(()))\n", select=["JAX511"])] == [
        "JAX511"
    ]


@pytest.mark.parametrize("transform", ["jax.jvp", "jax.jacfwd", "jax.linearize"])
def test_forward_mode_does(transform):
    arguments = "f, (1.0,), (1.0,)" if transform == "jax.jvp" else "f, 1.0"
    call = f"{transform}({arguments})" if transform != "jax.jacfwd" else "jax.jacfwd(f)(1.0)"
    assert check(f"{LOOPED}\n\n{call}\n") == []


@pytest.mark.parametrize(
    "program, codes",
    [
        ("jax.grad(lambda x, y: x * y * 1.0, argnums=(0, 1))(1, 2)", ["JAX507"]),
        ("@jax.jit\ndef f(x):\n    return isinstance(x, (jnp.float32, jnp.int32))\n\n\nf(1.0)", ["JAX526"]),
        ("@jax.jit\ndef f(x):\n    return isinstance(x, (jnp.float32, jax.Array))\n\n\nf(1.0)", []),
        (
            "@jax.jit\ndef f(x):\n    for _ in range(3):\n        x = 0.5 * (x + jnp.roll(x, 1))\n    return x\n\n\nf(jnp.ones(4))",
            [],
        ),
        (
            "@jax.jit\ndef f(x):\n    for _ in range(300):\n        x = 0.5 * (x + jnp.roll(x, 1))\n    return x\n\n\nf(jnp.ones(4))",
            ["JAX516"],
        ),
        ("def f(x):\n    for _ in range(2):\n        x = lax.psum(x, 'i')\n    return x\n\n\nf(1.0)", ["JAX528"]),
        (
            "class Model:\n    scale = 2.0\n\n    @jax.jit\n    def scaled(self, x):\n        return x * self.scale\n\n"
            "    def settings(self):\n        return self.__dict__\n\n\nModel().scaled(1.0)",
            ["JAX504"],
        ),
        (
            "x = jnp.ones(3)\n\n\n@jax.jit\ndef f(x):\n    jax.config.update('jax_enable_x64', True)\n    return x\n\n\nf(x)",
            [],
        ),
    ],
)
def test_findings_of_a_program(program, codes):
    found = [each.code for each in check(f"{HEAD}\n{program}\n", select=["JAX5", "JAX516"], preview=True)]
    assert found == codes


def test_behind_a_failure_the_analysis_goes_on_and_a_failing_operand_is_reported_alone():
    body = "    y = np.sin(x)\n    print(np.cos(y))\n    kept = y[y > 0]\n    if kept.sum() > 0:\n        y = -y\n    return y\n"
    found = check(f"{HEAD}@jax.jit\ndef f(x):\n{body}", "a.py")
    first = HEAD.count("\n") + 3
    assert [(each.code, each.start.row - first) for each in found] == [
        ("JAX301", 0),
        ("JAX301", 1),
        ("JAX203", 2),
        ("JAX103", 3),
    ]
