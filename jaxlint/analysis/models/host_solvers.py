"""Functions of SciPy that call a function of the project on the host: what it returns has to be a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.call import Call

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# How many arguments they pass, which are numbers or arrays of NumPy (measured with scipy 1.17.1).
_PASSED = {
    **{
        f"scipy.optimize.{name}": 1
        for name in (
            "bisect brenth brentq fsolve least_squares minimize minimize_scalar newton ridder root root_scalar".split()
        )
    },
    "scipy.integrate.quad": 1, "scipy.integrate.dblquad": 2, "scipy.integrate.odeint": 2,
    "scipy.integrate.solve_ivp": 2,
}  # fmt: skip

_NAMES = ("f", "fun", "func")  # of the parameter, the first one


def returns_tracer(interpreter: Interpreter, name: str, call: Call) -> bool:
    """Whether a function of SciPy calls one that returns a tracer; recorded if so."""
    count = _PASSED.get(name)
    given = next(((call.get(0, each), call.node_of(0, each)) for each in _NAMES if call.get(0, each) is not None), None)
    if count is None or given is None or {"args", "jac"} & call.keywords.keys():
        return False
    function, node = given
    if type(function) is not v.FunctionValue or node is None:
        return False
    passed: list[v.Value] = [v.Host() for _ in range(count)]
    result = interpreter.call(function, Call(call.node, passed, [node] * count, {}, {}))
    for leaf in interpreter.leaves([result]):
        if type(leaf) is v.Array and leaf.cls is not None:
            interpreter.report(hazards.NumpyOnTracer(), call.node, node, leaf, api=name)
            return True
    return False
