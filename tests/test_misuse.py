"""What goes wrong with arrays and keys is what the installed JAX does."""

import jax
import numpy as np
import pytest

from jaxlint.knowledge import misuse
from jaxlint.knowledge.probe import host_arrays, typed_keys

_MEASURED = misuse.versions()
pytestmark = pytest.mark.skipif(
    (jax.__version__, np.__version__) != (_MEASURED["jax"], _MEASURED["numpy"]),
    reason=f"measured with jax {_MEASURED['jax']} and numpy {_MEASURED['numpy']}",
)

_KEY_OPERATIONS = [*typed_keys.basic(), *typed_keys.attributes()]


@pytest.mark.parametrize("name, forms", _KEY_OPERATIONS, ids=[name for name, _ in _KEY_OPERATIONS])
def test_operation_on_a_single_key(name, forms):
    works_on_legacy = any(typed_keys.error(form, jax.random.PRNGKey(0)) is None for form in forms)
    fails_on_typed = all(typed_keys.error(form, jax.random.key(0)) is not None for form in forms)
    known = misuse.fails_on_typed_key(name) or misuse.fails_on_typed_key(f"one {name}")
    if known:
        assert fails_on_typed
    elif works_on_legacy:
        assert not fails_on_typed


@pytest.mark.parametrize("name", ["numpy.asarray", "numpy.sum", "jax.numpy.sum", "jax.numpy.sort", "builtins.abs"])
def test_function_of_numbers_refuses_typed_keys(name):
    assert misuse.fails_on_typed_key(name)


@pytest.mark.parametrize(
    "name", ["jax.numpy.stack", "jax.numpy.where", "jax.random.split", "operator ==", "builtins.repr"]
)
def test_function_of_anything_takes_typed_keys(name):
    assert misuse.fails_on_typed_key(name) is None


def test_array_equal_denies_that_a_tracer_equals_itself():
    seen = []
    jax.jit(lambda x: (seen.append(np.array_equal(x, x)), x)[1])(np.ones(3))  # noqa: JAX311
    assert seen == [False]
    assert misuse.is_silently_wrong("numpy.array_equal")
    assert not misuse.is_silently_wrong("numpy.ndim")


@pytest.mark.parametrize("name", sorted(host_arrays.WRITING))
def test_function_that_writes_into_its_argument(name):
    function = getattr(np.random if ".random." in name else np, name.rpartition(".")[2])
    assert list(misuse.written(name)) == host_arrays.changed(name, function)


def test_attributes_are_those_of_a_jax_array():
    assert misuse.is_array_attribute("sharding")
    assert not misuse.is_array_attribute("strides")
    assert all(misuse.is_array_attribute(name) for name in host_arrays.attributes())
