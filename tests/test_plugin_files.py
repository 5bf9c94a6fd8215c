"""The files of a plugin that was imported: what its results depend on."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from jaxlint.hazards import foreign
from jaxlint.hazards.installed import Plugin, PluginError, import_module


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


def test_a_module_that_the_distribution_has_not_installed_is_not_imported(tmp_path: Path, monkeypatch) -> None:
    metadata = tmp_path / "lab_of_a_test-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: lab-of-a-test\nVersion: 1.0\n")
    (metadata / "RECORD").write_text("lab_installed.py,,\n")
    for name in ("lab_installed", "lab_left_behind"):
        (tmp_path / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lab_installed", raising=False)
    module = import_module("lab_installed", Plugin("lab", "lab_installed", "lab-of-a-test"))
    assert module.__file__ == str(tmp_path / "lab_installed.py")
    with pytest.raises(PluginError, match="which is not a file of lab-of-a-test; install that again"):
        import_module("lab_left_behind", Plugin("lab", "lab_left_behind", "lab-of-a-test"))
    assert "lab_left_behind" not in sys.modules
