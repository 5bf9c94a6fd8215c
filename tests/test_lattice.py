"""The laws of the lattice of abstract values, exhaustively over small values.

``join`` gives what covers both of two values, so it has to be idempotent, commutative and associative, and what it claims has to
hold of both. The order is the one that ``join`` defines: `a <= b` where the join of both is `b`. Identities of new objects are
not compared: a value's ``key`` leaves them out.
"""

import itertools

import pytest
from interpreted import IS_COMPILED

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.dimensions import Dimension
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, SetObject, State, join_states, same_values
from jaxlint.configuration.config import Config
from jaxlint.knowledge.transforms import TRANSFORMS
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

if IS_COMPILED:
    pytest.skip(
        "values are made of parts that stand for others, which compiled classes refuse", allow_module_level=True
    )

NAMES = itertools.count(1000)
F32, I32, KEYS = v.Aval("float32", (3,)), v.Aval("int32", (3, 2)), v.Aval("key", ())
FUNCTION, OTHER = v.Api("jax.numpy.sin"), v.Api("jax.numpy.cos")
JIT = TRANSFORMS["jax.jit"]


def key(number):
    return v.Array(v.CONCRETE, KEYS, None, ("key", number))


def small_values():
    """At least one value of each form that ``join`` tells apart; made anew, so that no two share an object."""
    found = [
        v.UNKNOWN, v.Unknown(("a",)), v.Unknown(("b",)), v.Unknown(("c",), (FUNCTION, OTHER)), v.MaybeDefault(("a",)), v.MaybeDefault(("d",)),
        *map(v.Const, (0, 1, True, 1.0, -0.0, float("nan"), "a", b"a", None, ..., (1, 2))),
        v.Static(), v.Static("int"), v.Static("int", ("n",)), v.Static("bool"), v.Static("dtype", ("t",)),
        v.Static("dim"), v.Static("dim", None, Dimension.symbol("n")), v.Static("dim", None, Dimension.symbol("m")),
        *(v.Array(mode, aval) for mode in (*sorted(v.TRACED), v.CONCRETE, v.MAYBE) for aval in (v.ANY, F32, I32)),
        key(1), key(2), v.Array(v.CONCRETE, v.Aval(v.TYPED_KEY, ())), v.Array(v.STAGED, F32, needless=True),
        v.Array(v.STAGED, F32, presumed=True), v.Array(v.STAGED, v.Aval("float32", (None,), None)),
        v.Host(), v.Host(F32), v.Host(F32, ("h",), 3),
        *(v.Undecided(cls, None, None, maybe) for cls in sorted(v.TRACED) for maybe in (False, True)),
        v.Tuple(()), v.Tuple((v.Const(1),)), v.Tuple((v.Const(1), v.Const("a"))), v.Tuple((key(1), key(2))), v.Tuple((key(2), key(1))),
        v.Tuple(None), v.Tuple(None, v.Static("int")), v.Tuple((v.Tuple((key(1),)), v.NONE)), v.Tuple((v.Const(1),), fields=("x",)),
        v.Slice(v.NONE, v.Const(1), v.NONE), v.Slice(v.Static("int"), v.NONE, v.NONE), v.Ref(1), v.Ref(2), FUNCTION, OTHER,
        v.BoundMethod(FUNCTION, key(1)), v.BoundMethod(FUNCTION, key(2)), v.Member(key(1), "sum", 4), v.Member(key(2), "sum", 4),
        v.At(key(1), 1), v.At(key(2), 1, v.Const(0), 2), v.At(key(1), 1, v.Const(0), 2),
        v.Partial(FUNCTION, (key(1),), {}), v.Partial(FUNCTION, (key(2),), {}), v.Partial(FUNCTION, (), {"key": key(1)}),
        v.Transformed(JIT, v.Partial(FUNCTION, (key(1),), {}), {}, 1), v.Transformed(JIT, v.Partial(FUNCTION, (key(2),), {}), {}, 2),
        v.Transformed(JIT, FUNCTION, {"donate_argnums": v.Const(0)}, 3), v.Iterator(key(1)), v.Iterator(key(2), (key(2),), "view"),
        v.Iterator(v.Static("int"), form="range"), v.Text(key(1), None), v.Text(key(2), None), v.OpaqueInstance("lru_cache", (), ("m",)),
        v.OpaqueInstance("lru_cache", (), ("n",)), v.OpaqueInstance("PRNGSequence", (key(1),)), v.OpaqueInstance("PRNGSequence", (key(2),)),
        v.DonatedArray(key(1), None), v.DonatedArray(key(2), None), v.MemoryRef(None), v.MemoryRef(None, F32),
    ]  # fmt: skip
    return found


VALUES = small_values()
COPIES = small_values()


def idents(value):
    """The identities that a value claims, its parts included. A value without one is told apart by its place."""
    found = {repr(value.ident)} if value.ident is not None else set()
    if type(value) is v.Unknown:
        return found  # its options are alternatives, each with identities of its own
    parts = []
    for slot in itertools.chain.from_iterable(getattr(cls, "__slots__", ()) for cls in type(value).__mro__):
        held = getattr(value, slot, None)
        held = held.values() if isinstance(held, dict) else held if isinstance(held, tuple) else (held,)
        parts += [part for part in held if isinstance(part, v.Value)]
    return found.union(*map(idents, parts))


def claims(value):
    """What is said of a value, each claim a word that has to hold of whatever the value covers."""
    kind = type(value)
    found = {("python", v.python_type(value))} if v.python_type(value) else set()
    if kind is v.Const:
        found |= {("is", value.key)}
    if kind is v.Array:
        found |= (
            {"array"}
            | ({"traced"} if value.mode in v.TRACED else set())
            | ({"abstract"} if value.mode in v.ABSTRACT else set())
        )
        found |= {"concrete"} if value.mode == v.CONCRETE else set()
        found |= {"needless"} if value.needless else set()
    if kind is v.Undecided:
        found |= {"traced"} | ({"abstract"} if value.cls in v.ABSTRACT else set())
    if kind is v.Array and value.mode in v.TRACED or kind is v.Undecided:
        found |= {"traced leaves"}
    if kind in (v.Array, v.Host):
        dtype, shape = value.aval.dtype, value.aval.shape
        found |= {("dtype", "key" if dtype in v.KEYS else dtype)} if dtype else set()
        found |= {("typed key",)} if dtype == v.TYPED_KEY else set()
        found |= (
            set()
            if shape is None
            else {("ndim", len(shape)), *(("size", i, n) for i, n in enumerate(shape) if n is not None)}
        )
        found |= set() if value.aval.weak is None else {("weak", value.aval.weak)}
    if kind is v.Host:
        found |= {"host"} | (set() if value.view is None else {("view", value.view)})
    if kind is v.Tuple:
        found |= {"tuple"} if value.items is None else {"tuple", ("length", len(value.items))}
        found |= {(i, claim) for i, item in enumerate(value.items or ()) for claim in claims(item)}
        found |= {("fields", tuple(value.fields))} if value.fields else set()
    if kind is v.Iterator:
        found |= (
            {"iterator"}
            | ({("form", value.form)} if value.form else set())
            | {("each", claim) for claim in claims(value.element)}
        )
        found |= set() if value.items is None else {("length", len(value.items))}
    if kind in (v.Api, v.Ref):
        found |= {value.key}
    return found


def covers(a, b):
    """`b <= a`"""
    return v.join(a, b).key == a.key


@pytest.mark.parametrize("index", range(len(VALUES)))
def test_a_value_is_covered_by_itself_and_by_a_copy(index):
    value, copy = VALUES[index], COPIES[index]
    assert v.join(value, value) is value
    if type(value) is v.Iterator and value.items is not None:
        return  # which items it yields is not kept: the two are used up apart
    assert v.join(value, copy).key == value.key, "a copy"


PAIRS = list(itertools.combinations(VALUES, 2))


def test_the_join_of_two_values_is_commutative():
    assert [(a, b) for a, b in PAIRS if v.join(a, b).key != v.join(b, a).key] == []


def test_the_join_of_two_values_covers_both():
    assert [(a, b) for a, b in PAIRS for c in (a, b) if not covers(v.join(a, b), c)] == []


def test_what_the_join_claims_holds_of_both():
    wrong = [(a, b, said) for a, b in PAIRS if (said := claims(v.join(a, b)) - (claims(a) & claims(b)))]
    assert wrong == []


def test_an_identity_is_kept_only_where_both_values_have_it():
    """A key of one path is not the key of the other: what is drawn from it after the paths meet is no second draw."""
    wrong = []
    for a, b in PAIRS:
        new = idents(v.join(a, b)) & (idents(a) ^ idents(b))
        if new:
            wrong.append((a, b, new))
    assert wrong == []


def test_the_join_of_three_values_is_associative():
    joined = {(i, j): v.join(a, b) for (i, a), (j, b) in itertools.product(enumerate(VALUES), repeat=2)}
    wrong = []
    for (i, a), (j, b), (k, c) in itertools.product(enumerate(VALUES), repeat=3):
        if v.join(joined[i, j], c).key != v.join(a, joined[j, k]).key:
            wrong.append((a, b, c))
    assert wrong == []


def test_the_order_is_transitive_and_antisymmetric():
    above = {(i, j) for (i, a), (j, b) in itertools.product(enumerate(VALUES), repeat=2) if covers(a, b)}
    assert [(i, j, k) for i, j in above for k in range(len(VALUES)) if (j, k) in above and (i, k) not in above] == []
    assert [(i, j) for i, j in above if (j, i) in above and VALUES[i].key != VALUES[j].key] == []


def test_chains_end():
    """However values are joined in turn, few steps lead to one that covers all: the loops of the analysis end."""
    for first in VALUES:
        value, steps = first, 0
        for _ in range(3):
            for other in VALUES:
                joined = v.join(value, other)
                steps += joined.key != value.key
                value = joined
        assert steps <= 6, first


def test_tuples_that_grow_and_nest_end():
    value = v.Tuple((v.Const(0),))
    seen = set()
    for number in range(50):
        value = v.join(value, v.Tuple((value, v.Const(number))))
        seen.add(value.key)
    assert len(seen) <= v.MAX_NESTING + 2
    nested = v.Tuple(())
    for _ in range(100):
        nested = v.Tuple((nested, nested))
    assert nested.depth <= v.MAX_NESTING + 1


def test_of_too_many_callables_the_first_are_kept():
    value = v.Api("f0")
    for number in range(1, v.MAX_OPTIONS):
        value = v.join(value, v.Api(f"f{number}"))
    assert len(value.options) == v.MAX_OPTIONS and not value.open
    assert v.join(value, v.NONE).key == value.key  # which nobody calls
    for other in (v.Api("one more"), v.Const(1), v.UNKNOWN):
        for joined in (v.join(value, other), v.join(v.join(value, other), other)):
            assert joined.options == value.options and joined.open


def test_objects_that_one_call_makes_are_one_option():
    first, second, other = v.Ref(1, (10, 20)), v.Ref(2, (10, 20)), v.Ref(3, (11, 20))
    assert v.join(first, second).options == (second,)
    assert v.join(v.join(first, other), second).key == v.join(first, other).key
    assert v.join(v.Ref(9), first).open  # a list, or anything else that nobody calls


# --- abstract arrays and objects -------------------------------------------------------------

AVALS = [
    v.Aval(dtype, shape, weak)
    for dtype in (None, "float32", "int32", "key", v.TYPED_KEY)
    for shape in (None, (), (3,), (None,), (3, 2))
    for weak in (False, True, None)
]


def test_abstract_arrays_form_a_lattice():
    for a, b in itertools.product(AVALS, repeat=2):
        both = v.join_aval(a, b)
        assert both.key == v.join_aval(b, a).key
        assert v.join_aval(both, a).key == v.join_aval(both, b).key == both.key
    for a, b, c in itertools.product(AVALS, repeat=3):
        assert v.join_aval(v.join_aval(a, b), c).key == v.join_aval(a, v.join_aval(b, c)).key


def content(held):
    """What an object holds, without identities."""
    if type(held) is ListObject:
        return None if held.items is None else [each.key for each in held.items], held.summary().key
    if type(held) is DictObject:
        return {name: value.key for name, value in held.items.items()}, held.rest and held.rest.key
    if type(held) is SetObject:
        return held.element.key, held.frozen
    return {name: value.key for name, value in held.fields.items()}, held.called


ONE, TWO, TEXT = v.Const(1), v.Const(2), v.Const("a")
OBJECTS = [
    [ListObject(()), ListObject((ONE,)), ListObject((TWO,)), ListObject((ONE, TEXT)), ListObject(None, v.Static("int")), ListObject(None)],
    [
        DictObject({}), DictObject({"a": ONE}), DictObject({"a": TWO}), DictObject({"b": TEXT}), DictObject({"a": ONE, "b": TEXT}),
        DictObject({}, v.Static("int")), DictObject({"a": ONE}, TEXT),
    ],
    [SetObject(ONE), SetObject(TWO), SetObject(TEXT, frozen=True), SetObject()],
    [Instance(None, {}), Instance(None, {"a": ONE}), Instance(None, {"a": TWO}, called=True), Instance(None, {"b": key(1)})],
]  # fmt: skip


@pytest.mark.parametrize("objects", OBJECTS, ids=lambda objects: type(objects[0]).__name__)
def test_objects_form_a_lattice(objects):
    for a, b in itertools.product(objects, repeat=2):
        both = a.joined(b)
        assert content(both) == content(b.joined(a)), (content(a), content(b))
        assert content(both.joined(a)) == content(both), (content(a), content(b))
    for a in objects:
        assert content(a.joined(a)) == content(a)
    for a, b, c in itertools.product(objects, repeat=3):
        assert content(a.joined(b).joined(c)) == content(a.joined(b.joined(c))), tuple(map(content, (a, b, c)))


def state(names, failed=False):
    made = State()
    made.open_frame(1, dict(names))
    made.failed = failed
    return made


def test_states_meet_in_any_order():
    kinds = [{"x": ONE}, {"x": TWO}, {"x": key(1)}, {"x": key(2)}, {"y": TEXT}, {"x": ONE, "y": TEXT}]
    for a, b in itertools.product(kinds, repeat=2):
        for fails in itertools.product((False, True), repeat=2):
            one = join_states(state(a, fails[0]), state(b, fails[1]))
            two = join_states(state(b, fails[1]), state(a, fails[0]))
            assert {name: value.key for name, value in one.frames[1].items()} == {
                name: value.key for name, value in two.frames[1].items()
            }
            assert one.failed == two.failed == all(fails)
    only = state({"x": ONE})
    assert join_states(None, only) is only and join_states(only, None) is only and join_states(None, None) is None
    assert join_states(only, only) is only


def with_object(contents, location):
    """A state that has made an object, which a variable and another object hold."""
    made = state({"x": v.Ref(location), "y": v.Tuple((v.Ref(location), ONE))})
    made.write(1, DictObject({"held": v.Ref(location)}))
    made.write(location, contents)
    return made


@pytest.mark.parametrize("objects", OBJECTS, ids=lambda objects: type(objects[0]).__name__)
def test_objects_that_either_path_makes_are_joined(objects):
    for a, b in itertools.product(objects, repeat=2):
        met = join_states(with_object(a, 2), with_object(b, 3))
        x, y = met.frames[1]["x"], met.frames[1]["y"].items[0]
        held = met.heap[1].items["held"]
        if isinstance(a, DictObject) and (a.items.keys() != b.items.keys() or (a.rest is None) is not (b.rest is None)):
            assert type(x) is v.Unknown
            continue
        assert x.key == y.key == held.key
        assert content(met.heap[x.location]) == content(a.joined(b))
        assert content(met.heap[2]) == content(a) and content(met.heap[3]) == content(b)


def test_objects_that_both_paths_have_are_not_joined():
    """What is written to one of them later is not seen in an object that would stand for both."""
    before = with_object(DictObject({"a": ONE}), 2)
    before.write(3, DictObject({"a": TWO}))
    one, two = before.fork(), before.fork()
    two.store(1, "x", v.Ref(3))
    assert type(join_states(one, two).frames[1]["x"]) is v.Unknown


def test_objects_that_hold_themselves_are_joined():
    one, two = with_object(DictObject({"self": v.Ref(2)}), 2), with_object(DictObject({"self": v.Ref(3)}), 3)
    met = join_states(one, two)
    x = met.frames[1]["x"]
    assert met.heap[x.location].items["self"].key == x.key
    assert same_values(met, join_states(one.fork(), two.fork()), 1)


def test_only_so_many_objects_are_joined():
    def chain(first):
        made = state({"x": v.Ref(first)})
        for location in range(first, first + 1000):
            made.write(location, DictObject({"next": v.Ref(location + 1)}))
        return made

    met = join_states(chain(10_000), chain(20_000))
    assert type(met.frames[1]["x"]) is v.Ref
    assert len(met.heap) < 2100


# --- what the laws are for -------------------------------------------------------------------

HEAD = "import functools\nimport jax\n\n\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD
        + "def f(key, flag):\n    a, b = jax.random.split(key)\n    if flag:\n        draw = functools.partial(jax.random.normal, a)\n"
        "    else:\n        draw = functools.partial(jax.random.normal, b)\n    x = jax.random.uniform(a) if not flag else 0.0\n    return draw(), x\n",
        HEAD + "def f(key, flag):\n    a, b = jax.random.split(key)\n    x = jax.random.uniform(a)\n    if flag:\n"
        "        draw = functools.partial(jax.random.normal, b)\n    else:\n        key, sub = jax.random.split(b)\n"
        "        draw = functools.partial(jax.random.normal, sub)\n    return draw(), x\n",
    ],
)
def test_a_draw_from_one_of_two_keys_is_no_second_draw(text):
    found = check_source(Source.from_text(text, "program.py"), Config(root="", select=("JAX401",))).diagnostics
    assert [each.message for each in found] == []
