"""How to call the functions of NumPy, SciPy and Python that cannot be guessed from their signature."""

from __future__ import annotations

import importlib
import types
from typing import Any, Iterator

import numpy as np

MODULES = (
    "builtins", "math", "cmath", "operator", "copy", "pickle", "json", "statistics", "numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.testing",
    "numpy.ma", "numpy.polynomial.polynomial", "scipy.special", "scipy.linalg", "scipy.stats", "scipy.fft", "scipy.signal", "scipy.integrate",
    "scipy.interpolate", "scipy.ndimage", "scipy.optimize", "scipy.spatial.distance", "scipy.sparse",
)

VALUES: dict[str, Any] = {
    "np": np, "v": np.array([0.25, 0.5, 0.75], np.float32), "m": np.array([[2, 0.5, 0.25], [0.5, 3, 0.75], [0.25, 0.75, 4]], np.float32), "s": 0.5, "i": np.array([0, 1, 2]),
    "b": np.array([True, False, True]), "c": np.array([1 + 1j, 2, 3]), "d": {}, "f": np.sin, "w": np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], np.float32),
}

# Values for all arguments at once, in this order.
THEMES = ("v", "m", "s", "i", "1", "b", "c", "[v, v]", "f", "(2, 3)")

SKIPPED = {
    "builtins." + name for name in ("breakpoint", "compile", "copyright", "credits", "delattr", "dir", "eval", "exec", "exit", "getattr", "globals", "hasattr", "help", "input", "license", "locals",
                                    "open", "property", "quit", "setattr", "staticmethod", "super", "vars", "classmethod", "object", "aiter", "anext", "type", "issubclass")
} | {
    "operator.attrgetter", "operator.itemgetter", "operator.methodcaller", "operator.setitem", "operator.delitem", "operator.call", "pickle.dump", "pickle.load", "json.dump", "json.load",
    "numpy.save", "numpy.load", "numpy.fromfile", "numpy.memmap", "numpy.info", "numpy.show_config", "numpy.show_runtime", "numpy.test", "numpy.seterr", "numpy.seterrcall", "numpy.setbufsize",
    "numpy.set_printoptions", "numpy.printoptions", "numpy.errstate", "numpy.from_dlpack", "numpy.frombuffer", "numpy.genfromtxt", "numpy.loadtxt", "numpy.get_include", "numpy.random.test", "numpy.testing.run_threaded",
    "numpy.testing.measure", "numpy.testing.rundocs", "numpy.testing.decorate_methods", "numpy.testing.suppress_warnings", "numpy.testing.check_support_sve", "numpy.random.set_state", "numpy.random.set_bit_generator",
    "numpy.ma.test", "scipy.special.test", "scipy.linalg.test", "scipy.stats.test", "scipy.fft.test", "scipy.signal.test", "scipy.integrate.test", "scipy.interpolate.test", "scipy.ndimage.test",
    "scipy.optimize.test", "scipy.sparse.test", "scipy.optimize.show_options", "numpy.testing.TestCase", "numpy.testing.runstring", "numpy.testing.break_cycles",
}

# They fail on a concrete array as well; what they do to a tracer is of interest all the same.
NEED_NOT_WORK = {"builtins.hash", "builtins.set", "builtins.frozenset", "json.dumps", "operator.index"}

CALLS: dict[str, tuple[str, ...]] = {
    "builtins.abs": ("s", "v"), "builtins.all": ("v",), "builtins.any": ("v",), "builtins.ascii": ("s",), "builtins.bin": ("1",), "builtins.bool": ("s",), "builtins.bytearray": ("i",), "builtins.bytes": ("i.astype(np.uint8)",),
    "builtins.chr": ("65",), "builtins.complex": ("s",), "builtins.dict": ("[(1, s)]",), "builtins.divmod": ("s, 2.0",), "builtins.enumerate": ("v",), "builtins.filter": ("None, v",), "builtins.float": ("s",),
    "builtins.format": ("s, '.2f'",), "builtins.hash": ("s",), "builtins.hex": ("1",), "builtins.id": ("s",), "builtins.int": ("s",), "builtins.isinstance": ("s, float",), "builtins.iter": ("v",), "builtins.len": ("v",), "builtins.list": ("v",),
    "builtins.map": ("abs, v",), "builtins.max": ("s, 1.0", "v"), "builtins.memoryview": ("v",), "builtins.min": ("s, 1.0", "v"), "builtins.oct": ("1",), "builtins.ord": (), "builtins.pow": ("s, 2.0",), "builtins.print": ("s",),
    "builtins.range": ("3",), "builtins.repr": ("s",), "builtins.reversed": ("v",), "builtins.round": ("s",), "builtins.set": ("v",), "builtins.frozenset": ("v",), "builtins.slice": ("1",), "builtins.sorted": ("v",), "builtins.str": ("s",),
    "builtins.sum": ("v",), "builtins.tuple": ("v",), "builtins.zip": ("v, v",), "builtins.callable": ("s",),
    "operator.getitem": ("[1, 2, 3], 1",), "operator.index": ("1",), "operator.concat": ("[1], [2]",), "operator.contains": ("[0.5], s",), "operator.countOf": ("[0.5], s",), "operator.indexOf": ("[0.5], s",), "operator.length_hint": ("v",),
    "math.ldexp": ("s, 2",), "math.prod": ("v",), "math.fsum": ("v",), "math.dist": ("v, v",), "math.sumprod": ("v, v",), "math.log": ("s", "s, 2.0"), "math.pow": ("s, 2.0",), "math.comb": ("3, 2",), "math.perm": ("3, 2",), "math.factorial": ("3",), "math.isqrt": ("4",),
    "math.gcd": ("4, 6",), "math.lcm": ("4, 6",), "math.floor": ("s",), "math.ceil": ("s",), "math.trunc": ("s",), "math.acosh": ("1.5",), "math.isclose": ("s, 0.5",), "math.hypot": ("s, 1.0",), "math.nextafter": ("s, 1.0",), "cmath.isclose": ("s, 0.5",), "cmath.rect": ("s, 0.5",),
    "copy.copy": ("v",), "copy.deepcopy": ("v",), "copy.replace": (), "pickle.dumps": ("v",), "pickle.loads": (), "pickle.Pickler": (), "pickle.Unpickler": (), "json.dumps": ("s",), "json.loads": (),
    "numpy.arange": ("3",), "numpy.zeros": ("3",), "numpy.ones": ("3",), "numpy.empty": ("3",), "numpy.full": ("3, 1.0",), "numpy.eye": ("3",), "numpy.identity": ("3",), "numpy.tri": ("3",), "numpy.linspace": ("0.0, 1.0, 4",), "numpy.logspace": ("0.0, 1.0, 4",), "numpy.geomspace": ("1.0, 2.0, 4",),
    "numpy.reshape": ("v, (3, 1)",), "numpy.broadcast_to": ("v, (2, 3)",), "numpy.repeat": ("v, 2",), "numpy.tile": ("v, 2",), "numpy.split": ("v, 3",), "numpy.array_split": ("v, 3",), "numpy.hsplit": ("m, 3",), "numpy.vsplit": ("m, 3",), "numpy.dsplit": ("m.reshape(3, 1, 3), 3",), "numpy.resize": ("v, (2, 3)",),
    "numpy.swapaxes": ("m, 0, 1",), "numpy.moveaxis": ("m, 0, 1",), "numpy.rollaxis": ("m, 1",), "numpy.roll": ("v, 1",), "numpy.rot90": ("m",), "numpy.expand_dims": ("v, 0",), "numpy.squeeze": ("v",), "numpy.transpose": ("m",), "numpy.take": ("v, i",), "numpy.take_along_axis": ("v, i, 0",), "numpy.put": ("v, i, v",),
    "numpy.put_along_axis": ("v, i, v, 0",), "numpy.choose": ("i, [v, v, v]",), "numpy.compress": ("b, v",), "numpy.extract": ("b, v",), "numpy.place": ("v, b, v",), "numpy.putmask": ("v, b, v",), "numpy.copyto": ("v, v",), "numpy.where": ("b, v, v",), "numpy.select": ("[b, b], [v, v]",), "numpy.piecewise": ("v, [b, ~b], [1.0, 0.0]",),
    "numpy.concatenate": ("[v, v]",), "numpy.concat": ("[v, v]",), "numpy.stack": ("[v, v]",), "numpy.vstack": ("[v, v]",), "numpy.hstack": ("[v, v]",), "numpy.dstack": ("[v, v]",), "numpy.column_stack": ("[v, v]",), "numpy.block": ("[v, v]",), "numpy.append": ("v, v",), "numpy.insert": ("v, 1, 2.0",), "numpy.delete": ("v, 1",),
    "numpy.clip": ("v, 0.0, 1.0",), "numpy.interp": ("v, v, v",), "numpy.searchsorted": ("v, v",), "numpy.digitize": ("v, v",), "numpy.histogram": ("v, 3",), "numpy.histogram2d": ("v, v",), "numpy.histogramdd": ("m",), "numpy.histogram_bin_edges": ("v",), "numpy.bincount": ("i",), "numpy.percentile": ("v, 50.0",), "numpy.quantile": ("v, 0.5",), "numpy.nanpercentile": ("v, 50.0",), "numpy.nanquantile": ("v, 0.5",),
    "numpy.einsum": ("'i,i->', v, v",), "numpy.einsum_path": ("'i,i->', v, v",), "numpy.tensordot": ("m, m",), "numpy.dot": ("v, v",), "numpy.cross": ("v, v",), "numpy.polyfit": ("v, v, 1",), "numpy.polyval": ("v, v",), "numpy.pad": ("v, 1",), "numpy.partition": ("v, 1",), "numpy.argpartition": ("v, 1",), "numpy.lexsort": ("(v, v)",), "numpy.apply_along_axis": ("np.sum, 0, m",), "numpy.apply_over_axes": ("np.sum, m, 0",),
    "numpy.isin": ("v, v",), "numpy.in1d": ("v, v",), "numpy.can_cast": ("v, np.float64",), "numpy.result_type": ("v",), "numpy.array": ("v",), "numpy.asarray": ("v",), "numpy.asanyarray": ("v",), "numpy.ascontiguousarray": ("v",), "numpy.asfortranarray": ("v",), "numpy.asarray_chkfinite": ("v",), "numpy.asmatrix": ("m",), "numpy.matrix": ("m",), "numpy.bmat": ("[[m, m]]",), "numpy.require": ("v",), "numpy.copy": ("v",), "numpy.full_like": ("v, 1.0",), "numpy.zeros_like": ("v",), "numpy.ones_like": ("v",), "numpy.empty_like": ("v",),
    "numpy.broadcast_arrays": ("v, v",), "numpy.broadcast_shapes": (), "numpy.broadcast": ("v, v",), "numpy.meshgrid": ("v, v",), "numpy.ix_": ("i, i",), "numpy.unravel_index": ("i, (3, 3)",), "numpy.ravel_multi_index": ("(i, i), (3, 3)",), "numpy.indices": ("(3, 3)",), "numpy.diag_indices": ("3",), "numpy.diag_indices_from": ("m",), "numpy.tril_indices": ("3",), "numpy.triu_indices": ("3",), "numpy.tril_indices_from": ("m",), "numpy.triu_indices_from": ("m",), "numpy.mask_indices": ("3, np.triu",),
    "numpy.fromiter": ("v, np.float32",), "numpy.fromfunction": ("lambda a: a, (3,)",), "numpy.fromstring": (), "numpy.vectorize": (), "numpy.frompyfunc": (), "numpy.nditer": ("v",), "numpy.ndenumerate": ("v",), "numpy.ndindex": ("3",), "numpy.nested_iters": (), "numpy.ndarray": ("3",), "numpy.array2string": ("v",), "numpy.array_repr": ("v",), "numpy.array_str": ("v",), "numpy.savetxt": ("'probe.txt', v",), "numpy.savez": ("'probe.npz', v",), "numpy.savez_compressed": ("'probe.npz', v",), "numpy.array_equal": ("v, v",), "numpy.array_equiv": ("v, v",), "numpy.allclose": ("v, v",), "numpy.isclose": ("v, v",),
    "numpy.hanning": ("3",), "numpy.hamming": ("3",), "numpy.blackman": ("3",), "numpy.bartlett": ("3",), "numpy.kaiser": ("3, 1.0",), "numpy.vander": ("v",), "numpy.fill_diagonal": ("m, 1.0",), "numpy.heaviside": ("v, v",), "numpy.ldexp": ("v, i",), "numpy.isnat": (), "numpy.busday_count": (), "numpy.base_repr": ("3",), "numpy.binary_repr": ("3",), "numpy.format_float_positional": ("s",), "numpy.format_float_scientific": ("s",), "numpy.unpackbits": ("i.astype(np.uint8)",), "numpy.packbits": ("i",), "numpy.trapezoid": ("v, v",), "numpy.trapz": ("v, v",), "numpy.average": ("v",), "numpy.cov": ("v, v",), "numpy.corrcoef": ("v, v",), "numpy.convolve": ("v, v",), "numpy.correlate": ("v, v",), "numpy.gradient": ("v",), "numpy.diff": ("v",), "numpy.ediff1d": ("v",), "numpy.unwrap": ("v",),
    "numpy.linalg.norm": ("v",), "numpy.linalg.multi_dot": ("[m, m]",), "numpy.linalg.matrix_power": ("m, 2",), "numpy.linalg.lstsq": ("m, v",), "numpy.linalg.tensorsolve": ("m, v",), "numpy.linalg.tensorinv": ("m, 1",), "numpy.linalg.solve": ("m, v",), "numpy.linalg.cross": ("v, v",), "numpy.linalg.vecdot": ("v, v",), "numpy.linalg.outer": ("v, v",), "numpy.linalg.tensordot": ("m, m",), "numpy.linalg.matmul": ("m, m",),
    "numpy.fft.fftfreq": ("3",), "numpy.fft.rfftfreq": ("3",), "numpy.fft.irfft": ("w",), "numpy.fft.hfft": ("w",),
    "numpy.random.seed": ("1",), "numpy.random.rand": ("3",), "numpy.random.randn": ("3",), "numpy.random.randint": ("5",), "numpy.random.random_integers": ("5",), "numpy.random.random": ("3",), "numpy.random.random_sample": ("3",), "numpy.random.ranf": ("3",), "numpy.random.sample": ("3",), "numpy.random.bytes": ("3",), "numpy.random.choice": ("v", "3"), "numpy.random.shuffle": ("v",), "numpy.random.permutation": ("v", "3"), "numpy.random.uniform": ("s, 1.0",), "numpy.random.normal": ("s, 1.0",),
    "numpy.random.multivariate_normal": ("v, m",), "numpy.random.multinomial": ("3, v / 3",), "numpy.random.dirichlet": ("v",), "numpy.random.hypergeometric": ("3, 3, 2",), "numpy.random.default_rng": ("3",), "numpy.random.RandomState": ("3",), "numpy.random.SeedSequence": ("3",), "numpy.random.Generator": (), "numpy.random.triangular": ("0.0, 0.5, 1.0",), "numpy.random.binomial": ("3, 0.5",), "numpy.random.logseries": ("0.5",), "numpy.random.zipf": ("2.0",), "numpy.random.negative_binomial": ("3, 0.5",), "numpy.random.geometric": ("0.5",),
    "numpy.random.standard_normal": ("3",), "numpy.random.standard_exponential": ("3",), "numpy.random.standard_cauchy": ("3",), "numpy.random.exponential": ("1.0",), "numpy.random.poisson": ("1.0",), "numpy.random.lognormal": ("0.0, 1.0",), "numpy.random.laplace": ("0.0, 1.0",), "numpy.random.logistic": ("0.0, 1.0",), "numpy.random.gumbel": ("0.0, 1.0",), "numpy.random.rayleigh": ("1.0",),
    "numpy.testing.assert_allclose": ("v, v",), "numpy.testing.assert_almost_equal": ("v, v",), "numpy.testing.assert_array_equal": ("v, v",), "numpy.testing.assert_array_almost_equal": ("v, v",), "numpy.testing.assert_array_less": ("v, v + 1",), "numpy.testing.assert_equal": ("v, v",), "numpy.testing.assert_": ("True",), "numpy.testing.assert_approx_equal": ("s, s",), "numpy.testing.assert_array_almost_equal_nulp": ("v, v",), "numpy.testing.assert_array_max_ulp": ("v, v",), "numpy.testing.assert_raises": (), "numpy.testing.assert_warns": (),
    "scipy.special.logsumexp": ("v",), "scipy.special.softmax": ("v",), "scipy.special.log_softmax": ("v",), "scipy.linalg.solve_triangular": ("m, v",), "scipy.linalg.cho_solve": ("(m, True), v",), "scipy.linalg.lu_solve": (), "scipy.linalg.block_diag": ("m, m",), "scipy.linalg.toeplitz": ("v",), "scipy.linalg.hilbert": ("3",), "scipy.linalg.expm": ("m",),
    "scipy.ndimage.map_coordinates": ("m, [i, i]",), "scipy.ndimage.convolve": ("m, m",), "scipy.ndimage.gaussian_filter": ("m, 1.0",), "scipy.signal.convolve": ("v, v",), "scipy.integrate.trapezoid": ("v, v",), "scipy.integrate.quad": (), "scipy.optimize.minimize": (), "scipy.fft.dct": ("v",),
}


def modules() -> Iterator[tuple[str, types.ModuleType]]:
    for path in MODULES:
        try:
            yield path, importlib.import_module(path)
        except ImportError:
            continue
