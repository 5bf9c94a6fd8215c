"""Programs around random keys: what they are made of, and what JAX says of them.

A program is a list of statements, each of which takes a key that an earlier one has made. What a split gives is drawn from:
a split of which nothing is used repeats no number. Which calls consume the same
bits is read off the keys themselves: loops, scans and maps run step by step for it. JAX's own checker runs too, and
must find nothing that the bits do not show.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.verify.differential.grammar import ROOT, Text
from jaxlint.verify.differential.linter import findings
from jaxlint.verify.differential.oracle import FOLDER, running
from jaxlint.verify.differential.verdicts import Verdicts

NOTHING_KEPT = Verdicts()

REUSES = frozenset({"key-reuse", "key-reuse-in-loop", "key-shared-across-batch", "key-used-after-split"})
SAMPLERS = ("normal", "uniform", "bernoulli", "exponential", "gumbel")

HEAD = """\
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import lax


@dataclass
class Holder:
    key: jax.Array


class Source:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key, (3,))

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


def noise(key):
    return jax.random.normal(key, (3,))


def second(key):
    first, other = jax.random.split(key)
    return other


def same(key):
    return key


"""


class Statement(NamedTuple):
    construct: str
    lines: tuple[str, ...]


Statements = tuple[Statement, ...]


def _drawn(rng: random.Random, key: str) -> str:
    return rng.choice([
        *(f"jax.random.{sampler}({key}, shape=(3,))" for sampler in SAMPLERS), f"jax.random.normal(key={key})",
        f"noise({key})", f"noise(key={key})",
    ])  # fmt: skip


# Each gets a key and gives lines, in which ``{draw}`` draws from ``{k}``, and the expressions that are keys afterwards.
# ``{a}``, ``{b}`` are new names.
FORMS: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "draw": [("out.append({draw})", ("{k}",))] * 3,
    "split": [
        ("{a}, {b} = jax.random.split({k});out.append(noise({a}))", ("{b}",)),
        ("{a} = jax.random.split({k}, 3);out.append(noise({a}[2]))", ("{a}[0]", "{a}[1]")),
        ("{a}, *{b} = jax.random.split({k}, 3);out.append(noise({b}[0]))", ("{a}", "{b}[1]")),
        ("out.append(noise(jax.random.split({k})[0]))", ()),
    ],
    "rebinding": [("key, {a} = jax.random.split(key);out.append(noise({a}))", ("key",))],
    "fold_in": [("{a} = jax.random.fold_in({k}, {number})", ("{a}", "{k}"))],
    "alias": [("{a} = {k}", ("{a}", "{k}")), ("{a} = same({k})", ("{a}", "{k}"))],
    "container": [
        ('{a} = {{"key": {k}}}', ('{a}["key"]', "{k}")),
        ("{a} = ({k}, 1)", ("{a}[0]", "{k}")),
        ("{a} = [{k}]", ("{a}[0]", "{k}")),
        ("{a} = Holder({k})", ("{a}.key", "{k}")),
    ],
    "helper": [("out.append(noise(second({k})))", ()), ("{a} = (lambda given: jax.random.split(given)[0])({k});out.append(noise({a}))", ())],
    "method": [
        ("out.append(Source({k}).draw())", ("{k}",)),
        ("{a} = Source({k});out.append({a}.draw())", ("{a}.key",)),
        ("{a} = Source({k});{b} = {a}.next();out.append(noise({b}));out.append({a}.draw())", ()),
    ],
    "closure": [("def {a}():;    return {draw};;out.append({a}())", ("{k}",))],
    "branch": [
        ("if len(out) >= 0:;    out.append({draw});else:;    out.append(1.0)", ("{k}",)),
        ("if len(out) >= 0:;    {a}, {b} = jax.random.split({k});    out.append(noise({a}))", ()),
    ],
    "loop": [
        ("for _ in range(2):;    out.append({draw})", ("{k}",)),
        ("for number in range(2):;    out.append(noise(jax.random.fold_in({k}, 50 + number)))", ()),
        ("for {a} in jax.random.split({k}, 2):;    out.append(noise({a}))", ()),
        ("for _ in range(2):;    key, {a} = jax.random.split(key);    out.append(noise({a}))", ("key",)),
        ("{a} = {k};for _ in range(2):;    {a}, {b} = jax.random.split({a});    out.append(noise({b}))", ("{a}",)),
    ],
    "comprehension": [
        ("out += [noise({k}) for _ in range(2)]", ()),
        ("out += [noise(each) for each in jax.random.split({k}, 2)]", ()),
    ],
    "jit": [("out.append(jax.jit(noise)({k}))", ("{k}",)), ("out.append(noise(jax.jit(second)({k})))", ())],
    "vmap": [
        ("out.append(jax.vmap(noise)(jax.random.split({k}, 2)))", ()),
        ("out.append(jax.vmap(lambda given: given + {draw})(jnp.arange(2.0)))", ()),
    ],
    "scan": [
        ("out.append(lax.scan(lambda state, given: (state, given + {draw}), 0.0, jnp.arange(2.0)))", ()),
        ("out.append(lax.scan(lambda state, given: (state, noise(given)), 0.0, jax.random.split({k}, 2)))", ()),
    ],
}  # fmt: skip


def random_keys(rng: random.Random) -> Statements:
    statements = _random_statements(rng)
    while _compares(statements):
        statements = _random_statements(rng)
    return statements


def _compares(statements: Statements) -> bool:
    """Whether a function gets one key with and without `jit`: then the numbers are meant to be the same."""
    text = "\n".join(line for statement in statements for line in statement.lines)
    return any(
        re.search(rf"(?<!\w){called}\((key=)?{re.escape(key)}\)", text)
        for called, key in re.findall(r"jax\.jit\((\w+)\)\(([^()]*)\)", text)
    )


def _random_statements(rng: random.Random) -> Statements:
    keys, statements = ["key"], []
    for number in range(rng.choice([1, 2, 3, 3, 4, 5, 6])):
        construct = rng.choice(sorted(FORMS))
        form, made = rng.choice(FORMS[construct])
        key = rng.choice(keys)
        names = {"k": key, "a": f"a{number}", "b": f"b{number}", "number": 100 + number, "draw": _drawn(rng, key)}
        statements.append(Statement(construct, tuple(form.format(**names).split(";"))))
        used = [each.format(**names) for each in made]
        if rng.random() < 0.5 and key in keys and key != "key":
            keys.remove(key)  # most programs use a key once
        keys += [each for each in used if each not in keys and (each != key or rng.random() < 0.3)]
    return tuple(statements)


def write(statements: Statements) -> Text:
    lines = ["def main(key):", "    out = []"]
    lines += [f"    {line}" if line else "" for statement in statements for line in statement.lines]
    lines += ["    return out", "", "", "main(jax.random.key(0))"]
    return Text({ROOT: HEAD + "\n".join(lines) + "\n"}, {})


# --- what JAX does ------------------------------------------------------------------------------------------------


@dataclass
class Consumption:
    bits: bytes
    rows: tuple[int, ...]  # of the program, outermost first


def consumptions(text: Text) -> tuple[list[Consumption], dict[bytes, bytes]]:
    """Each call that consumes a key, in their order, with everything done step by step; and what each key was split from."""
    found: list[Consumption] = []
    parents: dict[bytes, bytes] = {}

    def bits(key: Any) -> bytes:
        return np.asarray(jax.random.key_data(key)).tobytes()

    def recording(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            key = given[0] if given else named["key"]
            found.append(Consumption(bits(key), _rows()))
            result = original(*given, **named)
            if jnp.issubdtype(result.dtype, jax.dtypes.prng_key):
                parents.update({bits(child): bits(key) for child in result})
            return result

        return call

    with contextlib.ExitStack() as stack:
        stack.enter_context(jax.disable_jit())
        for name in (*SAMPLERS, "split"):
            stack.enter_context(_replaced(jax.random, name, recording(getattr(jax.random, name))))
        stack.enter_context(_replaced(jax, "vmap", _stepwise))
        _run(text)
    return found, parents


def _stepwise(called: Callable[..., Any]) -> Callable[..., Any]:
    return lambda given: jnp.stack([called(given[index]) for index in range(given.shape[0])])


@contextlib.contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def _rows() -> tuple[int, ...]:
    rows = []
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename == FOLDER + ROOT and frame.f_code.co_name != "<module>":
            rows.append(frame.f_lineno)
        frame = frame.f_back
    return tuple(reversed(rows))


def _run(text: Text) -> None:
    with running(text), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        exec(compile(text.root, FOLDER + ROOT, "exec", dont_inherit=True), vars(sys.modules["program"]))


def checked(text: Text) -> bool:
    """Whether JAX's own checker finds a key that is consumed twice."""
    try:
        with jax.debug_key_reuse(True):
            _run(text)
    except jax.errors.KeyReuseError as error:
        # It also takes reading an element of an array of keys again for its use, whatever is drawn from it.
        return "passed to slice" not in str(error)
    return False


# --- the comparison -----------------------------------------------------------------------------------------------


@dataclass
class Reuse:
    """A key whose bits are consumed again: the rows of each later call, outermost first."""

    rows: list[tuple[int, ...]]
    follows: bool  # from the reuse of the key that it was split from


@dataclass
class KeysCompared:
    statements: Statements
    text: str
    reused: list[Reuse]
    missed: dict[str, str] = field(default_factory=dict)
    false: dict[str, str] = field(default_factory=dict)

    @property
    def constructs(self) -> list[str]:
        return [statement.construct for statement in self.statements]

    @property
    def agrees(self) -> bool:
        return not self.missed and not self.false


class OracleError(Exception):
    """JAX's checker finds what the bits of the keys do not show."""


def reuses(text: Text) -> list[Reuse]:
    rows: dict[bytes, list[tuple[int, ...]]] = {}
    seen: Counter[bytes] = Counter()
    consumed, parents = consumptions(text)
    for each in consumed:
        if seen[each.bits]:
            rows.setdefault(each.bits, []).append(each.rows)
        seen[each.bits] += 1
    if not rows and checked(text):
        raise OracleError(f"JAX reports a key that is used once:\n{text.root}")
    return [Reuse(found, parents.get(key) in rows) for key, found in rows.items()]


def compare(statements: Statements, verdicts: Verdicts = NOTHING_KEPT) -> KeysCompared:
    """A key whose bits are consumed again must be reported at one of the later calls, or on the way there."""
    text = write(statements)
    verdict = verdicts.of(
        "which keys are consumed again?", text, lambda: {"reused": [asdict(each) for each in reuses(text)]}
    )
    reused = [Reuse(**each) for each in verdict["reused"]]
    said = {
        place.row: diagnostic.code
        for place, found in findings(text).items()
        for diagnostic in found
        if diagnostic.name in REUSES
    }
    result = KeysCompared(statements, text.root, reused)
    for each in reused:
        if not each.follows and not any(row in said for stack in each.rows for row in stack):
            result.missed[f"{ROOT}:{each.rows[0][-1]}"] = "key is used again"
    right = {row for each in reused for stack in each.rows for row in stack}
    result.false = {f"{ROOT}:{row}": code for row, code in said.items() if row not in right}
    return result


def shrunk(found: KeysCompared, verdicts: Verdicts = NOTHING_KEPT) -> KeysCompared:
    """Takes statements away while the rest runs and disagrees as before."""
    kind = (bool(found.missed), bool(found.false))
    smaller = True
    while smaller:
        smaller = False
        for index in range(len(found.statements)):
            try:
                other = compare(found.statements[:index] + found.statements[index + 1 :], verdicts)
            except (NameError, OracleError):
                continue  # a later statement needs it
            if (bool(other.missed), bool(other.false)) == kind:
                found, smaller = other, True
                break
    return found
