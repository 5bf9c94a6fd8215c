"""Plugins that are imported into this process: their rules, and the files that their results depend on."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from jaxlint.hazards import foreign, installed, registry
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


RULE = """\
from lab_words_of_a_test import NAME

from jaxlint.plugins import Category, Rule, hazards

RULE = Rule(code="LAB001", name=NAME, summary="A clock is read.", category=Category.WRONG, hazards=(hazards.HostClockOrIoInTracedCode,))


def check(hazard, file):
    yield from ()
"""


@pytest.fixture
def site(monkeypatch, tmp_path: Path):
    """A folder that the distribution `lab` is installed in, with the plugin of that name; nothing is loaded yet."""
    site = tmp_path / "site"
    about = site / "lab-1.0.dist-info"
    about.mkdir(parents=True)
    (site / "lab_rules_of_a_test.py").write_text(RULE)
    (site / "lab_words_of_a_test.py").write_text('NAME = "clock-in-step"\n')
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lab\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[jaxlint.plugins]\nlab = lab_rules_of_a_test\n")
    (about / "RECORD").write_text("lab_rules_of_a_test.py,,\nlab_words_of_a_test.py,,\n")
    (tmp_path / "work").mkdir()
    with monkeypatch.context() as patch:
        patch.syspath_prepend(site)
        patch.chdir(tmp_path / "work")
        for module, name in ((foreign, "_loaded"), (foreign, "_code"), (registry, "_added")):
            patch.setattr(module, name, {})
        patch.setattr(installed, "_linted", set())
        yield site
    for name in ("lab_rules_of_a_test", "lab_words_of_a_test"):
        sys.modules.pop(name, None)
    registry.all_rules.cache_clear()
    registry._by_selector.cache_clear()


def test_an_installed_plugin_adds_its_rules_and_all_that_it_imports_counts(site: Path) -> None:
    foreign.load("lab", [])
    assert registry.find("clock-in-step") is registry.find("LAB001")
    own = [name for name, *_ in foreign.fingerprint(["lab"]) if name.startswith(str(site))]
    assert own == [str(site / "lab_rules_of_a_test.py"), str(site / "lab_words_of_a_test.py")]


@pytest.mark.parametrize("name", ["clock", "Clock-in-step", "clock-", "clock in step", ""])
def test_a_rule_whose_name_is_no_name_is_refused(site: Path, name: str) -> None:
    (site / "lab_words_of_a_test.py").write_text(f"NAME = {name!r}\n")
    with pytest.raises(PluginError, match="a name is two or more words in small letters with hyphens between"):
        foreign.load("lab", [])
    assert registry.added() == {}


def test_a_module_of_a_package_is_imported_through_it(tmp_path: Path, monkeypatch) -> None:
    metadata, package = tmp_path / "lab_of_a_test-1.0.dist-info", tmp_path / "lab_package_of_a_test"
    for folder in (metadata, package):
        folder.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: lab-of-a-test\nVersion: 1.0\n")
    (metadata / "RECORD").write_text(f"{package.name}/__init__.py,,\n{package.name}/rules.py,,\n")
    for name in ("__init__", "rules"):
        (package / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = f"{package.name}.rules"
    for name in (package.name, module):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert import_module(module, Plugin("lab", module, "lab-of-a-test")).__file__ == str(package / "rules.py")


def test_what_another_process_lints_is_kept_out_here_too(site: Path, tmp_path: Path) -> None:
    """With the working directory, and of a working tree of Git all of it."""
    (tmp_path / "tree" / "inner").mkdir(parents=True)
    (tmp_path / "tree" / ".git").mkdir()
    foreign.load_decided([str(tmp_path / "tree" / "inner")], [])
    assert set(installed.linted()) == {str(tmp_path / "tree"), str(tmp_path / "work")}


def test_another_process_loads_the_plugin_of_the_same_distribution(site: Path) -> None:
    plugin = Plugin("lab", "lab_rules_of_a_test", "lab")
    foreign.load_decided([], [plugin])
    assert [rule.code for rule in registry.added()["lab"]] == ["LAB001"]
    assert foreign.decided(["lab"])[1] == (plugin,)


@pytest.mark.parametrize("other", [{"distribution": "laboratory"}, {"module": "lab_words_of_a_test"}])
def test_another_process_refuses_the_plugin_of_another_distribution(site: Path, other: dict[str, str]) -> None:
    plugin = Plugin("lab", "lab_rules_of_a_test", "lab")._replace(**other)
    with pytest.raises(PluginError, match=f"`lab` is not that of {plugin.distribution}; install the same"):
        foreign.load_decided([], [plugin])
    assert registry.added() == {}
