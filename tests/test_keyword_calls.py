"""Calls whose arguments are all named mean what the positional calls mean, and none of them ends the analysis.

The fixtures' hazards are rewritten from positions to names, by the signatures that Python tells of the installed
libraries; the same findings must come out. For every function that the model knows, programs call it by name, with
stars, and with too little.
"""

import ast
import builtins
import functools
import importlib
import inspect
import itertools
import warnings
from pathlib import Path

import pytest

from jaxlint import knowledge
from jaxlint.analysis import analyse
from jaxlint.configuration.config import Config
from jaxlint.fixing.apply import fix_source
from jaxlint.ir.lowering import lower
from jaxlint.knowledge.history import _load
from jaxlint.knowledge.parameters import spell
from jaxlint.knowledge.transforms import ALIASES, TRANSFORMS
from jaxlint.run.pipeline import check_source
from jaxlint.source.diagnostic import Applicability
from jaxlint.source.text import Source

FIXTURES = Path(__file__).parent.parent / "fixtures"
CONFIG = Config(root=str(FIXTURES), select=("JAX",), preview=True)
LIBRARIES = (
    "jax",
    "numpy",
    "flax",
    "haiku",
    "equinox",
    "optax",
    "scipy",
    "functools",
    "itertools",
    "math",
    "operator",
    "copy",
    "builtins",
)


def lint(text, path="program.py"):
    return check_source(Source.from_text(text, str(path)), CONFIG).diagnostics


def errors(found):
    return [each.message for each in found if each.code in ("JAX900", "JAX902")]


# The fixtures by name.


@functools.cache
def signature(dotted):
    """What Python says of the parameters of an installed function; None where it says nothing."""
    module, *rest = dotted.split(".")
    if module not in LIBRARIES:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = importlib.import_module(module)
        for part in rest:
            module = f"{module}.{part}"
            try:
                found = getattr(found, part)
            except AttributeError:
                try:
                    found = importlib.import_module(module)
                except ImportError:
                    return None
    try:
        return inspect.signature(found) if callable(found) else None
    except (TypeError, ValueError):
        return None


def imported(tree):
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                names[each.asname or each.name.partition(".")[0]] = (
                    each.name if each.asname else each.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            names.update((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)
    return names


def called(node, names, own):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    if not parts and node.id not in own and hasattr(builtins, node.id):
        return f"builtins.{node.id}"
    return ".".join([names[node.id], *parts[::-1]]) if node.id in names else None


def by_name(text):
    """The program with the arguments of library calls passed by name wherever they can be, on the same lines."""
    tree, raw = ast.parse(text), text.encode()
    starts = [0, *itertools.accumulate(len(line) + 1 for line in raw.split(b"\n"))]
    names = imported(tree)
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    found = {}
    for node in ast.walk(tree):
        name = called(node.func, names, own) if isinstance(node, ast.Call) and node.args else None
        told = signature(name) if name else None
        if told is None or any(isinstance(each, (ast.Starred, ast.GeneratorExp, ast.NamedExpr)) for each in node.args):
            continue
        parameters = list(told.parameters.values())[: len(node.args)]
        if len(parameters) < len(node.args) or any(each.kind is not each.POSITIONAL_OR_KEYWORD for each in parameters):
            continue
        places, end = {}, starts[node.func.end_lineno - 1] + node.func.end_col_offset
        for number, (argument, parameter) in enumerate(zip(node.args, parameters)):
            start = starts[argument.lineno - 1] + argument.col_offset
            if raw[end:start].strip() != b",("[number == 0 :][:1]:
                break  # in parentheses of its own, or behind a comment
            places[start] = parameter.name
            end = starts[argument.end_lineno - 1] + argument.end_col_offset
        else:
            found.update(places)
    for start in sorted(found, reverse=True):
        raw = raw[:start] + f"{found[start]}=".encode() + raw[start:]
    return raw.decode(), len(found)


HAZARDS = sorted(FIXTURES.rglob("bad.py"))


@pytest.mark.parametrize("path", HAZARDS, ids=lambda path: path.parent.name)
def test_findings_are_the_same_by_name(path):
    text = path.read_text()
    named, count = by_name(text)
    if not count:
        pytest.skip("no call of the fixture can pass what it passes by name")
    found = lint(named, path)
    assert not errors(found)
    places = {(each.code, each.start.row) for each in found}
    # A parameter that is called otherwise in older releases is a finding that a position does not have.
    renamed = {place for place in places if place[0] in ("JAX803", "JAX805")}
    # What is mistaken for another parameter by its position is not by its name.
    expected = {(each.code, each.start.row) for each in lint(text, path) if "not as `axis`" not in each.message}
    assert places - renamed == expected - renamed and renamed >= {
        place for place in expected if place[0] in ("JAX803", "JAX805")
    }


def test_most_fixtures_are_tried():
    counts = [by_name(path.read_text())[1] for path in HAZARDS]
    assert sum(count > 0 for count in counts) > 0.7 * len(counts) and sum(counts) > 1500


@pytest.mark.parametrize("family", sorted({path.parent.parent.name for path in HAZARDS}))
def test_fixes_of_calls_by_name_end_in_code_that_parses(family):
    for path in HAZARDS:
        if path.parent.parent.name == family:
            source = Source.from_text(by_name(path.read_text())[0], str(path))
            done = fix_source(
                source,
                lambda changed: check_source(changed, CONFIG).diagnostics,
                {Applicability.SAFE, Applicability.UNSAFE},
            )
            text = done.source.text if done.source is not None else source.text
            ast.parse(text)
            assert not errors(lint(text, path)), path


# Every function that the model knows.

HEAD = """\
import jax, jax.numpy, numpy, scipy, functools, itertools, math, cmath, operator, statistics, pickle, copy, json, warnings
import typing, os, random, dataclasses, flax, haiku, equinox, optax, chex
from flax import linen


class Layer(linen.Module):
    def __call__(self, x):
        return x


def fun(*args, **keywords):
    return args[0] if args else keywords

"""
VALUES = ("x", "key", "2", "(x, 1)", "[x, 1]", "'text'", "other", "None", "fun", "{'a': x}", "Layer")
CALLABLES = (
    "f",
    "fun",
    "fn",
    "func",
    "callback",
    "kernel",
    "pyfunc",
    "func1d",
    "function",
    "solve",
    "matvec",
    "computation",
)


def known_names():
    tables = knowledge._tables()
    found = {*tables.functions, *tables.host, *TRANSFORMS, *ALIASES, *knowledge._hand()["signatures"]}
    found.update(sorted(_load("signatures.json")["signatures"])[::8])  # of these the model knows the parameters alone
    return sorted(
        name for name in found if not name.startswith("Array.") and all(part.isidentifier() for part in name.split("."))
    )


NAMES = known_names()


def spelled(name):
    found = knowledge.signature(name)
    if found is None:
        told = signature(name)
        found = knowledge._spelled_parameters(spell(told) if told is not None else "x, shape=")
    return [each for each in found if "star" not in each.kind]


def calls(name, values):
    """Calls of a function by name alone, with less than it needs, and with stars."""
    parameters = spelled(name)
    needed = [each for each in parameters if each.required] or parameters[:1]

    def named(some):
        texts = (f"{p.name}={'fun' if p.name in CALLABLES or p.name.endswith('_fun') else next(values)}" for p in some)
        return ", ".join(texts)

    yield f"{name}({named(parameters)})"
    yield f"{name}({named(needed[::-1])})({next(values)})"
    yield f"{name}({named(parameters[1:])})"
    yield f"{name}(*xs)"
    yield f"{name}({next(values)}, *xs, **kw)(*xs)"
    yield f"{name}(**kw)"
    yield f"{name}(fun, *({next(values)}, x), *xs)"


def programs(names):
    values = itertools.cycle(VALUES)
    # Every other form of each function, so that each form is tried with half of them.
    texts = [text for number, name in enumerate(names) for text in list(calls(name, values))[number % 2 :: 2]]
    for number in range(0, len(texts), 100):
        yield HEAD + "".join(
            f"\n@jax.jit\ndef f{at}(x, key, other, *xs, **kw):\n    return {text.removeprefix('builtins.')}\n"
            for at, text in enumerate(texts[number : number + 100])
        )


PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_no_call_of_a_known_function_ends_the_analysis(part):
    for text in programs(NAMES[part::PARTS]):
        assert errors(lint(text)) == []


def test_no_call_of_a_known_function_ends_a_closer_look():
    for text in itertools.islice(programs(NAMES[::40]), 12):
        model = analyse(lower(Source.from_text(text, "program.py")))
        assert model.failures == [] and model.values


def test_no_call_of_a_known_function_ends_fixing():
    for text in itertools.islice(programs(NAMES[7::40]), 6):
        source = Source.from_text(text, "program.py")
        done = fix_source(
            source,
            lambda changed: check_source(changed, CONFIG).diagnostics,
            {Applicability.SAFE, Applicability.UNSAFE},
        )
        assert errors(lint(done.source.text if done.source is not None else text)) == []


# What the order of the arguments is taken from.


@pytest.mark.parametrize("name", sorted(knowledge._hand()["signatures"]))
def test_rows_by_hand_have_the_parameters_that_python_tells(name):
    told = signature(name) if name.partition(".")[0] in LIBRARIES else None
    if told is None or name == "jax.numpy.where":
        pytest.skip("Python tells no signature of it, or takes it by position alone")
    by_position = [each.name for each in told.parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
    assert list(knowledge.leading(name)) == by_position[: len(knowledge.leading(name))]


def test_numpy_and_scipy_name_their_parameters_as_jax_does():
    wrong, count = {}, 0
    for name in NAMES:
        told = signature(name) if name.startswith(("numpy.", "scipy.")) else None
        if told is not None and all(
            each.kind is each.POSITIONAL_OR_KEYWORD for each in list(told.parameters.values())[:1]
        ):
            by_position = [each.name for each in told.parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
            pairs = list(zip(knowledge.leading(name), by_position))
            count += bool(pairs)
            if any(ours != theirs for ours, theirs in pairs):
                wrong[name] = pairs
    assert wrong == {} and count > 250
