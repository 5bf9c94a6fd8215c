"""Long displays of constants are left out of what is parsed, and nothing else of a file is read differently.

tests/test_fuzzing.py has the memory that it takes.
"""

import ast
import random
import re

import pytest
from hypothesis import given, settings, strategies as st

from jaxlint.configuration.config import Config
from jaxlint.ir import from_ast
from jaxlint.ir.lowering import by_libcst
from jaxlint.run.pipeline import check_source
from jaxlint.run.reveal import Analysis
from jaxlint.source import literal_elision
from jaxlint.source.text import Source, SourceError, parse

HAZARD = "import jax\nimport jax.numpy as jnp\n\n\ndef f(x):\n    y = jnp.zeros(3)\n    y[0] = 1.0\n    return y\n\n\n"

ITEMS = [
    "0", "-1", "1_000", "0xff", "2.5", "1e-3", "-3j", "1 + 2j", "True", "None", "...", "'a'", "b'x'", "r'\\d'", "'it\\'s'", '"]"', "'# no'", "','",
    "'''[\n(,'''", "'a' 'b'", "[1, 2]", "(1,)", "()", "{}", "{1: 'a', 2: [3]}", "{1, 2}", "[[1], [2, 3]]",
]  # fmt: skip
OTHERS = [
    "x",
    "f(1)",
    "f'{x}'",
    "f'{x[0]}, {y!r:>{3}}'",
    "*xs",
    "lambda: 0",
    "x if y else z",
    "[x for x in (1, 2)]",
    "1 +",
    "3 4",
    "",
    "a=1",
    "1:2",
]
BETWEEN = [", ", ",", ",\n    ", " ,  # a, ] ' comment\n    ", ",\r\n", "\n, "]
FORMS = ["T = [{}]\n", "T = ({})\n", "T = {{{}}}\n", "f([{}], y)\n", "f({})\n", "x[{}]\n", "if x in ({}):\n    pass\n", "match x:\n    case [{}]:\n        y\n", "def g():\n    return [{}]\n", "T = {{'a': [{}], 'b': 2}}\n", "T = [x, [{}], 'x']\n"]  # fmt: skip


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """So that short texts are shortened."""
    monkeypatch.setattr(literal_elision, "MIN_TEXT", 0)
    monkeypatch.setattr(literal_elision, "MIN_RUN", 60)
    literal_elision._shortened.cache_clear()
    yield
    literal_elision._shortened.cache_clear()


def program(rng, valid):
    text = HAZARD
    for _ in range(rng.randint(1, 4)):
        is_dict = rng.random() < 0.2
        parts = []
        for _ in range(rng.choice([3, 40, 120])):
            item = rng.choice(
                OTHERS if not valid and rng.random() < 0.02 else ["x", "f(1)"] if rng.random() < 0.02 else ITEMS
            )
            parts.append(f"{rng.choice(ITEMS[:10])}: {item}" if is_dict and (valid or item not in OTHERS) else item)
        between = rng.choice(BETWEEN)
        inside = "".join(part + (between if rng.random() < 0.9 else ", ") for part in parts)
        text += (FORMS[2] if is_dict else rng.choice(FORMS[:2] + FORMS[3:])).format(inside)
    if not valid and rng.random() < 0.7:
        at = rng.randrange(len(text))
        text = (
            text[:at] + rng.choice(["", "", ",", "'", "]", "[", '"""', "#", "\n", "0"]) + text[at + rng.randint(0, 1) :]
        )
    return text


def parsed(text):
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


class Filled(ast.NodeTransformer):
    """The tree of a shortened text with the items that were left out in their places."""

    def __init__(self, text, short):
        self.text = text
        self.rows = [row.encode() for row in short.split("\n")]
        self.starts = [0]
        for row in self.rows:
            self.starts.append(self.starts[-1] + len(row.decode()) + 1)
        self.runs = 0

    def items(self, node, stars):
        run = literal_elision.run_of(node.value) if isinstance(node, ast.Constant) else None
        if run is None:
            return None
        self.runs += 1

        def offset(row, column):
            return self.starts[row - 1] + len(self.rows[row - 1][:column].decode())

        start = offset(node.lineno, node.col_offset) - len(stars)
        text = self.text[start : offset(node.end_lineno, node.end_col_offset)]
        found = ast.parse("[" + text + "]" if stars == "*" else "{" + text + "}", mode="eval").body
        assert len(found.keys if isinstance(found, ast.Dict) else found.elts) == run.length
        return found

    def display(self, node):
        self.generic_visit(node)
        made = []
        for each in node.elts:
            found = self.items(each.value, "*") if isinstance(each, ast.Starred) else None
            made += [each] if found is None else found.elts
        node.elts = made
        return node

    visit_List = visit_Tuple = visit_Set = display

    def visit_Dict(self, node):
        self.generic_visit(node)
        keys, values = [], []
        for key, value in zip(node.keys, node.values):
            found = self.items(value, "**") if key is None else None
            keys += [key] if found is None else found.keys
            values += [value] if found is None else found.values
        node.keys, node.values = keys, values
        return node


def test_tree_differs_in_nothing_but_the_items_that_are_left_out():
    runs = 0
    for seed in range(300):
        text = program(random.Random(seed), valid=True).replace("\r\n", "\n")
        short = literal_elision.shortened(text)
        assert len(short) == len(text) and short.count("\n") == text.count("\n")
        before, after = parsed(text), parsed(short)
        assert (before is None) == (after is None), (seed, text, short)
        if after is not None:
            filled = Filled(text, short)
            assert ast.dump(filled.visit(after)) == ast.dump(before), seed
            runs += filled.runs
    assert runs > 200


def test_no_mistake_is_left_out_and_none_is_made():
    wrong = 0
    for seed in range(2000):
        text = program(random.Random(seed), valid=False)
        short = literal_elision.shortened(text)
        assert len(short) == len(text)
        assert (parsed(text) is None) == (parsed(short) is None), (seed, text, short)
        wrong += parsed(text) is None
    assert 400 < wrong < 1900


@given(st.text(alphabet="[](){},'\"#\n\\ 01:ab*fr=", max_size=400))
@settings(max_examples=500, deadline=None)
def test_no_text_is_valid_only_when_it_is_shortened(text):
    assert (parsed(text) is None) == (parsed(literal_elision.shortened(text)) is None)


def test_findings_elsewhere_are_the_same(monkeypatch):
    def findings(text):
        found = check_source(Source.from_text(text, "a.py"), Config(select=("JAX",), preview=True)).diagnostics
        return [
            (each.code, each.start, each.end, each.message, each.fix and each.fix.edits)
            for each in found
            # Unequal lengths and strings among what is left out are not seen.
            if each.code != "JAX213" and not each.message.startswith("String ")
        ]

    shortened = 0
    for seed in range(60):
        text = (
            program(random.Random(seed), valid=True)
            + HAZARD.replace("def f", "def h")
            + "z = jnp.asarray(T)\nw = jnp.zeros(3)[[0, 1]]\n"
        )
        shortened += literal_elision.shortened(text) != text
        with_runs = findings(text)
        with monkeypatch.context() as patch:
            patch.setattr(literal_elision, "MIN_TEXT", 10**9)
            assert findings(text) == with_runs, seed
        codes = [code for code, *_ in with_runs]
        assert codes.count("JAX308") == 2 or codes == ["JAX900"]
    assert shortened > 30


def test_both_parsers_see_the_same_runs():
    text = f"T = [{'1, 2, ' * 50}x, {'3.5, ' * 50}]\nD = {{{'1: [2], ' * 50}}}\n"
    one, other = from_ast.lower(text, "a.py", list), by_libcst(Source.from_text(text, "a.py"))
    assert one is not None
    assert re.sub(r"#\d+", "", repr(one.module)) == re.sub(r"#\d+", "", repr(other.module))
    runs = [(node.kind, node.count) for node in one.nodes if type(node).__name__ == "Run"]
    assert [kind for kind, _ in runs] == ["int", "float", ""] and all(20 < count <= 100 for _, count in runs)


def test_length_and_type_of_what_is_left_out_are_known():
    text = f"import jax.numpy as jnp\nT = [{'1, ' * 100}'x']\nn = len(T)\nU = ({'-2.5, ' * 100})\nu = U[7]\nw = T[3]\n"
    assert literal_elision.shortened(text) != text
    source = Source.from_text(text, "a.py")
    values = {text[each.start : each.end]: each.value for each in Analysis(source).own()}
    assert repr(values["len(T)"]) == "Const(101)"
    assert repr(values["U[7]"]) == "Static(float)"
    assert repr(values["T[3]"]) == "Static(int)"


@pytest.mark.parametrize("opened", ["-", "not ", "lambda: ", "(", "[", "{", "f('", "~", "1 if x else "])
def test_deep_nesting_in_a_display_is_refused_and_nothing_crashes(opened):
    for text in (f"T = [{opened * 30_000}1, 2]\n", f"T = [{'1, ' * 100}{opened * 3000}1, {'1, ' * 100}]\n"):
        short = literal_elision.shortened(text)
        assert len(short) == len(text)
        with pytest.raises(SourceError):
            parse(Source.from_text(text, "a.py"))
