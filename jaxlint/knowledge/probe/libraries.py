"""What functions and objects of libraries do with what they are given, measured by calling them with recorders.

A call is a small program in the values of `library_calls.VALUES`; its last expression is the call that is measured.
`f` and its kin are recorders: functions that note what they are given. `key` is a random key.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import importlib
import importlib.metadata
import inspect
import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.parameters import spell
from jaxlint.knowledge.probe import library_calls

Row = dict[str, Any]
DATA = Path(__file__).parents[1] / "data" / "libraries"
MAX_DEPTH = 3  # of results in one another
ENOUGH = 5  # objects of a class whose methods are called: the others are taken to do the same


class Recorder:
    """A function of the user, as a library sees it: it notes what it is given, and gives what ``body`` makes of it."""

    def __init__(self, body: Callable[..., Any]) -> None:
        self.body = body
        self.seen: list[Seen] = []
        self.given: list[Any] = []  # what it returned
        functools.update_wrapper(self, body, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.seen.append(Seen(args, kwargs, _stage((args, kwargs))))
        result = self.body(*args, **kwargs)
        self.given.append(result)
        return result


class Seen(NamedTuple):
    """One call of a recorder."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    stage: str  # "staged", "batched", "differentiated", or "caller": as the code around


def is_tracer(value: Any) -> bool:
    return isinstance(value, jax.core.Tracer)


def is_array(value: Any) -> bool:
    return isinstance(value, (jax.Array, np.ndarray, np.generic))


def _stage(given: Any) -> str:
    """The class of code that a function runs in: what JAX makes of constants there, and what a tracer answers."""
    if is_tracer(jnp.zeros(()) + 0.0):
        return "staged"
    tracers = [leaf for leaf in jax.tree.leaves(given) if is_tracer(leaf)]
    for leaf in tracers:
        try:
            bool(jnp.any(leaf != leaf))
        except Exception:
            return "batched"
    return "differentiated" if tracers else "caller"


@dataclasses.dataclass
class Program:
    """A program whose last expression is the call that is measured."""

    source: str
    name: str  # of what is called: `optax.sgd().update`
    call: ast.Call
    before: list[ast.stmt]
    assigned: dict[str, ast.expr]

    @classmethod
    def of(cls, source: str) -> Program:
        body = ast.parse(source).body
        last = body[-1]
        assert isinstance(last, ast.Expr) and isinstance(last.value, ast.Call), source
        assigned: dict[str, ast.expr] = {}
        for statement in body[:-1]:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        assigned[target.id] = statement.value
                    elif isinstance(target, ast.Tuple):
                        for number, each in enumerate(target.elts):
                            if isinstance(each, ast.Name):
                                item = ast.Subscript(statement.value, ast.Constant(number), ast.Load())
                                assigned[each.id] = item
        made = cls(source, "", last.value, body[:-1], assigned)
        made.name = made.named(last.value.func)
        return made

    def named(self, node: ast.expr) -> str:
        """What an expression is called: `numpyro.infer.MCMC().run`, `gymnax.make()[0].reset`."""
        if isinstance(node, ast.Name):
            if node.id in self.assigned:
                return self.named(self.assigned[node.id])
            value = library_calls.VALUES.get(node.id)
            return value.__name__ if inspect.ismodule(value) else node.id
        if isinstance(node, ast.Attribute):
            return f"{self.named(node.value)}.{node.attr}"
        if isinstance(node, ast.Call):
            return f"{self.named(node.func)}()"
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return f"{self.named(node.value)}[{node.slice.value!r}]"
        return ast.unparse(node)

    def resolved(self, node: ast.expr) -> ast.expr:
        while isinstance(node, ast.Name) and node.id in self.assigned:
            node = self.assigned[node.id]
        return node

    def paths(self, environment: dict[str, Any]) -> dict[str, str]:
        """Name of each recorder -> how the call that is measured gets to it: `fun`, `self.sampler.model`."""
        found: dict[str, str] = {}
        self._walk(self.call, "", environment, found)
        return found

    def _walk(self, node: ast.expr, path: str, environment: dict[str, Any], found: dict[str, str]) -> None:
        node = self.resolved(node)
        if isinstance(node, ast.Name) and isinstance(environment.get(node.id), Recorder):
            found.setdefault(node.id, path)
        elif isinstance(node, ast.Call):
            receiver = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            if not path:
                self._walk(receiver, "self", environment, found)
            for name, each in self.bound(node, environment):
                self._walk(each, f"{path}.{name}" if path else name, environment, found)
        elif isinstance(node, (ast.List, ast.Tuple)):
            for each in node.elts:
                self._walk(each, path, environment, found)
        elif isinstance(node, ast.Dict):
            for each in node.values:
                self._walk(each, path, environment, found)
        elif isinstance(node, ast.Subscript):
            self._walk(node.value, path, environment, found)

    def bound(self, node: ast.Call, environment: dict[str, Any]) -> Iterator[tuple[str, ast.expr]]:
        """The arguments of a call, each with the parameter it is for."""
        signature = signature_of(_value(node.func, environment))
        ordinary = [p for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        star = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL), "")
        for number, each in enumerate(node.args):
            yield (ordinary[number].name if number < len(ordinary) else star), each
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield keyword.arg, keyword.value


def signature_of(function: Any) -> inspect.Signature:
    """The signature; an object that takes anything hands it to the first function that it has."""
    found = inspect.signature(function)
    if [each.kind.name for each in found.parameters.values()] == ["VAR_POSITIONAL", "VAR_KEYWORD"]:
        if dataclasses.is_dataclass(function) and not inspect.isclass(function):
            fields = (getattr(function, each.name) for each in dataclasses.fields(function))
            return next((inspect.signature(each) for each in fields if inspect.isfunction(each)), found)
    return found


def _value(node: ast.expr, environment: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(ast.fix_missing_locations(node)), "<call>", "eval"), environment)


def measure(source: str, package: str, values: dict[str, Any] | None = None) -> tuple[str, Row]:
    """The name of what the last expression calls, and what it does with its arguments."""
    with contextlib.ExitStack() as stack:
        environment = {**library_calls.environment(package, Recorder), **(values or {}), "stack": stack}
        program = Program.of(source)
        exec(compile(ast.Module(program.before, []), "<call>", "exec"), environment)
        return program.name, _row(program, environment, package)


def _row(program: Program, environment: dict[str, Any], package: str) -> Row:
    function = _value(program.call.func, environment)
    signature = signature_of(function)
    row: Row = {"parameters": spell(signature), "call": program.source}
    arguments = [(name, _value(node, environment)) for name, node in program.bound(program.call, environment)]
    for recorder in _recorders(environment):
        recorder.seen.clear()
        recorder.given.clear()
    paths = program.paths(environment)
    eagerly = functools.partial(_call, program.call, function)
    result = eagerly([value for _, value in arguments])
    given = dict(arguments)
    stars = {p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL}
    for star in stars:
        given[star] = tuple(value for name, value in arguments if name == star)
    recorders = {path: environment[name] for name, path in paths.items()}
    row["result"] = described(result, given, recorders, package)
    row["passed"] = row["always"] = sorted(given)
    receiver = program.call.func.value if isinstance(program.call.func, ast.Attribute) else program.call.func
    maker = program.resolved(receiver)
    row["options"] = _options(program, maker, environment) if isinstance(maker, ast.Call) else []
    row["calls"] = _calls(environment, paths, given, stars, eagerly, arguments)
    keys = [(position, name) for position, (name, value) in enumerate(arguments) if value is environment["key"]]
    row["draws"] = {name: _consumes(eagerly, arguments, position) for position, name in keys}
    return row


def _options(program: Program, maker: ast.Call, environment: dict[str, Any]) -> list[str]:
    """The optional parameters that are passed to what makes an object."""
    parameters = signature_of(_value(maker.func, environment)).parameters
    passed = {name for name, _ in program.bound(maker, environment) if name in parameters}
    return sorted(name for name in passed if parameters[name].default is not inspect.Parameter.empty)


def _call(node: ast.Call, function: Any, values: list[Any]) -> Any:
    args = values[: len(node.args)]
    names = [keyword.arg for keyword in node.keywords if keyword.arg is not None]
    return function(*args, **dict(zip(names, values[len(node.args) :])))


def _recorders(environment: dict[str, Any]) -> Iterator[Recorder]:
    return (value for value in environment.values() if isinstance(value, Recorder))


# --- functions that are called ---------------------------------------------------------------


def _calls(
    environment: dict[str, Any],
    paths: dict[str, str],
    given: dict[str, Any],
    stars: set[str],
    eagerly: Callable[[list[Any]], Any],
    arguments: list[tuple[str, Any]],
) -> Row:
    """Path of each function that is called -> how. What runs as its caller does is called once more under `jit`."""
    found = {name: list(environment[name].seen) for name in paths if environment[name].seen}
    rows: Row = {}
    staged: dict[str, list[Seen]] = {}
    traced: dict[str, Any] = given
    if any(all(seen.stage == "caller" for seen in each) for each in found.values()):
        traced = _under_jit(eagerly, arguments, given, stars)
        staged = {name: list(environment[name].seen) for name in found}
    for name, all_seen in found.items():
        order = ("staged", "batched", "differentiated", "caller")
        stage = min((each.stage for each in all_seen), key=order.index)
        alike = [each for each in all_seen if each.stage == stage]
        around = given
        if stage == "caller":
            inner = [each for each in staged.get(name, ())[len(all_seen) :] if each.stage == "staged"]
            if inner:
                alike, around = inner, traced
        specs = [_arguments(each, around, stars) for each in alike]
        times = "once" if len(all_seen) == 1 else "more"
        rows[paths[name]] = {"stage": stage, "times": times, "with": functools.reduce(_common, specs)}
    return rows


def _under_jit(
    eagerly: Callable[[list[Any]], Any],
    arguments: list[tuple[str, Any]],
    given: dict[str, Any],
    stars: set[str],
) -> dict[str, Any]:
    """Call once more with every array of the arguments traced; what the arguments were."""
    leaves, structure = jax.tree.flatten([value for _, value in arguments])
    places = [n for n, leaf in enumerate(leaves) if is_array(leaf)]
    traced: dict[str, Any] = dict(given)

    def staged(arrays: list[Any]) -> Any:
        rebuilt = list(leaves)
        for place, array in zip(places, arrays):
            rebuilt[place] = array
        values = jax.tree.unflatten(structure, rebuilt)
        traced.update({name: value for (name, _), value in zip(arguments, values)})
        for star in stars:
            traced[star] = tuple(value for (name, _), value in zip(arguments, values) if name == star)
        result = eagerly(values)
        return [leaf for leaf in jax.tree.leaves(result) if is_array(leaf)]

    with contextlib.suppress(Exception):
        jax.eval_shape(staged, [leaves[place] for place in places])
    return traced


def _arguments(seen: Seen, given: dict[str, Any], stars: set[str]) -> list[str] | Row:
    """What a function was called with, each argument told by what the caller was given."""
    specs: list[str] = []
    rest = list(seen.args)
    while rest:
        star = next((s for s in stars if given[s] and _are_like(rest[: len(given[s])], given[s])), None)
        if star is not None:
            kind = described(rest[0], {star: given[star][0]}, {})
            specs.append(f"*{kind.split(' ')[0] if kind.startswith('same') else _tracedness(rest[0])} {star}")
            rest = rest[len(given[star]) :]
        else:
            specs.append(argument(rest.pop(0), given))
    named = {name: argument(value, given) for name, value in seen.kwargs.items()}
    return {"args": specs, "kwargs": named} if named else specs


def _are_like(values: Any, given: Any) -> bool:
    return len(values) == len(given) and all(
        any(is_array(leaf) for leaf in jax.tree.leaves(b)) and _form(a) == _form(b) for a, b in zip(values, given)
    )


def _tracedness(value: Any) -> str:
    return "traced" if any(is_tracer(leaf) for leaf in jax.tree.leaves(value)) else "concrete"


def argument(value: Any, given: dict[str, Any]) -> str:
    """One argument of a function that is called: `traced int32[]`, `traced like params`, `same args`, `value`."""
    leaves = jax.tree.leaves(value)
    if not leaves or not all(is_array(leaf) or isinstance(leaf, (int, float, complex)) for leaf in leaves):
        return "none" if value is None else "value"
    for name, each in given.items():
        if each is value and not isinstance(value, (int, float)):
            return f"same {name}"
    if not any(is_array(leaf) for leaf in leaves):
        return "value"
    mode = _tracedness(value)
    if all(map(_is_key, leaves)):
        return f"{mode} key"
    for name, each in given.items():
        if _form(value) == _form(each) and jax.tree.leaves(each) and (_form(each)[1] != (((), "float32"),)):
            return f"{mode} like {name}"
    if leaves == [value]:
        return f"{mode} {value.dtype}[]" if value.shape == () else f"{mode} array"
    return f"{mode} tree"


def _form(value: Any) -> Any:
    try:
        leaves, structure = jax.tree.flatten(value)
        return structure, tuple((jnp.shape(leaf), str(jnp.result_type(leaf))) for leaf in leaves)
    except Exception:
        return id(value), ()


def _is_key(value: Any) -> bool:
    typed = is_array(value) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
    return typed or (is_array(value) and value.dtype == jnp.uint32 and value.shape == (2,))


# --- keys ------------------------------------------------------------------------------------


def _consumes(eagerly: Callable[[list[Any]], Any], arguments: list[tuple[str, Any]], position: int) -> bool:
    """Whether numbers are drawn from a key that is an argument, or it is split."""

    def run(key: Any) -> Any:
        values = [value for _, value in arguments]
        values[position] = key
        return [leaf for leaf in jax.tree.leaves(eagerly(values)) if is_array(leaf)]

    for key in (jax.random.key(0), jax.random.PRNGKey(0)):
        with contextlib.suppress(Exception):
            program: Any = jax.make_jaxpr(run)(key)
            return _draws(program.jaxpr, {0})
    # What cannot be traced is run: JAX's own checker notes that a typed key is consumed.
    key = jax.random.key(0)
    with contextlib.suppress(Exception), jax.debug_key_reuse(True):
        run(key)
    consumed = getattr(key, "_consumed", False)
    return bool(np.any(consumed))


_CONSUME = frozenset({"random_bits", "random_split", "threefry2x32", "random_gamma"})
_HAND_ON = frozenset({
    "random_wrap", "random_unwrap", "reshape", "squeeze", "slice", "copy", "convert_element_type", "broadcast_in_dim",
    "dynamic_slice", "gather", "select_n", "stop_gradient", "device_put", "optimization_barrier",
})  # fmt: skip


def _draws(jaxpr: Any, keys: Iterable[int]) -> bool:
    """Whether one of the inputs with these numbers is a key that the program consumes."""
    held = {jaxpr.invars[number] for number in keys}
    for equation in jaxpr.eqns:
        positions = [n for n, each in enumerate(equation.invars) if type(each).__name__ == "Var" and each in held]
        if not positions:
            continue
        name = equation.primitive.name
        if name in _CONSUME:
            return True
        if name in _HAND_ON and positions[0] == 0:
            held.update(equation.outvars)
        for inner, offset, until in _inner(equation):
            inside = {n - offset for n in positions if offset <= n < until}
            if inside and _draws(inner, inside):
                return True
    return False


def _inner(equation: Any) -> Iterator[tuple[Any, int, int]]:
    """The programs inside an equation: each with the number of the operand that is its first input."""
    if equation.primitive.name == "while":
        conditions = equation.params["cond_nconsts"]
        yield equation.params["body_jaxpr"].jaxpr, conditions, len(equation.invars)
        return
    for value in equation.params.values():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            program = getattr(each, "jaxpr", each)
            if hasattr(program, "eqns"):
                yield program, len(equation.invars) - len(program.invars), len(equation.invars)


# --- results ---------------------------------------------------------------------------------


def described(
    value: Any, given: dict[str, Any], recorders: dict[str, Recorder], package: str = "", depth: int = 0
) -> Any:
    """What a call gives: a kind, a list of them for a tuple, a table of them for an object with named parts."""

    def inner(each: Any) -> Any:
        return described(each, given, recorders, package, depth + 1)

    for name, each in given.items():
        if each is value and not isinstance(value, (int, float, str, bool, type(None))):
            return f"same {name}"
    for path, recorder in recorders.items():
        if any(value is each for each in recorder.given) and value is not None:
            return f"returns {path}"
    if value is None:
        return "none"
    if is_array(value):
        return "key" if _is_key(value) else "array"
    if isinstance(value, (bool, int, float, complex, str, bytes)):
        return "static"
    if depth < MAX_DEPTH and isinstance(value, tuple) and not hasattr(value, "_fields"):
        return list(map(inner, value))
    leaves = jax.tree.leaves(value)
    if isinstance(value, tuple) and not leaves:
        return "tree"
    if leaves and all(is_array(leaf) or isinstance(leaf, (int, float)) for leaf in leaves):
        if leaves[0] is not value and not callable(value):
            for name, each in given.items():
                if _form(value) == _form(each):
                    return f"like {name}"
            fields = _fields(value)
            if not fields and any(public_name(cls, package) for cls in type(value).__mro__):
                return _object(value, package)
            if fields and depth < MAX_DEPTH:
                return {name: inner(each) for name, each in fields.items()}
            if not fields:
                return "tree"
    if hasattr(value, "_fields") and depth < MAX_DEPTH and not any(map(inspect.isfunction, value)):
        return {name: inner(each) for name, each in value._asdict().items()}
    if isinstance(value, (list, dict)) or inspect.isclass(value):
        return "unknown"
    return _object(value, package)


def _object(value: Any, package: str) -> str:
    """An object of a class, told by the class that is farthest up."""
    public = [name for cls in type(value).__mro__ if (name := public_name(cls, package))]
    return f"object {public[-1]}" if public else "object"


def _fields(value: Any) -> dict[str, Any]:
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if dataclasses.is_dataclass(value):
        return {each.name: getattr(value, each.name, None) for each in dataclasses.fields(value)}
    return {}


@functools.cache
def _public(package: str) -> dict[int, str]:
    """The public classes of a package: each by its shortest name."""
    found: dict[int, str] = {}
    for path in library_calls.MODULES.get(package, ()):
        for name, value in sorted(vars(importlib.import_module(path)).items()):
            if not name.startswith("_") and inspect.isclass(value):
                found.setdefault(id(value), f"{path}.{name}")
    return found


def public_name(cls: Any, package: str) -> str:
    return _public(package).get(id(cls), "")


# --- a package -------------------------------------------------------------------------------


class Rows:
    """All that is measured of a package, by name."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.rows: dict[str, Row] = {}
        self.failed: list[str] = []
        self.aliases: dict[str, str] = {}

    def add(self, source: str) -> bool:
        """Measure a call, with arrays and with trees of them in their place. False: it cannot be run."""
        found = []
        names = set(re.findall(r"\w+", source))
        for values in ({}, library_calls.TREES)[: 1 + (not names.isdisjoint(library_calls.TREES))]:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found.append(measure(source, self.package, values))
            except Exception as error:
                if not values:
                    self.failed.append(f"  {source!r}: {type(error).__name__}: {str(error)[:160]}")
                    return False
        for name, row in found:
            self.rows[name] = _merged(self.rows[name], row) if name in self.rows else row
        return True

    def makers(self, source: str) -> Iterator[str]:
        """The calls that make the objects whose methods a program calls, and those that it hands over."""
        program = Program.of(source)
        before = "".join(f"{ast.unparse(each)}\n" for each in program.before)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and self.is_public(program, node):
                yield before + ast.unparse(node)

    def is_public(self, program: Program, node: ast.Call) -> bool:
        """Whether a call that stands in a program is one of a public function or class of the package."""
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            module = library_calls.VALUES.get(node.func.value.id)
            named = inspect.ismodule(module) and module.__name__.partition(".")[0] == self.package
            return named and ast.dump(node) != ast.dump(program.call)
        return False

    def finished(self) -> dict[str, Row]:
        """The rows by name; what all objects of a class do alike is said of the class."""
        rows = {name: _finished(row) for name, row in sorted(self.rows.items())}
        shared: dict[str, list[str]] = {}
        for name in rows:
            maker, _, method = name.rpartition(".")
            cls = self.class_of(maker) if maker.endswith((")", "]")) else ""
            if cls:
                shared.setdefault(f"{cls}().{method}", []).append(name)
        for of_class, names in shared.items():
            first, *others = (rows[name] for name in names)
            result = functools.reduce(_common, [each["result"] for each in others], first["result"])
            parameters = {each["parameters"] for each in (first, *others)}
            if not others or result == "unknown" or len(parameters) > 1:
                continue
            if len({tuple(each.get("draws", ())) for each in (first, *others)}) > 1:
                continue
            rows[of_class] = {name: value for name, value in {**first, "result": result}.items() if name != "calls"}
            for name in names:
                if name != of_class and "calls" in rows[name]:
                    rows[name]["result"] = result
                elif name != of_class:
                    del rows[name]
        return rows

    def is_settled(self, cls: str, method: str) -> bool:
        """Whether enough objects of a class, which is none that is called itself, have shown what the method does."""
        if not cls or cls in self.rows:
            return False
        same = [
            each
            for each in self.rows
            if each.endswith(f"().{method}") and self.class_of(each.rpartition(".")[0]) == cls
        ]
        results = {json.dumps(self.rows[each]["result"]) for each in same}
        return len(same) >= ENOUGH and len(results) == 1

    def class_of(self, made: str) -> str:
        """The class of an object by how it is made: `gymnax.make()[0]`."""
        maker, _, item = made.removesuffix("]").rpartition("[") if made.endswith("]") else (made, "", "")
        row = self.rows.get(maker.removesuffix("()"))
        result = row["result"] if row is not None else ""
        if item and isinstance(result, list):
            result = result[int(item)]
        return result.partition(" ")[2] if isinstance(result, str) and result.startswith("object ") else ""


def measure_package(package: str, report: Callable[[str], None]) -> Rows:
    """All that is measured of a package, by name."""
    rows = Rows(package)
    library_calls.environment(package, Recorder)
    sources = dict.fromkeys(library_calls.CALLS.get(package, ()))
    for source in list(sources):
        sources.update(dict.fromkeys(rows.makers(source)))
    run = sum(map(rows.add, sources))
    report(f"{package} {release_of(package)}: {run} of {len(sources)} calls run")
    for line in rows.failed:
        report(line)
    public, called, methods = _guessed(rows)
    report(f"  {called} of {public} public functions and classes called, {methods} methods")
    return rows


def _guessed(rows: Rows) -> tuple[int, int, int]:
    """Call what is public by the names of parameters; how many there are, how many are called, and how many methods."""
    public = called = 0
    methods: set[str] = set()
    seen: dict[int, str] = {}
    for path in library_calls.MODULES[rows.package]:
        for name, value in sorted(vars(importlib.import_module(path)).items()):
            if name.startswith("_") or not callable(value) or inspect.ismodule(value):
                continue
            if not str(getattr(value, "__module__", "")).startswith(path.partition(".")[0]):
                continue
            if id(value) in seen:
                rows.aliases[f"{path}.{name}"] = seen[id(value)]
                continue
            seen[id(value)] = f"{path}.{name}"
            if inspect.isclass(value) and (inspect.isabstract(value) or issubclass(value, BaseException)):
                continue
            public += 1
            dotted = f"{path}.{name}"
            sources = [] if dotted in rows.rows else _first(rows, f"{path}.{name}", value, "")
            called += bool(sources) or dotted in rows.rows
            for source in sources:
                methods.update(_methods_of(rows, dotted, source))
    return public, called, len(methods)


def _first(rows: Rows, dotted: str, function: Any, receiver: str) -> list[str]:
    """Of the calls of a function that differ in what they pass, the first of each that works."""
    found: dict[tuple[int, bool], str] = {}
    known = len(rows.failed)
    for source in library_calls.guesses(dotted, signature_or_none(function), receiver):
        call = Program.of(source).call
        kinds = len(call.args) + len(call.keywords), "schedule" in source
        if kinds not in found and rows.add(source):
            found[kinds] = source
    del rows.failed[known:]
    return list(found.values())


def _methods_of(rows: Rows, dotted: str, source: str) -> Iterator[str]:
    row = rows.rows.get(dotted)
    if row is None or not str(row["result"]).startswith("object"):
        return
    cls = rows.class_of(f"{dotted}()")
    environment = library_calls.environment(rows.package, Recorder)
    made = _value(ast.parse(source).body[-1].value, environment)  # type: ignore[attr-defined]
    for name in sorted(library_calls.METHODS.get(rows.package, dir(made))):
        with contextlib.suppress(Exception):
            method = getattr(made, name)
            if not name.startswith("_") and callable(method) and not inspect.isclass(method):
                if name in library_calls.NO_METHODS or rows.is_settled(cls, name):
                    continue
                if _first(rows, f"made.{name}", method, source):
                    yield f"{dotted}().{name}"


def signature_or_none(function: Any) -> inspect.Signature | None:
    try:
        return signature_of(function)
    except (TypeError, ValueError):
        return None


def _merged(first: Row, second: Row) -> Row:
    """Two calls of one function: each shows some of what it does; where they do not agree, nothing is known."""
    row = {**second, **first, "calls": dict(first["calls"])}
    for path, call in second["calls"].items():
        known = first["calls"].get(path)
        row["calls"][path] = call if known is None else {**known, "with": _common(known["with"], call["with"])}
    row["draws"] = {**second["draws"], **{n: d and second["draws"].get(n, d) for n, d in first["draws"].items()}}
    row["passed"] = sorted({*first["passed"], *second["passed"]})
    row["always"] = sorted({*first["always"]} & {*second["always"]})
    row["options"] = sorted({*first["options"]} & {*second["options"]})
    extra = set(second["passed"]) - set(first["passed"])
    if len(extra) == 1 and first["result"] != second["result"]:
        row["given"] = {**first.get("given", {}), extra.pop(): second["result"]}
    else:
        row["result"] = _common(first["result"], second["result"])
    return row


def _finished(row: Row) -> Row:
    """A row without what says nothing."""
    draws = sorted(name for name, draws in row["draws"].items() if draws)
    kept = {"parameters": row["parameters"], "result": row["result"], "calls": row["calls"], "draws": draws}
    kept["given"] = row.get("given")
    optional = {each.strip("*=") for each in row["parameters"].split(", ") if each.endswith("=")}
    kept["passed"] = sorted(optional & set(row["passed"]))
    kept["options"] = row["options"]
    kept["always"] = sorted(optional & set(row["always"]))
    return {**{name: value for name, value in kept.items() if value or name == "parameters"}, "call": row["call"]}


def _common(first: Any, second: Any) -> Any:
    if first == second:
        return first
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [_common(a, b) for a, b in zip(first, second)]
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        return {name: _common(first[name], second[name]) for name in first}
    if first == "unknown" or second == "unknown" or "object" in f"{first} {second}".split():
        return "unknown"
    words = {first.split()[0], second.split()[0]} if isinstance(first, str) and isinstance(second, str) else set()
    if words == {"same", "traced"}:
        return "traced tree"
    kinds = {_kind(first), _kind(second)}
    for prefix in ("traced ", "concrete ", ""):
        if kinds <= {f"{prefix}{kind}" for kind in ("array", "tree", "like")}:
            return f"{prefix}tree"
    return "unknown"


def _kind(result: Any) -> str:
    if not isinstance(result, str):
        return "tree"
    words = result.split()
    return " ".join(each for each in words[:2] if each in ("traced", "concrete", "array", "tree", "like")) or result


def release_of(package: str) -> str:
    return importlib.metadata.version(importlib.metadata.packages_distributions()[package][0])


def sections(rows: Rows) -> dict[str, Any]:
    releases = {rows.package: release_of(rows.package), "jax": jax.__version__}
    functions = rows.finished()
    aliases = {alias: name for alias, name in sorted(rows.aliases.items()) if name in functions}
    found: dict[str, Any] = json.loads(json.dumps({"releases": releases, "aliases": aliases, "functions": functions}))
    return found


def write(path: Path, found: dict[str, Any]) -> None:
    """One entry a line: tables of results keep their order, which is that of the fields."""
    parts = []
    for section, table in found.items():
        lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(table.items())]
        parts.append(f"{json.dumps(section)}: {{\n" + ",\n".join(lines) + "\n}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8", newline="\n")


def main(packages: Iterable[str], check: bool, report: Callable[[str], None] = print) -> int:
    """Measure packages, by default all, and write what is found, or compare it with what is in the data files."""
    differing = 0
    for package in packages or library_calls.MODULES:
        try:
            importlib.import_module(package)
        except ImportError as error:
            report(f"{package}: not measured: {error}")
            continue
        found = sections(measure_package(package, report))
        path = DATA / f"{package}.json"
        if not check:
            DATA.mkdir(exist_ok=True)
            write(path, found)
            continue
        known = json.loads(path.read_text(encoding="utf-8"))["functions"]
        for name in sorted({*found["functions"], *known}):
            if found["functions"].get(name) != known.get(name):
                differing += 1
                report(f"  {name}: {known.get(name)} in the file, {found['functions'].get(name)} measured")
    return 1 if differing else 0
