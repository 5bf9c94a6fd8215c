"""When a program that asks for 64 bits is judged: only if nothing in it could have switched them on."""

import pytest

from jaxlint.configuration.config import Config
from jaxlint.run.pipeline import check_source
from jaxlint.source.text import Source

ASKS = "\nsteps = jnp.linspace(0.0, 1.0, 5, dtype=jnp.float64)\n"


def codes(text):
    source = Source.from_text(text, "/project/a.py")
    return [each.code for each in check_source(source, Config(root="/project", select=("JAX509",))).diagnostics]


def test_a_program_that_leaves_the_option_alone():
    assert codes("import jax.numpy as jnp" + ASKS) == ["JAX509"]


@pytest.mark.parametrize("dtype", ["jnp.float64", "np.float64", "'float64'"])
def test_the_forms_of_a_dtype(dtype):
    text = "import jax.numpy as jnp\nimport numpy as np" + ASKS.replace("jnp.float64", dtype)
    assert codes(text) == ["JAX509"] and codes(text.replace("64", "32")) == []


@pytest.mark.parametrize(
    "head",
    [
        "import jax\nimport jax.numpy as jnp\njax.config.update('jax_enable_x64', True)",
        "import os\nos.environ['JAX_ENABLE_X64'] = '1'\nimport jax.numpy as jnp",
        "from jax.experimental import enable_x64\nimport jax.numpy as jnp",
        "import jax.numpy as jnp\nimport netket",
        "import jax.numpy as jnp\nfrom . import settings",
        "import jax.numpy as jnp\nimport settings",
    ],
)
def test_a_program_in_which_something_may_set_it(head):
    assert codes(head + ASKS) == []


def test_a_function_that_the_program_does_not_call():
    assert codes("import jax.numpy as jnp\n\ndef widened(x):\n    return x.astype(jnp.float64)\n") == []


PROGRAM = """
import jax.numpy as jnp
from steps import count

def main():
    return jnp.linspace(0.0, 1.0, count, dtype=jnp.float64)

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("module", "text", "found"),
    [
        ("steps.py", "count = 5\n", ["JAX509"]),
        ("steps.py", "", ["JAX509"]),
        ("steps.py", "from numbers_of import count\n", []),  # which is nowhere
        ("steps.py", "import jax\njax.config.update('jax_enable_x64', True)\ncount = 5\n", []),
        ("steps/__init__.py", "import os\nos.environ['JAX_ENABLE_X64'] = '1'\ncount = 5\n", []),
        ("other.py", "count = 5\n", []),
    ],
)
def test_a_program_of_several_files(tmp_path, module, text, found):
    (tmp_path / module).parent.mkdir(exist_ok=True)
    (tmp_path / module).write_text(text)
    source = Source.from_text(PROGRAM, str(tmp_path / "main.py"))
    config = Config(root=str(tmp_path), select=("JAX509",))
    assert [each.code for each in check_source(source, config).diagnostics] == found


def test_a_module_that_another_program_may_import(tmp_path):
    (tmp_path / "steps.py").write_text("count = 5\n")
    text = (
        "import jax.numpy as jnp\nfrom steps import count\nsteps = jnp.linspace(0.0, 1.0, count, dtype=jnp.float64)\n"
    )
    source = Source.from_text(text, str(tmp_path / "grid.py"))
    assert check_source(source, Config(root=str(tmp_path), select=("JAX509",))).diagnostics == []


def test_a_test_of_several_files(tmp_path):
    (tmp_path / "steps.py").write_text("count = 5\n")
    source = Source.from_text(PROGRAM, str(tmp_path / "steps_test.py"))
    config = Config(root=str(tmp_path), select=("JAX509",))
    assert config.is_test(source.filename) and check_source(source, config).diagnostics == []
