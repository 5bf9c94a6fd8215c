"""Small programs: each fails under real JAX in the line that jaxlint reports, or runs, and nothing is reported.

`programs/*.txt` hold them one after the other. `# run:` is the body of a function `main`, which is part of the
program; `# unseen:` is evaluated as well, and jaxlint does not see it. What stands below `# module: NAME` is another
file. A line that fails ends with the code of its rule, and with `silently` where JAX raises nothing. `# missed:` says why
nothing is reported.
"""

import re
import sys
import traceback
import types
from pathlib import Path

import pytest

from jaxlint.configuration.config import Config
from jaxlint.run import runner

HEAD = """import contextlib, dataclasses, functools, typing
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
"""
_MARK = re.compile(r"  # (JAX\d+(?: JAX\d+)*)( silently)?$")
_LIBRARIES = re.compile(
    r"^(?:from|import) (optax|flax|haiku|equinox|chex|distrax|tensorflow_probability|numpyro|gymnax|brax|jumanji|blackjax"
    r"|jaxopt|optimistix|diffrax|mctx|rlax|flashbax|jraph|lineax)\b",
    re.MULTILINE,
)
_OPTION = re.compile(r"# (program|run|unseen|missed|file): (.*)\n")
_MODULE = re.compile(r"^# module: (\w+)\n", re.MULTILINE)


def programs():
    """The expression that is run and the texts of the files of each program, by name; the first one is the program."""
    for path in sorted((Path(__file__).parent / "programs").glob("*.txt")):
        for text in re.split(r"^(?=# program: )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            options = dict(_OPTION.findall(text))
            own, *others = _MODULE.split(_OPTION.sub("", text))
            main = f"\n\n\ndef main():\n    return {options['run']}\n" if "run" in options else "\n"
            files = {options.get("file", "program.py"): HEAD + own.rstrip() + main}
            files.update({f"{name}.py": HEAD + each.rstrip() + "\n" for name, each in zip(others[::2], others[1::2])})
            run = options.get("unseen", "main()")
            yield pytest.param(run, files, "missed" in options, id=f"{path.stem}: {options['program']}")


def without_marks(files, folder):
    """The files as they are linted, and the marks that they had, by name and row."""
    marks = {
        (name, row): match
        for name, text in files.items()
        for row, line in enumerate(text.split("\n"), 1)
        if (match := _MARK.search(line))
    }
    for name, text in files.items():
        (folder / name).write_text("\n".join(_MARK.sub("", line) for line in text.split("\n")), encoding="utf-8")
    return marks


@pytest.mark.parametrize("run, files, missed", list(programs()))
def test_what_fails_is_reported_and_nothing_else(run, files, missed, tmp_path):
    marks = without_marks(files, tmp_path)
    config = Config(root=str(tmp_path))
    found = {
        (Path(each.filename).name, each.start.row, each.code)
        for outcome in runner.run([runner.Job(str(tmp_path / name), config) for name in files], 1)
        for each in outcome.diagnostics
    }
    expected = {(*place, code) for place, match in marks.items() for code in match[1].split()}
    assert found == (set() if missed else expected)


@pytest.mark.parametrize("run, files, missed", list(programs()))
def test_marked_lines_fail_under_jax(run, files, missed, tmp_path, monkeypatch):
    jax = pytest.importorskip("jax", reason="the programs run under real JAX, which is not installed")
    marks = without_marks(files, tmp_path)
    for library in _LIBRARIES.findall("\n".join(files.values())):
        pytest.importorskip(library, reason=f"the program uses {library}, which is not installed")
    failing = {place for place, match in marks.items() if not match[2]}
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / next(iter(files))
    module = types.ModuleType("program")
    monkeypatch.setitem(sys.modules, "program", module)  # where dataclasses look up their module
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), vars(module))
        eval(run, vars(module))
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [(Path(each.filename).name, each.lineno) for each in frames if Path(each.filename).parent == tmp_path]
        assert failing and own[-1] in failing, error
    else:
        assert not failing
    finally:
        jax.config.update("jax_disable_jit", False)
        for name in files:
            sys.modules.pop(Path(name).stem, None)
