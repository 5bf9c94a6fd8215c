"""A text that is parsed block by block has the tree that parsing it whole gives."""

import random
from pathlib import Path

import pytest

from jaxlint.ir.from_libcst import lower
from jaxlint.source.incremental_parse import Blocks
from jaxlint.source.text import Source, SourceError, parse, spans

OWN = sorted((Path(__file__).parent.parent / "jaxlint").rglob("*.py"))


def outcome(blocks, text):
    """The code, the IR and the spans of a text, or where and why it does not parse."""
    source = Source.from_text(text, "a.py")
    try:
        module = blocks.parse(source) if blocks else parse(source)
    except SourceError as error:
        return error.row, error.column, error.message
    unit = lower(module, "a.py")
    places = blocks.spans(source, module, unit.cst) if blocks else spans(module, unit.cst, text)
    return module.code, [repr(node) for node in unit.nodes], list(places)


ODD = [
    "", "\n", "# comment\n", "x = 1", "x = 1\n\n\n# end", "def f(): pass", "@d\n@e(\n1)\n# c\ndef f():\n    pass\n# after\n\nclass A: x = 1\n",
    'text = """\ndef f():\nclass A\n"""\ndef g():\n    """\ndef h(): pass\n"""\n', "y = (a\n@b)\ndef f(): pass\n", "def f():\n  pass\ndef g():\n\tpass\n",
    "def f():\r\n    pass\r\n\r\ndef g():\r\n    pass\r\n", "def f():\n    pass\r\ndef g():\r\n    pass\n", "def f():\n    pass\n    # in f\n# above g\ndef g():\n    pass",
    "def f(:\n    pass\n\ndef g():\n    pass\n", "def f():\n    pass\n\ndef g()\n    pass\n", "async def f():\n    await g\n\nif x:\n    def g(): pass\nelse:\n    class B: pass\n",
    "# -*- coding: utf-8 -*-\n'''doc'''\nfrom __future__ import annotations\n\n\ndef f(): ...\n", "\f\ndef f(): pass\n\f\ndef g(): pass\n", "x = 1; y = 2\nclass A:\n  def f(s): pass\n",
    "def f():\n    pass\n\ndef f():\n    pass\n\ndef f():\n    pass\n", "import a\ndef f():\n  if x:\n     y\n  else:\n   z\n\nclass A:\n\tdef g(s):\n\t\ttry: pass\n\t\texcept E:\n\t\t\tpass\n\t\tfinally:\n\t\t\tpass\n",
    "def f():\n  match x:\n    case 1:\n      pass\n  with a: pass\n\ndef g():\n    for a in b:\n        pass\n    else:\n        while c:\n            pass\n",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_odd_texts(text):
    assert outcome(Blocks(), text) == outcome(None, text)


def test_texts_that_change():
    """Each text is one that was typed into: a line of it is dropped, doubled, moved or broken."""
    chance = random.Random(0)
    for path in chance.sample([path for path in OWN if path.stat().st_size > 200], 12):
        blocks = Blocks()
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        assert outcome(blocks, "".join(lines)) == outcome(None, "".join(lines))
        for _ in range(4):
            changed = list(lines)
            at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
            how = chance.choice(("drop", "double", "move", "break"))
            line = changed.pop(at)
            changed[at:at] = {"drop": [], "double": [line, line], "move": [], "break": [line[: len(line) // 2] + "\n"]}[
                how
            ]
            if how == "move":
                changed.insert(to, line)
            assert outcome(blocks, "".join(changed)) == outcome(None, "".join(changed)), (path, how, at, to)


def test_only_the_block_that_changed_is_parsed_again():
    text = "import jax\n\n\ndef f(x):\n    return x\n\n\ndef g(x):\n    return x\n"
    blocks = Blocks()
    before = blocks.parse(Source.from_text(text, "a.py")).body
    after = blocks.parse(
        Source.from_text(text.replace("def g(x):\n    return x", "def g(x):\n    return -x"), "a.py")
    ).body
    assert [before[0] is after[0], before[1].body is after[1].body, before[2].body is after[2].body] == [
        True,
        True,
        False,
    ]
