"""How old releases are imported and compared with findings, on a small package, and what is recorded of them."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

pytest.importorskip("jax", reason="old_releases.py needs what `jaxlint verify` needs")

import current_releases  # noqa: E402
import old_releases  # noqa: E402
import real_jax  # noqa: E402

from jaxlint.diagnostic import Diagnostic, Position  # noqa: E402
from jaxlint.verify import pages  # noqa: E402

FILES = {
    "__init__.py": "from old.first import made\n",
    "first.py": """\
import json
from json import gone_function, dumps
import json.gone_module
import gone_package as other

try:
    from json import guarded
except ImportError:
    guarded = None
value = json.gone_constant if hasattr(json, "gone_constant") else other.anything(1)


@gone_function(1)
def made(x: json.GoneClass = None): ...


class Made(json.GoneClass): ...
""",
    "second.py": "import json\nkept = [json.GoneClass, getattr(json, 'gone_constant', 2)]\n",
    "third.py": "raise RuntimeError('no way')\n",
}  # fmt: skip


@pytest.fixture
def package(tmp_path):
    (tmp_path / "old").mkdir()
    for name, text in FILES.items():
        (tmp_path / "old" / name).write_text(text)
    return tmp_path


def test_every_place_that_misses_a_name_is_found_and_guards_are_left_alone(package):
    command = [sys.executable, real_jax.__file__, "import", str(package), "old"]
    walk = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert (walk["modules"], walk["imported"]) == (4, 3)
    assert {(error["path"], error["row"], error["missing"]) for error in walk["errors"]} == {
        ("old/first.py", 2, "json.gone_function"),
        ("old/first.py", 3, "json.gone_module"),
        ("old/first.py", 4, "gone_package"),
        ("old/first.py", 14, "json.GoneClass"),
        ("old/first.py", 17, "json.GoneClass"),
        ("old/second.py", 2, "json.GoneClass"),
        ("old/third.py", 1, None),
    }


@pytest.mark.parametrize(
    "claim, holds",
    [
        ("gone json.gone_function", True),
        ("gone json.dumps", False),
        ("gone json.decoder.JSONDecoder", False),
        ("gone no_such_package.thing", True),
        ("there json.decoder", True),
        ("there json.gone", False),
        ("private json._default_encoder", True),
        ("private json.dumps", False),
        ("warns json.dumps", False),
        ("parameter-gone json.load no_such", False),  # takes any keyword
        ("parameter-gone json.JSONDecoder no_such", True),
        ("parameter-gone json.JSONDecoder strict", False),
        ("parameter-keyword-only json.JSONDecoder strict", True),
        ("parameter-keyword-only json.load fp", False),
        ("parameter-positional-only json.load fp", False),
    ],
)
def test_claims_are_held_against_what_is_installed(claim, holds):
    assert (real_jax.holds(claim) is True) == holds


def finding(package, row: int, message: str) -> Diagnostic:
    place = Position(row, 1)
    return Diagnostic("JAX801", "removed-api", message, str(package / "old/first.py"), place, place)


def test_a_finding_reports_an_error_in_its_statement_about_its_name(package):
    error = {"path": "old/first.py", "row": 2, "missing": "json.gone_function"}

    def reported(row: int, message: str) -> bool:
        return bool(old_releases.reports(error, [finding(package, row, message)], package))

    assert reported(2, "`json.gone_function` is gone since jax 0.6.0")
    assert not reported(2, "`json.other` is gone since jax 0.6.0")
    assert not reported(3, "`json.gone_function` is gone since jax 0.6.0")


@pytest.mark.parametrize(
    "code, message, claim",
    [
        ("JAX801", "`jax.tree_map` is gone since jax 0.6.0", "gone jax.tree_map"),
        ("JAX801", "the option `jax_x` of `jax.config` is gone since jax 0.6.0", "gone jax.config.jax_x"),
        ("JAX802", "`jax.pmap` is deprecated since jax 0.8.0", "warns jax.pmap"),
        ("JAX803", "`a_min` of `jax.numpy.clip` is gone since jax 0.6.0", "parameter-gone jax.numpy.clip a_min"),
        ("JAX803", "`x` of `jax.numpy.sin` is positional-only, and passed by name here",
         "parameter-positional-only jax.numpy.sin x"),
        ("JAX804", "`jax._src.core` is private to jax", "private jax._src.core"),
        ("JAX805", "`jax.jit` has no parameter `statics` in any release of jax", "parameter-gone jax.jit statics"),
    ],
)  # fmt: skip
def test_what_a_finding_says_of_jax_can_be_checked(package, code, message, claim):
    found = replace(finding(package, 1, message), code=code)
    assert [said for _, said in old_releases.claims([found])] == [claim]


def recorded(part: str) -> list[dict[str, str]]:
    """The rows of a table of docs/migrations.md, by heading."""
    lines = pages.part(pages.MIGRATIONS.read_text(encoding="utf-8"), part).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], row)) for row in cells[2:]]


def test_the_figures_of_old_releases_are_of_those_that_are_pinned_and_nothing_is_missed():
    rows = recorded("old releases")
    assert [row["release"] for row in rows] == [*old_releases.pins(), "all"]
    assert [row for row in rows if row["reported"] != row["errors at import"] or row["wrong"] != "0"] == []


def test_no_finding_on_current_releases_is_wrong():
    rows = recorded("current releases")
    assert len(rows) > 5 and [row for row in rows if row["wrong"] != "0"] == []
