"""`int()`, `float()`, `bool()`, `complex()`, `operator.index()` or a `math` function on a traced value.

## What it does
Reports `int(x)`, `float(x)`, `bool(x)`, `complex(x)`, `operator.index(x)`, functions of `math` and
`cmath`, and others of the standard library that take a number (`fractions.Fraction(x)`, `itertools.repeat(y, x)`), where `x` is
traced. `round(x)`, `abs(x)` and `math.prod(x)` work on tracers and are not
reported, nor is `int(x)` of a value that is only differentiated (`float(x)` is: it fails there too).

## Why is this bad
A Python number has one value, and a traced function runs before its arguments have theirs: JAX
raises ConcretizationTypeError, TracerBoolConversionError for `bool` and
TracerIntegerConversionError for `operator.index`.

## Example
```python
@jax.jit
def bucket(x, width):
    return int(x / width), math.sqrt(x)
```

## Use instead
```python
@jax.jit
def bucket(x, width):
    return (x / width).astype(int), jnp.sqrt(x)
```

`math.log(x, base)` is `jnp.log(x) / jnp.log(base)`. Where the number decides a shape, make the
argument it comes from static (`static_argnames`), or compute it with NumPy or `math` from other
static values.

## When to ignore
Where the function is never traced in the way jaxlint sees it, for instance under `jax.disable_jit`.

## Fix safety
Unsafe: the result is an array of JAX's default precision where it was a Python number, so it cannot be a size, a dictionary
key or a static argument. `jnp.sqrt(-1.0)` is NaN where `math.sqrt` raises. A boolean needs no `bool()`. There is no other
fix where the operand comes from static values alone: there the `jnp` call is to become a NumPy one. Where the variable is
a constant on another path, which code may need as a Python number, the fix is only shown. A call that the compiled function
makes for its effect alone, such as `history.append(float(loss))`, is made by a function around it, as in JAX305.

## References
- JAX documentation, "Errors": `ConcretizationTypeError`, `TracerIntegerConversionError`
  (https://docs.jax.dev/en/latest/errors.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import PythonCastOnTracer
from jaxlint.analysis.domain.origin import MADE_OF_CONSTANTS
from jaxlint.analysis.domain.values import Array, Undecided
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, names_of, only_target
from jaxlint.rewrite.changes import ARRAY_OF_32_BITS, NO_PYTHON_VALUE
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.effects.hoisted_effects import call_moved_out
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import instead, operand
from jaxlint.rewrite.requirements import expect, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX102",
    category=Category.FAILS,
    hazards=(PythonCastOnTracer,),
    error="ConcretizationTypeError",
    fixable="unsafe",
)

_ADDING = frozenset({"add", "append", "appendleft", "extend", "insert"})  # methods of containers
_TYPES = {
    "builtins.int": "int",
    "builtins.float": "float",
    "builtins.bool": "bool",
    "builtins.complex": "complex",
    "operator.index": "int",
}
_IN_32_BITS = {"bool": "bool", "int": "int32", "float": "float32"}
# The functions that jnp has under the name they have in `math` since the oldest JAX there is a choice of.
_SAME = (
    "ceil copysign cos cosh degrees exp expm1 fabs floor fmod gcd hypot isfinite isinf isnan lcm log log10 log1p"
    " log2 radians sin sinh sqrt tan tanh trunc exp2 cbrt nextafter"
).split()
_JNP = (
    {f"math.{name}": f"jax.numpy.{name}" for name in _SAME}
    | {
        "math.acos": "jax.numpy.arccos",
        "math.acosh": "jax.numpy.arccosh",
        "math.asin": "jax.numpy.arcsin",
        "math.asinh": "jax.numpy.arcsinh",
        "math.atan": "jax.numpy.arctan",
        "math.atan2": "jax.numpy.arctan2",
        "math.atanh": "jax.numpy.arctanh",
        "math.erf": "jax.scipy.special.erf",
        "math.erfc": "jax.scipy.special.erfc",
        "math.lgamma": "jax.scipy.special.gammaln",
        "math.pow": "jax.numpy.float_power",
        "cmath.phase": "jax.numpy.angle",
    }
    | {f"cmath.{name}": f"jax.numpy.{name}" for name in ("isfinite", "isinf", "isnan")}
)
_GIVE_INT = ("math.ceil", "math.floor", "math.trunc")
_ARGUMENTS = dict.fromkeys(("math.atan2", "math.copysign", "math.fmod", "math.gcd", "math.hypot", "math.lcm", "math.nextafter", "math.pow"), 2)  # fmt: skip


def check(hazard: PythonCastOnTracer, file: File) -> Iterator[Finding]:
    api = hazard.api or ""
    shown = api.removeprefix("builtins.")
    code = file.code(hazard.operand, 40)
    message = f"`{shown}()` on traced value `{code}`"
    if hazard.operand == hazard.site:  # `map(int, xs)`
        message = f"`{shown}()` on a traced value"
    returned, is_bool = api in _TYPES and _is_only_returned(hazard, file), api == "builtins.bool"
    return_it = f"Return `{code}` as it is, and convert it outside the traced function."
    if hazard.origin is not None and hazard.origin.text == MADE_OF_CONSTANTS:
        help = f"Compute `{code}` with NumPy or `math` instead of JAX; it depends on no argument."
        fix = _conversion(hazard, file) if is_bool or returned else None
        yield Finding(hazard.site, message, return_it if returned and not is_bool else help, fix)
        return
    fix = _conversion(hazard, file) if api in _TYPES else _function(hazard, file)
    kept = _is_kept(hazard, file)
    if fix is not None and (kept or _is_one_of_several(hazard, file)):
        fix = fix.lowered(Applicability.DISPLAY)
    fix = call_moved_out(hazard, file) or fix
    if returned:
        help = return_it
    elif api in _TYPES and kept:
        help = f"Return `{code}` from the traced function, and store the number outside."
    elif api in _TYPES:
        argument = isinstance(hazard.value, Undecided) or isinstance(file.unit.nodes[hazard.operand], ir.Name)
        other = "make the argument that it comes from static" if argument else "convert outside the traced function"
        help = f"Convert with `.astype({_TYPES[api]})`, or {other}."
    elif api in _JNP:
        help = f"Use `{file.api(_JNP[api])[0]}`, which works on tracers."
    else:
        help = f"Use functions of `jnp`, or compute it from `{code}` outside the traced function."
    yield Finding(hazard.site, message, help, fix)


def _is_only_returned(hazard: PythonCastOnTracer, file: File) -> bool:
    """Whether the number goes into nothing but what the function returns, as it is or as an element."""
    statement, scope = file.unit.statement(hazard.site), file.unit.scope(hazard.site)
    if isinstance(statement, ir.Return):
        around = [each for each in file.unit.ancestors(hazard.site) if isinstance(each, ir.Expression)]
        return all(isinstance(each, (ir.Sequence, ir.Dict)) for each in around)
    target = only_target(statement)
    if not isinstance(statement, ir.Assign) or statement.value.site != hazard.site or not isinstance(target, ir.Name):
        return False
    reads = [each for each in names_of(file.unit, scope, target.id) if each is not target]
    above = [file.unit.parent(each.site) for each in reads]
    holders = [file.unit.parent(each.site) if isinstance(each, ir.Sequence) else each for each in above if each]
    return len(bindings(scope, target.id)) == 1 and bool(reads) and all(isinstance(each, ir.Return) for each in holders)


def _is_one_of_several(hazard: PythonCastOnTracer, file: File) -> bool:
    """Whether the variable that gets the result is a constant on other paths: code may need a Python number."""
    target = only_target(file.unit.statement(hazard.site))
    bound = bindings(file.unit.scope(hazard.site), target.id) if isinstance(target, ir.Name) else []
    return any(isinstance(each, ir.Assign) and isinstance(each.value, ir.Constant) for each in bound)


def _is_kept(hazard: PythonCastOnTracer, file: File) -> bool:
    """Whether the number is put into a container that outlives the call, where a tracer would leak."""
    adding = file.unit.parent(hazard.site)
    method = adding.func if isinstance(adding, ir.Call) else None
    if not isinstance(method, ir.Attribute) or method.attr not in _ADDING:
        return False
    owner, scope = method.value, file.unit.scope(hazard.site)
    return not isinstance(owner, ir.Name) or not any(isinstance(each, ir.Assign) for each in bindings(scope, owner.id))


@or_none
def _conversion(hazard: PythonCastOnTracer, file: File) -> Fix:
    call, draft = known(_call(hazard, file, 1)), Draft(file)
    type_name, code = _TYPES[hazard.api or ""], operand(file, hazard.operand)
    dtype = hazard.value.aval.dtype if isinstance(hazard.value, Array) else None
    if dtype is not None and dtype == _IN_32_BITS.get(type_name):
        draft.replace(call.site, instead(file, hazard.operand, call.site))
        return draft.fix(f"Use `{file.code(hazard.operand, 40)}` itself", NO_PYTHON_VALUE)
    if not isinstance(hazard.value, Array):
        code = draft.call("jax.numpy.asarray", file.code(hazard.operand))
    draft.replace(call.site, f"{code}.astype({type_name})")
    return draft.fix(f"Convert with `.astype({type_name})`", ARRAY_OF_32_BITS)


@or_none
def _function(hazard: PythonCastOnTracer, file: File) -> Fix:
    api, draft = hazard.api or "", Draft(file)
    mapped = _mapped(hazard, file)
    if mapped is not None:
        return mapped
    call = known(_call(hazard, file, _ARGUMENTS.get(api, 1)))
    name = draft.use(call.func.site, known(_JNP.get(api)))
    if api in _GIVE_INT:
        draft.insert(file.span(call.site)[1], ".astype(int)")
    return draft.fix(f"Use `{name}`", ARRAY_OF_32_BITS)


@or_none
def _mapped(hazard: PythonCastOnTracer, file: File) -> Fix:
    """`map(math.sqrt, xs)` as `map(jnp.sqrt, xs)`."""
    call, api = expect(ir.Call, file.unit.nodes[hazard.site]), hazard.api or ""
    require(call.args and api in _JNP and api not in _GIVE_INT)
    function = call.args[0].site
    require(function != hazard.operand and file.always(function, lambda each: getattr(each, "name", "") == api))
    return using(file, function, _JNP[api], ARRAY_OF_32_BITS)


@or_none
def _call(hazard: PythonCastOnTracer, file: File, arguments: int) -> ir.Call:
    """The call that was judged, if its arguments stand there: `map(math.sqrt, xs)` calls too."""
    call = plain_call(file.unit.nodes[hazard.site], arguments)
    require(any(arg.site == hazard.operand for arg in call.args))
    last = (hazard.api or "").rpartition(".")[2]
    named = call.func.attr if isinstance(call.func, ir.Attribute) else getattr(call.func, "id", None)
    require(named == last or file.code(call.func.site) == file.api(hazard.api or "")[0])
    return call
