"""Python and NumPy functions whose answer is not decided by their arguments, or that act on the world.

Called in code that JAX traces they run once, while it is traced, and never when it is executed.
"""

from __future__ import annotations

from collections.abc import Container

_NUMPY_DRAWS = frozenset(
    "beta binomial bytes chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric integers laplace"
    " logistic lognormal logseries multinomial multivariate_hypergeometric multivariate_normal negative_binomial"
    " noncentral_chisquare noncentral_f normal pareto permutation permuted poisson power rand randint randn random"
    " random_integers random_sample ranf rayleigh sample seed shuffle standard_cauchy standard_exponential standard_gamma"
    " standard_normal standard_t tomaxint triangular uniform vonmises wald weibull zipf".split()
)
_PYTHON_DRAWS = frozenset(
    "betavariate binomialvariate choice choices expovariate gammavariate gauss getrandbits lognormvariate normalvariate"
    " paretovariate randbytes randint random randrange sample seed shuffle triangular uniform vonmisesvariate"
    " weibullvariate".split()
)
_SECRETS = frozenset("choice randbelow randbits token_bytes token_hex token_urlsafe".split())
_DRAWS = {
    "numpy.random": _NUMPY_DRAWS,
    "random": _PYTHON_DRAWS,
    "secrets": _SECRETS,
    "os": frozenset({"urandom", "getrandom"}),
}

# What makes a generator: seeded by the clock or the system where no seed is passed.
_GENERATORS = {
    "numpy.random.default_rng": "numpy.random.Generator", "numpy.random.RandomState": "numpy.random.RandomState",
    "random.Random": "random.Random",
}  # fmt: skip
_GENERATOR_DRAWS = {
    "numpy.random.Generator": _NUMPY_DRAWS - {"seed"}, "numpy.random.RandomState": _NUMPY_DRAWS, "random.Random": _PYTHON_DRAWS,
}  # fmt: skip

# Those that give no numbers that a program computes with.
_NO_NUMBERS = frozenset(
    {"bytes", "choice", "choices", "permutation", "permuted", "randbytes", "sample", "seed", "shuffle"}
)
_NUMBERS = {  # packages and classes
    "numpy.random": _NUMPY_DRAWS - _NO_NUMBERS, "random": _PYTHON_DRAWS - _NO_NUMBERS,
    "numpy.random.Generator": _NUMPY_DRAWS - _NO_NUMBERS, "numpy.random.RandomState": _NUMPY_DRAWS - _NO_NUMBERS,
    "random.Random": _PYTHON_DRAWS - _NO_NUMBERS,
}  # fmt: skip
_OF_TWO = frozenset(
    "beta gumbel integers laplace logistic lognormal normal randint uniform".split()
)  # then comes `size`

_CLOCKS = frozenset(
    "time.time time.time_ns time.perf_counter time.perf_counter_ns time.monotonic time.monotonic_ns time.process_time"
    " time.process_time_ns time.thread_time time.thread_time_ns time.clock_gettime time.sleep datetime.datetime.now"
    " datetime.datetime.utcnow datetime.datetime.today datetime.date.today timeit.default_timer".split()
)
_CLOCKS_WITHOUT_ARGUMENT = {  # position of the time that they may be given
    "time.ctime": 0, "time.localtime": 0, "time.gmtime": 0, "time.asctime": 0, "time.strftime": 1,
}  # fmt: skip
_IO = frozenset(
    "builtins.open builtins.input io.open os.system os.popen os.remove os.unlink os.rename os.replace os.mkdir os.makedirs"
    " os.rmdir os.write os.read shutil.rmtree shutil.copy shutil.copyfile shutil.move subprocess.run subprocess.call"
    " subprocess.check_call subprocess.check_output subprocess.Popen urllib.request.urlopen urllib.request.urlretrieve"
    " requests.get requests.post requests.put requests.patch requests.delete requests.head requests.request"
    " getpass.getpass".split()
)


def draws(name: str) -> bool:
    """Whether the function draws from a generator that the host keeps, or seeds it."""
    package, _, last = name.rpartition(".")
    return last in _DRAWS.get(package, ())


def generator(name: str) -> str | None:
    """The class of generator that this function makes; None where it makes none."""
    return _GENERATORS.get(name)


def generator_draws(cls: str, method: str) -> bool:
    return method in _GENERATOR_DRAWS[cls]


def draws_numbers(name: str) -> bool:
    """Whether the function, or method of a generator, gives numbers that are drawn."""
    package, _, last = name.rpartition(".")
    return last in _NUMBERS.get(package, ())


def draws_one(name: str, arguments: int, keywords: Container[str]) -> bool:
    """Whether it gives one number for certain, where its arguments are numbers."""
    last = name.rpartition(".")[2]
    return name.startswith("random.") or ("size" not in keywords and arguments <= (2 if last in _OF_TWO else 0))


def clock(name: str, arguments: int) -> bool:
    """Whether the function, called with so many arguments, tells the time or waits."""
    return name in _CLOCKS or arguments <= _CLOCKS_WITHOUT_ARGUMENT.get(name, -1)


def does_io(name: str) -> bool:
    return name in _IO
