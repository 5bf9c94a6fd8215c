"""The IR does not depend on which parser has read the text: Python's own, or libCST."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

from jaxlint.ir import from_ast
from jaxlint.ir import nodes as ir
from jaxlint.ir.from_libcst import lower
from jaxlint.source.text import Source, deep_recursion, parse

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
    case _: pass
f"a{x}b" "c\\n{{" f'{y!r:>{w}.2f}' rf"\\d{z}" f""
f"{x=} {y = !s} {z=:.{p}f} {{}} {u!r}" "plain" f'{v=}'
f"it's {x:{y}{z}} \\"quoted\\" \\N{BULLET}"
x if y else z; {**a, "b": c, **d}; {1, *e}; a[b:c:d]; a[::]
ϕ = φ.ﬁ(ﬂ=1)
"""


def plain(value: Any) -> Any:
    if isinstance(value, ir.Node):
        return f"#{value.site}"
    if isinstance(value, (list, tuple)):
        return type(value), [plain(each) for each in value]
    return repr(sorted(value)) if isinstance(value, frozenset) else repr(value)


def written(unit: ir.Unit) -> list[Any]:
    """Every node with every field."""
    slots = {
        kind: [name for base in kind.__mro__ for name in getattr(base, "__slots__", ())]
        for kind in map(type, unit.nodes)
    }
    return [(type(node).__name__, *(plain(getattr(node, name)) for name in slots[type(node)])) for node in unit.nodes]


def assert_same(text: str, filename: str) -> bool:
    """Whether Python's parser could say; if so, both say the same."""
    unit = from_ast.lower(text, filename)
    if unit is None:
        return False
    with deep_recursion():
        other = lower(parse(Source.from_text(text, filename)), filename)
    for one, two in zip(written(unit), written(other)):
        assert one == two
    assert len(unit.nodes) == len(other.nodes)
    return True


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_construct(newline: str) -> None:
    assert assert_same(CONSTRUCTS.replace("\n", newline), "constructs.py")


def test_a_field_in_a_format_that_shows_its_source() -> None:
    text = 'f"{z=:.{p=}f}"\n'
    try:
        ast.parse(text)
    except ValueError:  # Python 3.12.0 and 3.12.1 cannot
        assert from_ast.lower(text, "field.py") is None
    else:
        assert assert_same(text, "field.py")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements are of Python 3.12")
def test_constructs_of_newer_pythons() -> None:
    assert assert_same("type A[T] = list[T]\ndef f[T](x: T): return f\"{f'{x}'}\"\nclass B[T]: pass\n", "new.py")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is of Python 3.11")
def test_exception_groups() -> None:
    assert assert_same("try: pass\nexcept* A as e: pass\nx[*a, 1]\ndef f(*args: *Ts): pass\n", "groups.py")


def test_files() -> None:
    files = sorted(ROOT.glob("fixtures/*/*/*.py"))[::12] + sorted(ROOT.glob("jaxlint/analysis/*.py"))[::12]
    read = [assert_same(Source.read(file).text, str(file)) for file in files]
    assert sum(read) > 0.8 * len(read)


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
    assert from_ast.lower(text, "left.py") is None
