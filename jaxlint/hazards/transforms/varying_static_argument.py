"""Static argument, list length or type that varies in a loop and recompiles the function.

## What it does
Reports calls of a compiled function in a loop whose static argument counts the passes: the variable of `for i in
range(...)` or `enumerate(...)`, a number computed from it, such as `0.1 * i`, what a `while` loop counts with `step +=
1`, or a float that each pass multiplies or divides, `damping = damping / 3`. So is a number that is an attribute, an
entry or a field of a static object and that was another one in the pass before. Also a float that each pass of a `while`
loop reads of an array which the call replaces, such as a step size. `equinox.filter_jit` takes each Python number for
static. Loops of fewer than ten passes, or of a number of passes that is not in the code, are left alone, and so are
calls under a condition. Five passes suffice where several results, or an object of several parts, are passed again,
unless the number picks an element. A schedule of floats, such as `0.1 * 0.9**step` or `np.linspace(...)`, is reported
in a loop of any length that passes a result again. An object that the loop makes in each pass is reported where its
class has no `__eq__`, so that no two of them are equal. A list that the loop appends to and passes is reported as well:
its length is part of the structure that is compiled for. So is an array that the loop makes longer with
`jnp.concatenate`, a slice `x[:i]` up to the counter of the loop, an array of what an inner loop collects until some
condition ends it, and an array that is made in each pass as long as the longest of its rows, `np.zeros((len(rows),
max(map(len, rows))))`, or as a number that is drawn. What makes an argument is followed through functions, generators,
objects and lists, to loops around the function that calls. A partial, a lambda or an optimizer that each pass makes
anew is reported where it is a static argument, or a static part of one, such as `tx` of a `TrainState`; so is a static
field that counts the objects. A function that `nnx.jit` compiles and that counts in a Python number of a module,
`model.steps += 1`, is reported too: what a module holds beside Variables and arrays is static. A Python number whose place an array takes in the second pass, as the
result of the function, is reported where the array is not weakly typed as the number is: the function is compiled for both.

## Why is this bad
JAX keeps one compiled program for each value of a static argument. With a value that is new in each
pass the function is traced and compiled in each, which takes many times as long as running it, and
none of the programs is thrown away.

## Example
```python
@partial(jax.jit, static_argnames=("step",))
def update(params, step):
    return params * 0.9**step


for step in range(1000):
    params = update(params, step)
```

## Use instead
Without `static_argnames` the number is traced, and the function compiled once:

```python
@jax.jit
def update(params, step):
    return params * 0.9**step
```

What has to be a Python number, a size or a condition, may be one of few: round it to a bucket, or pass
the condition itself, `step % 100 == 0`. The whole loop can be a `jax.lax.fori_loop`.

## When to ignore
Where each value stands for another program on purpose, such as the number of a layer.

## Fix safety
Unsafe: the argument is taken out of `static_argnames` and `static_argnums`, where the function does no more
with it than arithmetic with arrays. There is no fix where it decides a shape, a condition or what is
called, nor where the list of static arguments is not written out.

## References
- JAX documentation, "Just-in-time compilation", marking arguments as static:
  https://docs.jax.dev/en/latest/jit-compilation.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.varying_statics import GrowingArgument, LongestOfBatchArgument, VaryingStaticArgument
from jaxlint.analysis.domain.values import Array, FunctionValue, Transformed, Undecided, Unknown, Value
from jaxlint.analysis.transforms.fresh_parts import FreshPart
from jaxlint.analysis.transforms.static_attributes import StaticAttributeChanges
from jaxlint.analysis.transforms.weak_arguments import WeakArgument
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import tuple_text
from jaxlint.rewrite.requirements import expect, known, only, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX519",
    category=Category.SLOW,
    hazards=(
        VaryingStaticArgument,
        GrowingArgument,
        LongestOfBatchArgument,
        StaticAttributeChanges,
        FreshPart,
        WeakArgument,
    ),
    fixable="unsafe",
)


def check(
    hazard: VaryingStaticArgument
    | GrowingArgument
    | LongestOfBatchArgument
    | StaticAttributeChanges
    | FreshPart
    | WeakArgument,
    file: File,
) -> Iterator[Finding]:
    if isinstance(hazard, WeakArgument):
        operand = file.code(hazard.operand, 40) + "".join(f"[{key!r}]" for key in hazard.path)
        yield Finding(
            hazard.site,
            f"{function_name(hazard.function)} compiles twice: `{operand}` is a Python number in the first pass alone",
            f"Start with an array: `{file.api('jax.numpy.float32')[0]}(…)`.",
            also=(("the loop", hazard.loop),),
        )
        return
    if isinstance(hazard, StaticAttributeChanges):
        yield Finding(
            hazard.site,
            f"Static attribute `{file.code(hazard.site)}` of NNX module changes in each call, which recompiles",
            f"Keep it in a Variable: `self.{hazard.attribute} = nnx.Variable(jnp.array(0))`. Or count outside.",
        )
        return
    if isinstance(hazard, FreshPart):
        yield _of_part(hazard, file)
        return
    function, loop = hazard.function, hazard.loop
    operand = file.code(hazard.operand, 40)
    if isinstance(hazard, LongestOfBatchArgument):
        message = f"{function_name(function)} recompiles for each length of `{operand}`, that of its longest row"
        advice = "Pad all batches to one length, or to the next power of two."
        yield Finding(hazard.site, message, advice, None, (("the length is computed here", hazard.longest),))
        return
    if isinstance(hazard, GrowingArgument):
        message = f"{function_name(function)} recompiles in every loop iteration for growing {hazard.what} `{operand}`"
        advice = "Keep an array of a fixed size, and pass the number of elements in use."
        if hazard.what in ("collected", "varying"):
            message = f"{function_name(function)} recompiles for each length of `{operand}`"
            advice = "Pad it to a fixed length, or to the next power of two, and pass a mask."
        yield Finding(hazard.site, message, advice, None, (("the length changes here", hazard.grown),))
        return
    if hazard.made is not None:
        yield Finding(
            hazard.site,
            f"{function_name(function)} recompiles in every loop iteration for new object `{operand}`",
            "Make the object once, before the loop, or define `__eq__` and `__hash__` in its class, as a frozen dataclass does.",
            also=(("the loop", loop),),
        )
        return
    yield Finding(
        hazard.site,
        f"{function_name(function)} recompiles in every loop iteration for static argument `{operand}`",
        _advice(hazard, file, function),
        _traced(hazard, file, function),
        also=(("the loop", loop),),
    )


def _of_part(hazard: FreshPart, file: File) -> Finding:
    name = function_name(hazard.function)
    also = (("the call that compiles", hazard.call),)
    if hazard.what == "field":
        message = f"{name} recompiles for each object: static field `{hazard.field}` counts them"
        return Finding(hazard.site, message, "Make it an array, or leave it out of what is passed.", also=also)
    where = f" in static field `{hazard.field}`" if hazard.field else ""
    message = f"{name} recompiles for each new {hazard.what}{where}"
    advice = "Make it once, outside of the loop. A function of the module is the same one in each pass."
    if hazard.what == "optimizer":
        advice = "Make it once, and change its settings by a schedule, or by `optax.inject_hyperparams`."
    return Finding(hazard.site, message, advice, also=also)


def _advice(hazard: VaryingStaticArgument, file: File, function: Value) -> str:
    name = f"`{hazard.parameter}`" if hazard.parameter else "the argument"
    if hazard.api == "equinox.filter_jit":
        return f"Pass an array for {name}: arguments of `filter_jit` that are not arrays are static."
    body = function.function if isinstance(function, FunctionValue) else None
    if body is None or body.site not in file.unit or not hazard.parameter:
        return (
            f"Remove {name} from the static arguments if the function only computes with it."
            " Otherwise round it to one of a few values."
        )
    if _is_arithmetic(file, body, hazard.parameter):
        return f"Remove {name} from the static arguments."
    return (
        f"Round {name} to one of a few values, or pass only the size or the condition that the function takes from it."
    )


@or_none
def _traced(hazard: VaryingStaticArgument, file: File, function: Value) -> Fix:
    """The jit of the function without this static argument."""
    body, draft = expect(FunctionValue, function).function, Draft(file)
    changes = "one program serves all values, hidden from Python"
    require(body.site in file.unit and _is_arithmetic(file, body, str(hazard.parameter)))
    if hazard.api == "equinox.filter_jit":
        draft.replace(hazard.operand, draft.call("jax.numpy.asarray", file.code(hazard.operand)))
        return draft.fix("Pass an array", changes)
    made = known(_where_jitted(hazard, file))
    number = known(next((number for number, each in enumerate(body.parameters) if each.name == hazard.parameter), None))
    bound = not any(made is decorator for decorator in body.decorators) and body.is_method
    left = len(made.keywords)
    for keyword in made.keywords:
        if keyword.name not in ("static_argnames", "static_argnums"):
            continue
        entries = known(_entries(keyword.value))
        entry = hazard.parameter if keyword.name == "static_argnames" else number - bound
        rest = [each for each in entries if each.value != entry]
        if not rest:
            draft.remove_argument(keyword)
            left -= 1
        elif len(rest) < len(entries):
            draft.replace_whole(keyword.value.site, tuple_text([file.code(each.site) for each in rest]))
    require(draft.edits)
    is_partial = any(getattr(v, "name", "") == "functools.partial" for v in file.values(made.func.site))
    if not left and len(made.args) == 1 and is_partial:
        draft.edits = [file.replace(made.site, file.code(made.args[0].site))]
    return draft.fix(f"Trace `{hazard.parameter}`", changes)


@or_none
def _where_jitted(hazard: VaryingStaticArgument, file: File) -> ir.Call:
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    site = known(only({getattr(_jitted(value), "site", None) for value in file.values(call.func.site)}))
    require(site in file.unit)
    made = expect(ir.Call, file.unit.nodes[site])
    require(all(keyword.name for keyword in made.keywords))
    return made


def _jitted(value: Value) -> Value | None:
    """What a transform made, of a method that is bound as well."""
    inner = getattr(value, "function", None)
    if isinstance(value, Transformed):
        return value
    return inner if isinstance(inner, Transformed) else None


def _entries(value: ir.Node) -> list[ir.Constant] | None:
    written = value.elements if isinstance(value, ir.Sequence) else [value]
    entries = [each for each in written if isinstance(each, ir.Constant)]
    return entries if len(entries) == len(written) else None


def _is_arithmetic(file: File, function: ir.Function, name: str) -> bool:
    """Whether each use of a parameter is an operand, and the result an array, which is traced already."""
    uses = [node for node in ir.walk(function.body) if isinstance(node, ir.Name) and node.id == name]
    return bool(uses) and all(_ends_in_array(file, node) for node in uses)


def _is_open(value: Value) -> bool:
    """Whether a value may be an array or anything else."""
    return isinstance(value, Unknown) or (isinstance(value, Undecided) and value.maybe_static)


def _ends_in_array(file: File, node: ir.Node) -> bool:
    above = file.unit.parent(node.site)
    while isinstance(above, (ir.Binary, ir.Unary)) and getattr(above, "op", "") not in ("not", "@"):
        # The function may be called without `jit` as well: what it gets there is not known.
        values = [value for value in file.values(above.site) if not _is_open(value)]
        if values and all(isinstance(value, Array) and value.cls is not None for value in values):
            return True
        above = file.unit.parent(above.site)
    return False
