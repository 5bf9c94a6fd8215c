"""Events of the interpreter: each is published by it and has a listener, and checkers keep their state to themselves."""

import gc
import re
from pathlib import Path

import pytest
from interpreted import interpreted

from jaxlint.analysis import analyse, analyser
from jaxlint.analysis.events import Event, Filter, KeyedEvent, Query
from jaxlint.api import check_paths
from jaxlint.ir.lowering import lower
from jaxlint.source.text import Source

pytestmark = pytest.mark.quick
ANALYSIS = Path(analyser.__file__).parent


def interpreter():
    return analyser.Interpreter(lower(Source.from_text("import jax\n", "example.py")))


def test_each_event_is_published_and_has_a_listener():
    text = "\n".join(path.read_text(encoding="utf-8") for path in ANALYSIS.rglob("*.py"))
    published = set(re.findall(r"\bevents\.(\w+)\(", text))
    made = interpreter().events
    events = {name: getattr(made, name) for name in dir(made) if not name.startswith("_")}
    assert published == set(events)
    assert [name for name, event in events.items() if not event.listeners] == []


def test_a_keyed_event_tells_those_that_subscribe_to_its_key():
    told = []
    event = KeyedEvent()
    event.append(lambda value: told.append(("some", value)), {"a", "b"})
    event.append(lambda value: told.append(("all", value)))
    event("a", 1)
    event("c", 2)
    event("a", 3)
    assert told == [("some", 1), ("all", 1), ("all", 2), ("some", 3), ("all", 3)]


def test_a_query_asks_until_a_listener_says_yes():
    asked = []
    query = Query()
    query.append(lambda value: asked.append("first") or value > 1)
    query.append(lambda value: asked.append("second") or False)
    assert query(2) is True
    assert asked == ["first"]
    assert query(1) is False
    assert asked == ["first", "first", "second"]


@interpreted
def test_a_filter_hands_each_value_on_and_an_event_reaches_all():
    changed, event, heard = Filter(), Event(), []
    changed.append(lambda value, more: value + more)
    changed.append(lambda value, more: value * more)
    assert changed(1, 2) == 6
    event.append(heard.append)
    event.append(heard.append)
    event("x")
    assert heard == ["x", "x"]


def test_tables_of_a_module_are_declared_in_one_order():
    """A root takes the tables of a module that it imports over by their places in the list."""
    one, other = interpreter(), interpreter()
    kinds = [type(table) for table in one.module_tables]
    assert kinds == [type(table) for table in other.module_tables]
    assert len({id(table) for table in (*one.module_tables, *other.module_tables)}) == 2 * len(kinds)
    assert len(kinds) > 30


def test_a_root_takes_over_facts_about_what_it_imports(tmp_path):
    """The generator is made with a seed in the module: the root, which draws from it in traced code, knows that it is."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "example"\n')
    (tmp_path / "helpers.py").write_text("import numpy as np\n\nrng = np.random.default_rng(0)\n")
    (tmp_path / "train.py").write_text(
        "import jax\nfrom helpers import rng\n\n\n@jax.jit\ndef step(x):\n    return x + rng.normal()\n"
    )
    found = check_paths(tmp_path / "train.py")
    assert [(diagnostic.code, diagnostic.start.row) for diagnostic in found] == [("JAX306", 7)]


def test_an_interpreter_is_freed_without_a_search_for_garbage():
    """One part that holds on to it, and knows nothing of its end, keeps all that an analysis has made."""
    gc.collect()
    gc.disable()
    try:
        before = sum(type(each) is analyser.Interpreter for each in gc.get_objects())
        analyse(lower(Source.from_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n", "example.py")))
        assert sum(type(each) is analyser.Interpreter for each in gc.get_objects()) == before
    finally:
        gc.enable()
