"""Invalid arguments of a function of `jax.random`.

## What it does
Reports calls of the samplers whose arguments stand in the wrong place or are of the wrong kind: numbers for
the shape or dtype (`uniform(key, 0.0, 1.0)`), a shape for a number (`bernoulli(key, (3,))`), the shape
in front of the key, arguments that are missing, a float for the seed of a key, and a dtype that is not drawn.

## Why is this bad
NumPy takes the parameters of a distribution first and the size last. In JAX the key comes first and, for most
samplers, the shape second and the dtype third. The call raises a `TypeError` whose text seldom names the
argument: `'float' object is not iterable`, `Cannot interpret '1.0' as a data type`.

## Example
```python
noise = jax.random.uniform(key, -1.0, 1.0)
index = jax.random.randint(key, 0, 10)
```

## Use instead
```python
noise = jax.random.uniform(key, minval=-1.0, maxval=1.0)
index = jax.random.randint(key, (), 0, 10)
```

## When to ignore
Never: the call raises an error, in traced code and outside of it.

## Fix safety
Fixes name the arguments, put them in the order they are taken in, or make a tuple of the numbers of a shape. They are unsafe: what was meant is read
off the kinds of the arguments. The location and scale that NumPy's `normal` takes are written out, and a dtype that is
not drawn is converted to. Shown only: a key made in place where there is none, and a scale where a rate may be meant.

## References
- JAX documentation, "jax.random module": https://docs.jax.dev/en/latest/jax.random.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import python_type
from jaxlint.analysis.keys.sampler_arguments import SamplerArguments
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import facts
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import FRACTION, GUESSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX412",
    category=Category.FAILS,
    hazards=(SamplerArguments,),
    error="TypeError",
    fixable="unsafe",
    supersedes=("JAX209", "JAX212"),
)


# Samplers with one number in front of the shape.
_ONE_NUMBER = ("bernoulli", "poisson", "geometric", "gamma", "dirichlet", "t", "chisquare", "pareto")
# Those without the parameters that NumPy's have.
_LOCATED = {
    "normal": ("loc", "scale"), "laplace": ("loc", "scale"), "logistic": ("loc", "scale"), "gumbel": ("loc", "scale"),
    "exponential": ("scale",),
}  # fmt: skip

_OF_SHAPE_AND_DTYPE = ("normal", "laplace", "logistic", "gumbel", "exponential", "cauchy", "uniform")


def check(hazard: SamplerArguments, file: File) -> Iterator[Finding]:
    called = str(hazard.api).rpartition(".")[2]
    operand = " ".join(operands.argument(file, hazard.operand).split())
    order = f"`{called}({', '.join(_parameters(hazard))})`"
    advice = f"Call it as {order}."
    if hazard.reason == "missing":
        message = f"Missing argument{'s' if ' and ' in hazard.what else ''} {hazard.what} of `{called}`"
    elif hazard.reason == "surplus":
        message = f"Extra positional argument `{operand}` of `{called}`, which takes {hazard.least}"
    elif hazard.reason in ("key", "swapped"):
        message = f"First argument `{operand}` of `{called}` is {hazard.what}, not a key"
    elif hazard.reason == "seed":
        message = f"Seed `{operand}` of `{called}` is {hazard.what}, not an integer"
        advice = "Convert it with `int(…)`."
    elif hazard.reason == "tuple":
        message = f"Shape `{operand}` passed as scalar argument `{hazard.parameter}` of `{called}`"
    elif hazard.reason == "probability":
        message = f"Probability `{operand}` of `{called}` is {hazard.what}, not a float"
    elif hazard.what.startswith("`"):
        message = f"Unsupported dtype {hazard.what} of `{called}`"
        advice = "Draw numbers of a supported dtype, and convert them with `astype`."
    else:
        message = f"Argument `{operand}` of `{called}` is {hazard.what}, not a {hazard.parameter}"
    yield Finding(hazard.site, message, advice, _fix(hazard, file))


def _parameters(hazard: SamplerArguments) -> list[str]:
    found = facts(str(hazard.api))
    return (
        []
        if found is None
        else [p.name if p.required else f"{p.name}=…" for p in found.parameters if p.kind != "keyword-only"]
    )


@or_none
def _fix(hazard: SamplerArguments, file: File) -> Fix:
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(is_plain(call.args))
    if hazard.reason == "missing" and hazard.what == "`key`":
        return _seeded(file, call)
    if hazard.reason == "dtype" and hazard.what.startswith("`"):
        return _converted(hazard, file, call)
    if hazard.reason == "probability":
        return _real(hazard, file)
    if hazard.reason == "seed":
        edit = file.replace(hazard.operand, f"int({operands.argument(file, hazard.operand)})")
        return Fix("Convert the seed to an integer", (edit,), changes=FRACTION)
    require(call.args)
    scaled = _scaled(hazard, file, call)
    if scaled is not None:
        return scaled
    texts = [operands.argument(file, each.site) for each in call.args]
    last = str(hazard.api).rpartition(".")[2]
    made = known(_arranged(hazard, file, call, texts, last))
    said = {None, *(name.partition("=")[0] for name in made)}
    require(all(each.name not in said for each in call.keywords))
    keywords = [f"{each.name}={operands.argument(file, each.value.site)}" for each in call.keywords]
    edit = file.replace(call.site, f"{file.code(call.func.site)}({', '.join([*made, *keywords])})")
    is_named = any("=" in each for each in made)
    return Fix("Name the arguments" if is_named else "Put the arguments in order", (edit,), changes=GUESSED)


def _arranged(hazard: SamplerArguments, file: File, call: ir.Call, texts: list[str], last: str) -> list[str] | None:
    """The positional arguments as they are meant, the last ones by name; None where that is not clear."""
    kinds = [_kind(file, each.site) for each in call.args]
    if hazard.reason == "swapped" and len(texts) == 2 and not call.keywords:
        return [texts[1], texts[0]]
    if last == "uniform" and kinds[1:] == ["number", "number"]:
        return [texts[0], f"minval={texts[1]}", f"maxval={texts[2]}"]
    if last == "uniform" and kinds[1:] == ["number", "number", "shape"]:
        return [texts[0], texts[3], f"minval={texts[1]}", f"maxval={texts[2]}"]
    if last == "uniform" and hazard.reason == "dtype" and [each.site for each in call.args[2:-1]] == [hazard.operand]:
        if kinds[1] != "number" and kinds[3] != "shape":
            return [*texts[:2], f"minval={texts[2]}", f"maxval={texts[3]}"]
    if last == "randint" and hazard.reason == "missing" and kinds[1:] == ["number", "number"]:
        return [texts[0], "()", *texts[1:]]
    if last == "randint" and kinds[1:] == ["number", "number", "shape"]:
        return [texts[0], texts[3], *texts[1:3]]
    if last == "bernoulli" and kinds[1:] == ["shape"]:
        return [texts[0], f"shape={texts[1]}"]
    if last == "bernoulli" and kinds[1:] == ["shape", "number"]:
        return [texts[0], texts[2], texts[1]]
    if last in _ONE_NUMBER and kinds[1:] == ["shape", "number"]:
        return [texts[0], texts[2], texts[1]]
    if last in _OF_SHAPE_AND_DTYPE and hazard.reason == "dtype" and hazard.operand == call.args[-1].site:
        # A number that is written out may be a bound, or a location as NumPy's function takes it.
        plain = not call.keywords and not any(isinstance(each, ir.Constant) for each in call.args)
        counts = all(python_type(value) in (None, "int") for each in call.args[1:] for value in file.values(each.site))
        return [texts[0], f"({', '.join(texts[1:])})"] if plain and counts and "shape" not in kinds else None
    if last == "choice" and hazard.reason == "shape" and len(texts) > 2 and hazard.operand == call.args[2].site:
        return [*texts[:2], f"({texts[2]},)", *texts[3:]]
    return None


def _kind(file: File, site: int) -> str:
    """ "number", "shape" or "" of an argument, in every call that the analysis followed."""
    node = file.unit.nodes[site]
    if type(node) is ir.Sequence and node.kind == "tuple":
        return "shape"
    types = {python_type(value) for value in file.values(site)}
    if type(node) is ir.Attribute and node.attr == "shape":
        return "shape"
    return "number" if types and types <= {"int", "float"} else ""


def _seeded(file: File, call: ir.Call) -> Fix:
    """A key made in place, which gives the same numbers in every run."""
    draft = Draft(file)
    require(not plain_call(call).args)
    texts = [draft.call("jax.random.key", "0"), *(file.code(each.site) for each in call.keywords)]
    draft.replace(call.site, f"{file.code(call.func.site)}({', '.join(texts)})")
    return draft.fix("Draw from a key", "this one gives the same numbers each time", Applicability.DISPLAY)


def _converted(hazard: SamplerArguments, file: File, call: ir.Call) -> Fix:
    """`normal(key, shape).astype(dtype)`"""
    named = next((each for each in call.keywords if each.value.site == hazard.operand), None)
    require(named is not None or call.args and call.args[-1].site == hazard.operand)
    texts = [operands.argument(file, each.site) for each in call.args if each.site != hazard.operand]
    texts += [file.code(each.site) for each in call.keywords if each is not named]
    drawn = f"{file.code(call.func.site)}({', '.join(texts)})"
    text = f"{drawn}.astype({operands.argument(file, hazard.operand)})"
    return Fix("Draw floats, and convert them", (file.replace(call.site, text),), changes=FRACTION)


def _real(hazard: SamplerArguments, file: File) -> Fix:
    node = expect(ir.Constant, file.unit.nodes[hazard.operand])
    require(type(node.value) is int)
    return Fix("Write the probability as a float", (file.replace(node.site, f"{node.value}.0"),), changes=GUESSED)


@or_none
def _scaled(hazard: SamplerArguments, file: File, call: ir.Call) -> Fix:
    """Location and scale in NumPy's places, written out: `loc + scale * normal(key, shape)`."""
    kinds = [_kind(file, each.site) for each in call.args]
    numbers = _LOCATED.get(str(hazard.api).rpartition(".")[2], ())
    require(numbers and not call.keywords and kinds[1 : len(numbers) + 1] == ["number"] * len(numbers))
    require(kinds[len(numbers) + 1 :] in ([], ["shape"]))
    texts = [operands.argument(file, each.site) for each in (call.args[0], *call.args[len(numbers) + 1 :])]
    found = {name: operands.beside(file, each.site) for name, each in zip(numbers, call.args[1:])}
    text = f"{found['scale']} * {file.code(call.func.site)}({', '.join(texts)})"
    if "loc" in found:
        text = f"{found['loc']} + {text}"
    above = file.unit.parent(call.site)
    if isinstance(above, (ir.Binary, ir.Unary, ir.Attribute, ir.Subscript, ir.Compare, ir.Await)):
        text = f"({text})"
    level = Applicability.UNSAFE if "loc" in found else Applicability.DISPLAY
    title = "Scale what is drawn, as NumPy's function does"
    return Fix(title, (file.replace(call.site, text),), level, changes=GUESSED)
