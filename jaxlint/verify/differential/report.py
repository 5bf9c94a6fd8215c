"""The figures of a campaign as text, and as the page of the documentation."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from jaxlint.verify.differential.campaign import Figures

DOCUMENT = Path(__file__).parents[3] / "docs" / "differential.md"

INTRODUCTION = """\
# Generated programs

`python -m jaxlint.verify.differential` makes small programs at random, runs each under real JAX and lints it. What JAX raises
is to be reported at the line that raises, and nothing is to be reported where it does not raise. *Missed* counts programs
with a failure that is not reported, *false* those with a finding in a line that runs. After a failure the line is taken out
and the program run again, so that every operation of it is judged.

Compiling is most of the time such a program takes, and what fails in it fails while it is traced: so its functions are
traced and not compiled, and where JAX and the linter then disagree, JAX compiles and runs all of it and decides.

The grammar is declared in `jaxlint/verify/differential`: an operation of the [matrix](matrix.md) stands in a transform, which it
reaches directly or through a helper, a closure, a method, a container or another file; up to two more transforms and three other
constructs stand around them, nested in any order. 24,648 programs hold every operation in every transform by every route. Calls are of functions at the top level, of local ones that
close over their operands, of methods and of functions in other files; arguments are passed in every way; operands go through
containers, dataclasses and attributes, and become other values on their way. Programs of the language put every operation
into every form of Python that leads to one: early returns, `match`, handlers, loops that are left, generators,
comprehensions, defaults, variadic parameters, partials, decorators with arguments, `nonlocal`, inheritance, properties,
classes that are pytrees, lists and dicts that grow; and into functions with derivatives of their own. Programs around random keys draw, split, alias
and pass keys; there a line is to be reported when it consumes the bits of a key that were consumed before. None calls a function
with and without `jit` on one key: who compares the two means to use the same numbers, and nothing is reported.

The same seed gives the same programs. `--programs 25000 --seed 1 --kept FOLDER` is the long run. What JAX says of a program is
kept by its text: the same command goes on where it was cut off, and after a change to the model only the linter runs again.
JAX's checker of keys must find nothing that the bits of the keys do not show, but for one thing: it also takes reading an
element of an array of keys again for its use. The tests run 500 programs of a fixed seed.
"""


def table(grammar: str, found: Figures) -> str:
    """What is printed."""
    lines = [summary(grammar, found)]
    lines += [f"  {'construct':24}{'programs':>9}{'fail':>7}{'missed':>8}{'false':>7}"]
    for name, counts in sorted(found.by_construct.items()):
        lines.append(f"  {name:24}" + "".join(f"{n:>{w}}" for n, w in zip(_numbers(counts), (9, 7, 8, 7))))
    for record in found.disagreeing:
        said = [f"missed {place}: {error}" for place, error in record.missed.items()]
        said += [f"false {place}: {code}" for place, code in record.false.items()]
        lines += ["", f"{grammar} {record.number}: {record.items}: {'; '.join(said)}", record.smallest]
    return "\n".join(lines)


def summary(grammar: str, found: Figures) -> str:
    return (
        f"{grammar}: {found.programs} programs, {found.failing} with a failure; missed {found.missed}, false {found.false}"
        + (f"; in {found.unjudged} a construct itself fails" if found.unjudged else "")
    )


def _numbers(counts: Counter[str]) -> tuple[int, int, int, int]:
    return counts["programs"], counts["failing"], counts["missed"], counts["false"]


def document(found: dict[str, Figures], seed: int) -> str:
    import jax

    lines = [INTRODUCTION, f"Measured with jax {jax.__version__} on {jax.default_backend()}, seed {seed}.", ""]
    for grammar, each in found.items():
        lines += [
            "## Programs of the language" if grammar == "language" else f"## Programs around {grammar}",
            "",
            summary(grammar, each) + ".",
            "",
        ]
        if grammar == "operations":
            lines += [f"They hold {len(each.by_operation)} operations.", ""]
        lines += ["| construct | programs | fail | missed | false |", "|---|---|---|---|---|"]
        for name, counts in sorted(each.by_construct.items()):
            lines.append(f"| {name.replace('_', ' ')} | " + " | ".join(map(str, _numbers(counts))) + " |")
        lines.append("")
        if each.disagreeing:
            lines += ["### Where they disagree", ""]
            kinds = Counter(
                f"`{record.items}`: " + "; ".join(
                    [f"missed `{place}`" for place in record.missed] + [f"false `{place}`" for place in record.false]
                )
                for record in each.disagreeing
            )  # fmt: skip
            lines += [
                f"- {text}" + (f" ({count} programs)" if count > 1 else "") for text, count in sorted(kinds.items())
            ]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"
