"""Calls of a library: each is a program, and what its last expression does with its arguments is measured."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import jax
import numpy as np

from jaxlint.knowledge.parameters import spell
from jaxlint.knowledge.probe import library_calls
from jaxlint.knowledge.probe.library_kinds import (
    Recorder,
    Seen,
    are_like,
    argument,
    common,
    described,
    is_array,
    tracedness,
)

Row = dict[str, Any]


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
        signature = signature_of(value_of(node.func, environment))
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


def value_of(node: ast.expr, environment: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(ast.fix_missing_locations(node)), "<call>", "eval"), environment)


def measure(source: str, package: str, values: dict[str, Any] | None = None) -> tuple[str, Row]:
    """The name of what the last expression calls, and what it does with its arguments."""
    with contextlib.ExitStack() as stack:
        environment = {**library_calls.environment(package, Recorder), **(values or {}), "stack": stack}
        program = Program.of(source)
        exec(compile(ast.Module(program.before, []), "<call>", "exec"), environment)
        return program.name, _row(program, environment, package)


def _row(program: Program, environment: dict[str, Any], package: str) -> Row:
    function = value_of(program.call.func, environment)
    signature = signature_of(function)
    row: Row = {"parameters": spell(signature), "call": program.source}
    arguments = [(name, value_of(node, environment)) for name, node in program.bound(program.call, environment)]
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
    parameters = signature_of(value_of(maker.func, environment)).parameters
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
        rows[paths[name]] = {"stage": stage, "times": times, "with": functools.reduce(common, specs)}
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
        star = next((s for s in stars if given[s] and are_like(rest[: len(given[s])], given[s])), None)
        if star is not None:
            kind = described(rest[0], {star: given[star][0]}, {})
            specs.append(f"*{kind.split(' ')[0] if kind.startswith('same') else tracedness(rest[0])} {star}")
            rest = rest[len(given[star]) :]
        else:
            specs.append(argument(rest.pop(0), given))
    named = {name: argument(value, given) for name, value in seen.kwargs.items()}
    return {"args": specs, "kwargs": named} if named else specs


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
            program: Any = getattr(each, "jaxpr", each)
            if hasattr(program, "eqns"):
                yield program, len(equation.invars) - len(program.invars), len(equation.invars)
