"""The list of modules that mypy does not check only becomes shorter, and the public names are typed."""

import sys
from pathlib import Path

import jaxlint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
UNTYPED = 6  # modules; to be lowered with every one that leaves the list


def exempt() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["strict"] is True and settings["files"] == ["jaxlint"]
    [override] = settings["overrides"]
    return override["module"]


def test_the_list_of_untyped_modules_only_becomes_shorter() -> None:
    listed = exempt()
    assert listed == sorted(set(listed))
    assert len(listed) == UNTYPED


def test_only_modules_that_exist_are_excused() -> None:
    paths = [ROOT / name.replace(".", "/") for name in exempt()]
    assert [
        str(path) for path in paths if not path.with_suffix(".py").exists() and not (path / "__init__.py").exists()
    ] == []


def test_what_users_import_is_checked() -> None:
    """Modules that define a public name are not among those that are excused."""
    defined = {
        getattr(jaxlint, name).__module__ for name in jaxlint._EXPORTED if hasattr(getattr(jaxlint, name), "__module__")
    }
    assert "jaxlint.api" in defined and defined & set(exempt()) == set()
