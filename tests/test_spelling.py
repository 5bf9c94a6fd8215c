"""What a mistyped word was meant to be: letters that changed places count once, and what is equally close is told in full."""

import pytest

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.spelling import near, nearest
from jaxlint.source.text import Source


@pytest.mark.parametrize("word, choices, meant", [
    ("spilt", ["split", "slit"], "split"),  # neighbours that changed places are one mistake, also beside a missing letter
    ("JAX130", ["JAX103", "JAX110"], "JAX103"),
    ("JAX013", ["JAX401", "JAX402"], None),
    ("selct", ["select", "extend-select"], "select"),
    ("log3", ["logn", "log", "log2"], "log"),  # equally close: the first of the alphabet
    ("arcos", ["cos", "arccos", "acos"], "arccos"),
    ("", ["a"], None),
    ("exclude", [], None),
], ids=str)  # fmt: skip
def test_nearest(word, choices, meant):
    assert nearest(word, choices) == nearest(word, choices[::-1]) == meant


def test_the_closest_comes_first_and_then_what_begins_alike():
    assert [name for name, _ in near("process_indexs", ["process_indices", "process_count", "process_index"])] == [
        "process_index",
        "process_indices",
    ]
    assert [name for name, _ in near("abcde", ["xbcde", "abcdx"])] == ["abcdx", "xbcde"]


def suggestion(name):
    (found,) = check_source(Source.from_text(f"import jax\n\nprint(jax.{name})\n", "a.py"), Config()).diagnostics
    assert found.code == "JAX806"
    return found.help, found.fix


def test_an_unknown_name_of_jax_may_have_two_meanings():
    asked, fix = suggestion("process_indexs")
    assert asked == "Did you mean `jax.process_index` or `jax.process_indices`?" and "process_index`" in fix.message
    asked, fix = suggestion("numpy.log3")
    assert asked == "Did you mean `jax.numpy.log` or `jax.numpy.log2`?" and fix is None
    asked, fix = suggestion("numpy.concatenat")
    assert asked == "Did you mean `jax.numpy.concatenate`?" and fix is not None
