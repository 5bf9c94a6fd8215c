"""For which releases code runs, as the guards around it say: `jax.tree_map` is gone since 0.6.0."""

import pytest

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

HEAD = "import jax\nfrom packaging import version\n"


def found(text, **options):
    """(code, row) of the findings about names and parameters, rows counted without the head."""
    config = Config(root="/project", select=("JAX8",), **options)
    source = Source.from_text(HEAD + text + "\n", "/project/a.py")
    return [(each.code, each.start.row - 2) for each in check_source(source, config).diagnostics]


REPORTED = [
    "if tuple(map(int, jax.__version__.split('.'))) >= (0, 3, 1):\n    jax.tree_map",
    "if tuple(int(x) for x in jax.__version__.split('.')[:2]) >= (0, 5):\n    jax.tree_map",
    "V = tuple(map(int, jax.version.__version__.split('.')))\nif V < (0, 5):\n    pass\nelse:\n    jax.tree_map",
    "if version.parse('0.4.30') < version.parse(jax.__version__):\n    jax.tree_map",
    "if not jax.__version_info__ < (0, 4) and True:\n    jax.tree_map",
    "def f(x):\n    if hasattr(x, 'shape'):\n        return jax.tree_map",
    "try:\n    jax.tree_map\nexcept ValueError:\n    pass",
    "try:\n    jax.tree_map\nexcept Exception as error:\n    print(error)\n    raise",
    "try:\n    pass\nfinally:\n    jax.tree_map",
    "def f():\n    import jax\n    return jax.tree_map",
    "if hasattr(jax.interpreters.xla, '_DeviceArray'):\n    pass\nelse:\n    jax.tree_map",
    "class A(jax.tree_map):\n    x: int = 0",
    "@jax.tree_map\ndef f():\n    pass",
    "def f(x=jax.tree_map):\n    pass",
    "def f(x: jax.tree_map):\n    pass",
    "x: list[jax.tree_map] = []",
]

SILENT = [
    "V = tuple(map(int, jax.__version__.split('.')))\nif V < (0, 5):\n    jax.tree_map",
    "if jax.__version_info__[:2] < (0, 5):\n    jax.tree_map",
    "if jax.__version__ < '0.5':\n    jax.tree_map",
    "import compat\nif compat.parse(jax.__version__) < (0, 5):\n    jax.tree_map",
    "if version.parse(jax.__version__) >= version.parse('0.6'):\n    pass\nelse:\n    jax.tree_map",
    "def f():\n    if jax.__version_info__ >= (0, 6):\n        return 1\n    return jax.tree_map",
    "def f():\n    assert jax.__version_info__ < (0, 6)\n    return jax.tree_map",
    "f = jax.tree_map if hasattr(jax, 'tree_map') else None",
    "f = hasattr(jax, 'tree_map') and jax.tree_map",
    "if hasattr(jax, 'typeof'):\n    pass\nelse:\n    jax.tree_map",
    "def f(aval):\n    if hasattr(aval, 'new'):\n        return aval.new\n    return jax.tree_map",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    jax.tree_map",
    "import pytest\n\n@pytest.mark.skipif(jax.__version_info__ > (0, 5), reason='old')\ndef test():\n    jax.tree_map",
    "import pytest\n\ndef test():\n    with pytest.raises(AttributeError):\n        jax.tree_map",
    "try:\n    f = jax.tree.map\nexcept (ImportError, AttributeError):\n    f = jax.tree_map",
    "try:\n    from jax import tree_map\nexcept ImportError:\n    OLD = False\nelse:\n    OLD = True\nf = jax.tree_map if OLD else None",
    "def is_old():\n    return jax.__version_info__ < (0, 5)\n\nif is_old():\n    jax.tree_map",
    "def f(jax):\n    return jax.tree_map",
    "OLD: bool = jax.__version_info__ < (0, 5)\nif OLD:\n    jax.tree_map",
    "def is_old() -> bool:\n    return jax.__version_info__ < (0, 5)\n\nif is_old():\n    jax.tree_map",
]


@pytest.mark.parametrize("text", REPORTED)
def test_code_that_runs_in_the_newest_release_is_reported(text):
    assert [code for code, _ in found(text)] == ["JAX801"]


@pytest.mark.parametrize("text", SILENT)
def test_code_for_other_releases_is_silent(text):
    assert found(text) == []


def test_a_branch_is_judged_for_its_releases():
    text = "if jax.__version_info__ < (0, 5):\n    jax.tree_map\nelse:\n    jax.tree_map"
    assert found(text, target_jax=">=0.4.20") == [("JAX802", 2), ("JAX801", 4)]
    assert found(text, target_jax="<0.4.26") == []


def test_a_package_may_use_what_is_its_own():
    config = Config(root="/", select=("JAX801", "JAX804"))
    text = "from jax._src import core\nimport jax\njax.tree_map\n"
    for path, expected in (("/site-packages/jax/_src/a.py", 0), ("/home/model/a.py", 2)):
        assert len(check_source(Source.from_text(text, path), config).diagnostics) == expected
