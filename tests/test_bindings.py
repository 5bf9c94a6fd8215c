"""Names that a module merely hands on are as Python has them, without its body being run."""

import importlib
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from jaxlint.project.resolver import Loader
from jaxlint.project.sources import Project

PACKAGE = {
    "__init__": """
        from . import inner as renamed
        from .made import value, other as second
        from .starred import *
        from .listed import *
        from .dynamic import *
        try:
            from .made import either
        except ImportError:
            either = None
        from .made import again
        again = 1
        def late():
            global declared
            declared = 1
    """,
    "made": "value = 1; other = 2; either = 3; again = 4; _hidden = 5; starry = 6; plain = 7",
    "inner": "",
    "_private": "",
    "beside": "",
    "starred": "from .made import starry, _hidden\nfrom . import _private as beside_private",
    "listed": "from .made import plain, value as unlisted\n__all__ = ['plain']",
    "dynamic": "from .made import value as grown\n__all__ = []\n__all__ += ['grown']",
}
HANDED_ON = {
    "renamed": "inner",
    "value": "value",
    "second": "other",
    "inner": None,
    "_private": None,
    "_hidden": None,
    "unlisted": None,
    "nowhere": None,
    "beside": None,
}
LEFT_TO_THE_BODY = ["either", "again", "declared", "late", "starry", "plain", "grown"]


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "handing"
    folder.mkdir()
    for name, text in PACKAGE.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text).replace("; ", "\n"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [each for each in sys.modules if each.partition(".")[0] == "handing"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", HANDED_ON)
def test_handed_on(package, name):
    loader = Loader(Project(str(package.parent)))
    found = loader.handed_on(str(package / "__init__.py"), name)
    assert found is not None
    real = importlib.import_module("handing")
    if found.place is None:
        assert HANDED_ON[name] is None
        assert isinstance(getattr(real, name, real), ModuleType)  # a submodule, once somebody has imported it
        return
    assert found.name == HANDED_ON[name]
    module = importlib.import_module(f"handing.{Path(found.place.file).stem}".removesuffix(".__init__"))
    assert getattr(module, found.name) is getattr(real, name)


@pytest.mark.parametrize("name", LEFT_TO_THE_BODY)
def test_left_to_the_body(package, name):
    assert Loader(Project(str(package.parent))).handed_on(str(package / "__init__.py"), name) is None


@pytest.mark.parametrize(
    "text", ["from numpy import *", "from .gone import *", "def __getattr__(name): ...", "from handing import *"]
)
def test_whatever_else_a_module_may_bind(package, text):
    (package / "__init__.py").write_text(text)
    assert Loader(Project(str(package.parent))).handed_on(str(package / "__init__.py"), "any") is None
