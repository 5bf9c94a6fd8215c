"""Small programs: each fails under real JAX in the line that jaxlint reports, or runs, and nothing is reported.

`programs/*.txt` hold them one after the other. `# run:` is the body of a function `main`, which is part of the
program. A line that fails ends with the code of its rule, and with `silently` where JAX raises nothing.
"""

import linecache
import re
import sys
import traceback
import types
from pathlib import Path

import pytest

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

HEAD = """import contextlib, dataclasses, functools, typing
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
"""
_MARK = re.compile(r"  # (JAX\d+(?: JAX\d+)*)( silently)?$")
_LIBRARIES = re.compile(r"^(?:from|import) (optax|flax|haiku|equinox|chex)\b", re.MULTILINE)
_OPTION = re.compile(r"# (program|run|file): (.*)\n")


def programs():
    """Name of the file and text of each program."""
    for path in sorted((Path(__file__).parent / "programs").glob("*.txt")):
        for text in re.split(r"^(?=# program: )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            options = dict(_OPTION.findall(text))
            body = HEAD + _OPTION.sub("", text).rstrip() + f"\n\n\ndef main():\n    return {options['run']}\n"
            yield pytest.param(options.get("file", "program.py"), body, id=f"{path.stem}: {options['program']}")


def without_marks(text):
    """The text as it is linted, and the marks that it had, by row."""
    marks = {row: match for row, line in enumerate(text.split("\n"), 1) if (match := _MARK.search(line))}
    return "\n".join(_MARK.sub("", line) for line in text.split("\n")), marks


@pytest.mark.parametrize("file, text", list(programs()))
def test_what_fails_is_reported_and_nothing_else(file, text, tmp_path):
    text, marks = without_marks(text)
    source = Source.from_text(text, str(tmp_path / file))
    found = check_source(source, Config(root=str(tmp_path))).diagnostics
    assert {(each.start.row, each.code) for each in found} == {
        (row, code) for row, match in marks.items() for code in match[1].split()
    }


@pytest.mark.parametrize("file, text", list(programs()))
def test_marked_lines_fail_under_jax(file, text, tmp_path, monkeypatch):
    jax = pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")
    text, marks = without_marks(text)
    filename = str(tmp_path / file)
    for library in _LIBRARIES.findall(text):
        pytest.importorskip(library, reason="the program uses it")
    failing = {row for row, match in marks.items() if not match[2]}
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module = types.ModuleType("program")
    monkeypatch.setitem(sys.modules, "program", module)  # where dataclasses look up their module
    try:
        exec(compile(text, filename, "exec"), vars(module))
        vars(module)["main"]()
    except Exception as error:
        rows = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
        assert failing and rows[-1] in failing, error
    else:
        assert not failing
    finally:
        jax.config.update("jax_disable_jit", False)
