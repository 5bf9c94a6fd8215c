"""Old and installed packages are linted, and what is said of names is held against the installed JAX."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

jax = pytest.importorskip("jax", reason="old_releases.py needs what `jaxlint verify` needs")

import current_releases
import old_releases
import real_jax

from jaxlint.source.diagnostic import Diagnostic, Position

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


class OpaqueInstance(json.GoneClass): ...
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

    assert reported(2, "`json.gone_function` was removed in jax 0.6.0")
    assert not reported(2, "`json.other` was removed in jax 0.6.0")
    assert not reported(3, "`json.gone_function` was removed in jax 0.6.0")


@pytest.mark.parametrize(
    "code, text, claim",
    [
        ("JAX801", "jax.tree_map", "gone jax.tree_map"),
        ("JAX801", "jax.config.update('jax_array', True)", "gone jax.config.jax_array"),
        ("JAX802", "from jax.experimental.pjit import pjit\npjit(len)", "warns jax.experimental.pjit.pjit"),
        ("JAX803", "jax.numpy.clip(1.0, a_min=2.0)", "parameter-gone jax.numpy.clip a_min"),
        ("JAX803", "jax.numpy.sin(x=1.0)", "parameter-positional-only jax.numpy.sin x"),
        ("JAX804", "from jax._src import core", "private jax._src.core"),
        ("JAX805", "jax.jit(len, statics=1)", "parameter-gone jax.jit statics"),
    ],
)
def test_what_a_finding_says_of_jax_can_be_checked(tmp_path, code, text, claim):
    """The message is that of jaxlint on the code, and what it says is true of the installed JAX."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "first.py").write_text(f"import jax\n{text}\n")
    found = old_releases.lint(tmp_path, "old", target=jax.__version__)
    assert [(each.code, said) for each, said in old_releases.claims(found)] == [(code, claim)]
    assert real_jax.holds(claim) is True


@pytest.mark.parametrize("package", ["chex", "equinox"])
def test_no_finding_on_an_installed_package_is_wrong(package):
    """What jaxlint says of names is held against the JAX that is installed beside the package."""
    site = Path(pytest.importorskip(package, reason=f"{package} is not installed").__file__).parents[1]
    found = [
        each for each in old_releases.lint(site, package, target=jax.__version__) if each.code in current_releases.CODES
    ]
    assert found and old_releases.contradicted(found, Path(sys.executable), package) == []


def test_what_breaks_an_old_release_at_import_is_reported_and_fixed(tmp_path):
    """chex 0.1.5 of 2022 against the installed JAX: every error about a gone name has its finding, and no finding is wrong."""
    try:
        folder = old_releases.fetch("chex==0.1.5", tmp_path)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"chex 0.1.5 cannot be had from the index: {error}")
    release = old_releases.judge(
        "chex==0.1.5", folder, Path(sys.executable), target=jax.__version__, fixed=tmp_path / "fixed"
    )
    assert release.errors and release.findings and release.mendable
    assert (release.missed, release.wrong, release.stubborn, release.safe_left) == ([], [], [], 0)
