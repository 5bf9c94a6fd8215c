"""The modules of NumPy, SciPy and Python whose functions are called with a tracer."""

from __future__ import annotations

import importlib
import types
from collections.abc import Iterator
from typing import Any

MODULES = (
    "builtins",
    "math",
    "cmath",
    "operator",
    "copy",
    "pickle",
    "json",
    "statistics",
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "numpy.random",
    "numpy.testing",
    "numpy.ma",
    "numpy.polynomial.polynomial",
    "scipy.special",
    "scipy.linalg",
    "scipy.stats",
    "scipy.fft",
    "scipy.signal",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.ndimage",
    "scipy.optimize",
    "scipy.spatial.distance",
    "scipy.sparse",
)

SKIPPED = {
    "builtins." + name
    for name in (
        "breakpoint",
        "compile",
        "copyright",
        "credits",
        "delattr",
        "dir",
        "eval",
        "exec",
        "exit",
        "getattr",
        "globals",
        "hasattr",
        "help",
        "input",
        "license",
        "locals",
        "open",
        "property",
        "quit",
        "setattr",
        "staticmethod",
        "super",
        "vars",
        "classmethod",
        "object",
        "aiter",
        "anext",
        "type",
        "issubclass",
    )
} | {
    "operator.attrgetter",
    "operator.itemgetter",
    "operator.methodcaller",
    "operator.setitem",
    "operator.delitem",
    "operator.call",
    "pickle.dump",
    "pickle.load",
    "json.dump",
    "json.load",
    "numpy.save",
    "numpy.load",
    "numpy.fromfile",
    "numpy.memmap",
    "numpy.info",
    "numpy.show_config",
    "numpy.show_runtime",
    "numpy.test",
    "numpy.seterr",
    "numpy.seterrcall",
    "numpy.setbufsize",
    "numpy.set_printoptions",
    "numpy.printoptions",
    "numpy.errstate",
    "numpy.from_dlpack",
    "numpy.frombuffer",
    "numpy.genfromtxt",
    "numpy.loadtxt",
    "numpy.get_include",
    "numpy.random.test",
    "numpy.testing.run_threaded",
    "numpy.testing.measure",
    "numpy.testing.rundocs",
    "numpy.testing.decorate_methods",
    "numpy.testing.suppress_warnings",
    "numpy.testing.check_support_sve",
    "numpy.random.set_state",
    "numpy.random.set_bit_generator",
    "numpy.ma.test",
    "scipy.special.test",
    "scipy.linalg.test",
    "scipy.stats.test",
    "scipy.fft.test",
    "scipy.signal.test",
    "scipy.integrate.test",
    "scipy.interpolate.test",
    "scipy.ndimage.test",
    "scipy.optimize.test",
    "scipy.sparse.test",
    "scipy.optimize.show_options",
    "numpy.testing.TestCase",
    "numpy.testing.runstring",
    "numpy.testing.break_cycles",
}

# They fail on a concrete array as well; what they do to a tracer is of interest all the same.
NEED_NOT_WORK = {"builtins.hash", "builtins.set", "builtins.frozenset", "json.dumps", "operator.index"}


def modules() -> Iterator[tuple[str, types.ModuleType]]:
    for path in MODULES:
        try:
            yield path, importlib.import_module(path)
        except ImportError:
            continue


# Methods of the distributions of SciPy that compute with what they are given.
_OF_DISTRIBUTIONS = ("pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf")


def distributions() -> Iterator[tuple[str, Any]]:
    """Methods of the distributions of SciPy that JAX has, too, with their names."""
    stats, ours = importlib.import_module("scipy.stats"), importlib.import_module("jax.scipy.stats")
    for name in sorted(dir(ours)):
        distribution = getattr(stats, name, None)
        if isinstance(getattr(ours, name), types.ModuleType) and distribution is not None:
            for method in _OF_DISTRIBUTIONS:
                if hasattr(distribution, method):
                    yield f"scipy.stats.{name}.{method}", getattr(distribution, method)
