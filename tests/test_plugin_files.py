"""The files of a plugin that was imported: what its results depend on."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from jaxlint.hazards import foreign
from jaxlint.hazards.installed import Plugin


@pytest.fixture
def loaded(monkeypatch):
    """Makes the plugin `lab` known, as one whose module lies at certain places."""

    def load(**places: object) -> None:
        module = ModuleType("lab_rules_of_a_test")
        module.__dict__.update(places)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(foreign._loaded, "lab", Plugin("lab", module.__name__, None))

    return load


def test_of_a_package_it_is_every_module_below(loaded, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("__init__.py", "clock.py", "inner/__init__.py", "inner/typed.py")]
    (tmp_path / "inner").mkdir()
    for path in (*paths, tmp_path / "table.json"):
        path.write_text("")
    loaded(__path__=[str(tmp_path)], __file__=str(paths[0]))
    assert sorted(foreign.files(["lab"])) == sorted(map(str, paths))
    assert list(foreign.files([])) == []


def test_of_a_module_it_is_its_file(loaded, tmp_path: Path) -> None:
    (tmp_path / "lab.py").write_text("")
    (tmp_path / "other.py").write_text("")
    loaded(__file__=str(tmp_path / "lab.py"))
    assert list(foreign.files(["lab"])) == [str(tmp_path / "lab.py")]


def test_what_is_no_file_is_left_out(loaded, tmp_path: Path) -> None:
    loaded(__file__=str(tmp_path / "archive.zip" / "lab.py"))
    assert list(foreign.files(["lab"])) == []
