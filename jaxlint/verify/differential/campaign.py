"""Many programs, and what came of each: run in processes, counted by construct.

Program number ``i`` of a seed is the same in every run, so what JAX said of it can be kept: a campaign that was cut off, and
one after a change to the linter, asks JAX only for the rest.
"""

from __future__ import annotations

import concurrent.futures
import functools
import multiprocessing
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jaxlint.verify.differential.grammar import OPERATION, Program
from jaxlint.verify.differential.programs import form_program, numbered_program
from jaxlint.verify.differential.verdicts import Verdicts

CHUNK = 25


@dataclass
class Record:
    """What came of one program. ``smallest`` is the text of the smallest one that disagrees alike."""

    number: int
    constructs: list[str]
    operations: list[str]
    fails: bool
    judged: bool = True
    missed: dict[str, str] = field(default_factory=dict)
    false: dict[str, str] = field(default_factory=dict)
    smallest: str = ""
    items: str = ""

    @property
    def agrees(self) -> bool:
        return not self.missed and not self.false


def of_operations(seed: int, number: int, verdicts: Verdicts) -> Record:
    return _of(numbered_program(seed, number), number, verdicts)


def of_language(seed: int, number: int, verdicts: Verdicts) -> Record:
    return _of(form_program(seed, number), number, verdicts)


def _of(program: Program, number: int, verdicts: Verdicts) -> Record:
    from jaxlint.verify.differential.compare import compare, shrunk

    found = compare(program, verdicts)
    record = Record(
        number,
        [item.kind for item in program if item.kind != OPERATION] or ["direct"],
        [str(item.choice) for item in program if item.kind == OPERATION],
        bool(found.failures.operations),
        found.judged,
    )
    if not found.agrees:
        found = shrunk(found, verdicts)
        record.missed, record.false, record.judged = found.missed, found.false, found.judged
        record.smallest, record.items = _text(found.text.files), " ".join(map(str, found.program))
    return record


def _text(files: dict[str, str]) -> str:
    return "\n".join(f"# file: {file}\n{content}" for file, content in files.items())


def of_keys(seed: int, number: int, verdicts: Verdicts) -> Record:
    from jaxlint.verify.differential.keys import compare, random_keys, shrunk

    found = compare(random_keys(random.Random(f"keys/{seed}/{number}")), verdicts)
    record = Record(number, sorted(set(found.constructs)), [], bool(found.reused))
    if not found.agrees:
        found = shrunk(found, verdicts)
        record.missed, record.false, record.smallest = found.missed, found.false, found.text
    return record


GRAMMARS = {"operations": of_operations, "language": of_language, "keys": of_keys}


@functools.cache
def _verdicts(kept: Path | None) -> Verdicts:
    return Verdicts(kept)


def _chunk(grammar: str, seed: int, numbers: list[int], kept: Path | None) -> list[Record]:
    return [GRAMMARS[grammar](seed, number, _verdicts(kept)) for number in numbers]


def campaign(grammar: str, seed: int, programs: int, jobs: int, kept: Path | None = None) -> Iterator[Record]:
    """The records of programs ``0 … programs``; what JAX says of them is read from and added to the file ``kept``."""
    chunks = [list(range(start, min(start + CHUNK, programs))) for start in range(0, programs, CHUNK)]
    if jobs == 1:
        for chunk in chunks:
            yield from _chunk(grammar, seed, chunk, kept)
        return
    context = multiprocessing.get_context("spawn")  # JAX has threads, which a fork does not take along
    with concurrent.futures.ProcessPoolExecutor(jobs, context) as pool:
        futures = [pool.submit(_chunk, grammar, seed, chunk, kept) for chunk in chunks]
        for future in concurrent.futures.as_completed(futures):
            yield from future.result()


@dataclass
class Figures:
    programs: int = 0
    failing: int = 0
    unjudged: int = 0
    missed: int = 0
    false: int = 0
    by_construct: dict[str, Counter[str]] = field(default_factory=dict)
    by_operation: dict[str, Counter[str]] = field(default_factory=dict)
    disagreeing: list[Record] = field(default_factory=list)


def figures(records: Iterable[Record]) -> Figures:
    total = Figures()
    for record in sorted(records, key=lambda record: record.number):
        counts = Counter(
            programs=1, failing=int(record.fails), missed=int(bool(record.missed)), false=int(bool(record.false))
        )
        total.programs += 1
        total.failing += record.fails
        total.unjudged += not record.judged
        total.missed += bool(record.missed)
        total.false += bool(record.false)
        for names, table in ((record.constructs, total.by_construct), (record.operations, total.by_operation)):
            for name in dict.fromkeys(names):
                table.setdefault(name, Counter()).update(counts)
        if not record.agrees:
            total.disagreeing.append(record)
    return total
