"""The IR does not depend on which parser has read the text: Python's own, or libCST."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

from jaxlint.ir import from_ast, nodes as ir
from jaxlint.ir.lowering import by_libcst, lower, positions
from jaxlint.source.reading import read_source
from jaxlint.source.text import Source

ROOT = Path(__file__).resolve().parent.parent

CONSTRUCTS = """\
'''docstring'''
import a.b, c.d as e
from .. import f as g, h
from i.j import *
x, (y, *z) = w = 1, (-2.5, *[3j, ...])
x: int = b"a" rb"\\n"; y: "str"
x @= y[1:2, ..., None]; y[a,] = y[(a, b)]; del x, (y, z[0])
del (a, b)
global_ = not a and b and c or (d or e)
a + b * (c - d) // -e ** f @ g | h << 2
1 < a != b not in c is not d
f(*a, b, k=1, *c, **d, m=2)(lambda p, /, q=1, *r, s, t=2, **u: (yield p))
@decorated(1)
def function(a: int, /, b=1, *args: str, c: int = 2, d, **kwargs) -> "int":
    global x
    def inner():
        nonlocal a
        return
    for i, (j, *k) in range(3), *b: pass
    else: break
    while (n := f()): continue
    yield
    yield from [[m for m in a if b if c for n in m], {k: v for k, v in d}, {s for s in t}, (g for g in h)]
async def coroutine():
    async with a as b, c: await d
    async for e in f: [g async for g in h]
@property
class Class(Base, *bases, metaclass=Meta, **rest):
    field = 1
    def method(self): return __class__
try: raise A from B
except (C, D) as error: assert e, "why"
except: raise
else: pass
finally: pass
if a: pass
elif b: pass
else:
    if c: pass
with (open(a) as f, g): pass
match value:
    case -1 | "a" "b" | None | a.b: pass
    case [x, *_, (y)] | (x, y) if x: pass
    case {"k": v, 1: _, **rest}: pass
    case Point(0, y=Point(z)) as p: pass
    case [*others]: pass
    case (x, (y)): pass
    case ((x), y,): pass
    case _: pass
f"a{x}b" "c\\n{{" f'{y!r:>{w}.2f}' rf"\\d{z}" f""
f"{x=} {y = !s} {z=:.{p}f} {{}} {u!r}" "plain" f'{v=}'
((a)), ((b) and (c)) and (not d) and e; t = (); t = ((a), (b)); t = (a), (b); t = (
    # a comment )
    (a), "# b",  # another ,
)
f((x) for x in (y) if (z)); g = ((x) for x in (y)
    # )
    if (z)
); lambda *a, k, **b: (a, b); lambda: (); s[(a, b)]; s[(a), b]; s[a:b, ...]; "ü", (é), {"ñ": (a, "ß")}
with (a), (b) as (c): pass
def stars(* args: int, ** kwargs): return (yield (a, b)), (a)
f"it's {x:{y}{z}} \\"quoted\\" \\N{BULLET}"
x if y else z; {**a, "b": c, **d}; {1, *e}; a[b:c:d]; a[::]
ϕ = φ.ﬁ(ﬂ=1)
"""


def plain(value: Any) -> Any:
    if isinstance(value, ir.Node):
        return f"#{ir.index(value.site)}"
    if isinstance(value, (list, tuple)):
        return type(value), [plain(each) for each in value]
    return repr(sorted(value)) if isinstance(value, frozenset) else repr(value)


def written(unit: ir.Unit) -> list[Any]:
    """Every node with every field."""
    slots = {
        kind: [name for base in kind.__mro__ for name in getattr(base, "__slots__", ()) if name != "site"]
        for kind in map(type, unit.nodes)
    }
    assert [ir.index(node.site) for node in unit.nodes] == list(range(len(unit.nodes)))
    return [(type(node).__name__, *(plain(getattr(node, name)) for name in slots[type(node)])) for node in unit.nodes]


# Nodes whose place has white space, a comma or parentheses around it by libCST.
LOOSE = (ir.Clause, ir.Slice, ir.Pattern, ir.WithItem)


def assert_same(text: str, filename: str) -> bool:
    """Whether Python's parser could say; if so, both say the same, and of each node where it stands."""
    reference = by_libcst(Source.from_text(text, filename))
    unit = from_ast.lower(text, filename, lambda: positions(reference))
    if unit is None:
        return False
    for one, two in zip(written(unit), written(reference)):
        assert one == two
    assert len(unit.nodes) == len(reference.nodes)
    for node, span, other in zip(unit.nodes, positions(unit), positions(reference)):
        assert span is not None and other is not None
        if isinstance(node, LOOSE):
            assert text[slice(*span)] in text[slice(*other)]
            assert not isinstance(node, ir.Pattern) or text[slice(*other)].strip(" ,()") in text[slice(*span)]
        elif isinstance(unit.parent(node.site), ir.Subscript) and isinstance(node, ir.Sequence):
            assert span[0] == other[0]  # libCST has no node for several indices
        else:
            assert span == other, (node, text[slice(*span)], text[slice(*other)])
    return True


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_construct(newline: str) -> None:
    assert assert_same(CONSTRUCTS.replace("\n", newline), "constructs.py")


def test_a_field_in_a_format_that_shows_its_source() -> None:
    text = 'f"{z=:.{p=}f}"\n'
    try:
        ast.parse(text)
    except ValueError:  # Python 3.12.0 and 3.12.1 cannot
        assert from_ast.lower(text, "field.py", list) is None
    else:
        assert assert_same(text, "field.py")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements are of Python 3.12")
def test_constructs_of_newer_pythons() -> None:
    assert assert_same("type A[T] = list[T]\ndef f[T](x: T): return f\"{f'{x}'}\"\nclass B[T]: pass\n", "new.py")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is of Python 3.11")
def test_exception_groups() -> None:
    assert assert_same("try: pass\nexcept* A as e: pass\nx[*a, 1]\ndef f(*args: *Ts): pass\n", "groups.py")


def test_files() -> None:
    files = sorted(ROOT.glob("fixtures/*/*/*.py"))[::12] + sorted(ROOT.glob("jaxlint/analysis/*/*.py"))[::12]
    read = [assert_same(read_source(file).text, str(file)) for file in files]
    assert sum(read) > 0.8 * len(read)


def below(node: ir.Node, into_scopes: bool) -> list[ir.Node]:
    found = [node]
    for child in node.children() if into_scopes or not isinstance(node, ir.Scope) else ():
        found += below(child, into_scopes)
    return found


@pytest.mark.parametrize("into_scopes", [True, False])
def test_a_walk_gives_a_node_before_those_below_it(into_scopes: bool) -> None:
    """Nodes of a file, and one that is made from others."""
    unit = lower(Source.from_text(CONSTRUCTS, "constructs.py"))
    made = ir.Await(unit.module.site, next(node for node in unit.own if type(node) is ir.Call))
    for node in [*unit.own, made]:
        assert list(map(id, ir.walk([node], into_scopes))) == list(map(id, below(node, into_scopes)))
    assert list(ir.walk(unit.module.body, into_scopes)) == [
        each for statement in unit.module.body for each in below(statement, into_scopes)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# %% a cell\nx = 1\n",
        "x[*a]\n",
        "print 1\n",
        "x = " + "(" * 300 + ")" * 300,
    ],
)
def test_what_is_left_to_libcst(text: str) -> None:
    assert from_ast.lower(text, "left.py", list) is None
