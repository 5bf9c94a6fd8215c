"""Fixture files: the comments that say what to run, what it proves and what is reported.

``docs/fixtures.md`` is the grammar for people; this module is its one implementation. A file is
read into cases. A case starts at a block of comments in the first column that holds ``# run:``,
``# proves:`` or ``# fact:`` and reaches to the next such block; what stands above the first case is
shared by all of them.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

LEVELS = ("safe", "unsafe", "display", "none")
PROOFS = ("raises", "differs", "retraces", "prints", "leaks", "reuses", "warns", "measured", "style")

_HEADERS = ("run", "proves", "before", "reference", "runs", "also", "fact", "fixed")
TRANSFORMS = ("jit", "vmap", "grad")
_HEADER = re.compile(r"#\s?(" + "|".join(_HEADERS) + r"):\s*(.*)")
_CONTINUED = re.compile(r"#\s{3,}(\S.*)")
_INLINE = re.compile(r"#\s?(?:expect|revealed):.*|#\s?raises here\s*$")
_EXPECT = re.compile(r"#\s?expect:(.*)")
_EXPECTED = re.compile(r"(JAX\d{3})\s+@(?:([+-]\d+):)?(\d+)\s+(\w+)")
_REVEALED = re.compile(r"#\s?revealed:(.*)")
_CONDITION = re.compile(r"(?:\s+on\s+(cpu|gpu|tpu))?((?:\s+[A-Za-z_][\w-]*(?:>=|<=|==|<|>)[\w.]+)*)\s*$")
_REQUIREMENT = re.compile(r"([A-Za-z_][\w-]*)(>=|<=|==|<|>)([\w.]+)")
_BEFORE = re.compile(r"jax==(\d+(?:\.\d+)+)")


class FixtureError(Exception):
    """A fixture that cannot be read; says where and what is expected there."""

    def __init__(self, path: Path, row: int, message: str) -> None:
        super().__init__(f"{path}:{row}: {message}")


@dataclass(frozen=True, order=True)
class Expectation:
    """One ``JAX103 @8 unsafe`` of an ``# expect:`` comment, with the row it means."""

    row: int
    column: int
    code: str
    level: str

    def __str__(self) -> str:
        return f"line {self.row}: {self.code} @{self.column} {self.level}"


@dataclass(frozen=True)
class Condition:
    """Where a proof can be shown: ``on gpu jax>=0.11``. Empty: everywhere."""

    platform: str | None = None
    requirements: tuple[tuple[str, str, str], ...] = ()

    def __str__(self) -> str:
        parts = [f"on {self.platform}"] if self.platform else []
        return " ".join(parts + ["".join(requirement) for requirement in self.requirements])


@dataclass(frozen=True)
class Proof:
    """One ``# proves:`` comment."""

    kind: str
    row: int
    names: tuple[str, ...] = ()  # error or warning classes, any of which will do
    count: int = 0  # for `retraces`
    text: str = ""  # reason of `measured`, source of `style`
    later: bool = False
    at: str | None = None  # "run" or a row
    condition: Condition = Condition()


@dataclass(frozen=True)
class Claim:
    """One alternative of a ``# revealed:`` comment: ``traced staged; parameter of `step` ``."""

    value: str
    cls: str | None
    why: str | None


@dataclass
class Case:
    """A hazard or a near miss: rows ``start`` to ``end`` (exclusive), 1-based."""

    start: int
    body: int  # first row after the comments it starts with
    end: int = 0
    run: str | None = None
    run_row: int = 0
    proofs: list[Proof] = field(default_factory=list)
    reference: str | None = None
    reference_row: int = 0
    before: str | None = None  # the older release of JAX in which this code runs
    runs: list[tuple[str, int]] = field(default_factory=list)
    also: tuple[str, ...] = ()  # transforms under which the fixed code gives the values of the original, too
    fact: str | None = None
    by_hand: bool = False
    occurrence: int = 0  # counts earlier cases of the file with the same `run`

    @property
    def key(self) -> tuple[str | None, int]:
        """What a case of ``bad.py`` and its counterpart in ``fixed.py`` share."""
        return (" ".join(self.run.split()) if self.run is not None else None, self.occurrence)


@dataclass
class FixtureFile:
    """A fixture file that was read."""

    path: Path
    text: str
    cases: list[Case]
    expectations: list[Expectation]
    raises_here: set[int]
    facts: list[tuple[int, str]]
    revealed: dict[int, tuple[Claim, ...]]
    comments: list[tuple[int, int, str]]  # row, column (from 0), text

    @classmethod
    def read(cls, path: Path) -> FixtureFile:
        return cls.parse(path.read_bytes().decode("utf-8"), path)

    @classmethod
    def parse(cls, text: str, path: Path) -> FixtureFile:
        comments = list(_comments(text, path))
        fixture = cls(path, text, [], [], set(), [], {}, comments)
        fixture._read_cases()
        for row, _, comment in comments:
            for expectation in _expectations(row, comment, path):
                fixture.expectations.append(expectation)
            if re.search(r"#\s?raises here\s*$", comment):
                fixture.raises_here.add(row)
            found = _REVEALED.search(comment)
            if found:
                fixture.revealed[row] = tuple(_revealed(part, row, path) for part in found.group(1).split("|"))
            header = _HEADER.match(comment)
            if header and header.group(1) == "fact":
                fixture.facts.append((row, " ".join(header.group(2).split())))
        fixture.expectations.sort()
        return fixture

    @property
    def linted(self) -> str:
        """The text as it is linted: no comment of the harness, every other character where it was."""
        return self._without(lambda comment: bool(_HEADER.match(comment) or _CONTINUED.match(comment)))

    @property
    def unfixed(self) -> str:
        """The text that is fixed into the golden file: what to run stays, what is expected goes."""
        return self._without(lambda comment: False)

    def program(self, case: Case) -> str:
        """The file reduced to one case: the shared part and the case, on their own rows."""
        lines = lines_of(self.text)
        shared = self.cases[0].start if self.cases else len(lines) + 1
        return "".join(
            line if row < shared or case.start <= row < case.end else "\n" for row, line in enumerate(lines, start=1)
        )

    def expected_in(self, case: Case, code: str | None = None) -> list[Expectation]:
        return [
            expectation
            for expectation in self.expectations
            if case.start <= expectation.row < case.end and (code is None or expectation.code == code)
        ]

    def _without(self, header: Callable[[str], bool]) -> str:
        lines = lines_of(self.text)
        in_header = self._header_rows()
        for row, column, comment in self.comments:
            line = lines[row - 1]
            ending = line[len(line.rstrip("\r\n")) :]
            if row in in_header and header(comment):
                lines[row - 1] = ending
                continue
            found = _INLINE.search(comment)
            if found:
                lines[row - 1] = line[: column + found.start()].rstrip() + ending
        return "".join(lines)

    def _header_rows(self) -> set[int]:
        return {row for group in self._groups() for row, _ in group}

    def _groups(self) -> Iterable[list[tuple[int, str]]]:
        """Runs of comments in the first column that hold at least one header, as (row, comment)."""
        group: list[tuple[int, str]] = []
        for row, column, comment in self.comments + [(0, 0, "")]:
            alone = bool(row) and column == 0
            if group and not (alone and row == group[-1][0] + 1):
                if any(_HEADER.match(text) for _, text in group):
                    yield group
                group = []
            if alone:
                group.append((row, comment))

    def _read_cases(self) -> None:
        seen: Counter[str | None] = Counter()
        for group in self._groups():
            case = _case(group, self.path)
            if case is None:
                continue
            if self.cases:
                self.cases[-1].end = case.start
            case.occurrence = seen[case.key[0]]
            seen[case.key[0]] += 1
            self.cases.append(case)
        if self.cases:
            self.cases[-1].end = len(lines_of(self.text)) + 1


def lines_of(text: str) -> list[str]:
    """Lines with their ends, counted as the tokenizer counts them (`str.splitlines` also splits at `\\f`)."""
    return io.StringIO(text, newline="\n").readlines()


def _comments(text: str, path: Path) -> Iterable[tuple[int, int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.start[1], token.string
    except (tokenize.TokenError, SyntaxError) as error:
        raise FixtureError(path, 1, f"is not Python: {error}") from error


def _case(group: list[tuple[int, str]], path: Path) -> Case | None:
    """The case a block of comments describes; None for a block that starts no case."""
    headers: list[tuple[str, str, int]] = []
    for row, comment in group:
        found = _HEADER.match(comment)
        continued = _CONTINUED.match(comment)
        if found:
            headers.append((found.group(1), found.group(2).strip(), row))
        elif continued and headers:
            name, value, first = headers[-1]
            headers[-1] = name, f"{value} {continued.group(1)}".strip(), first
    if not any(name in ("run", "proves", "fact") for name, _, _ in headers):
        return None
    case = Case(start=group[0][0], body=group[-1][0] + 1)
    for name, value, row in headers:
        if name == "run":
            if case.run is not None:
                raise FixtureError(path, row, "a case has one `# run:`; leave a blank line before the next case")
            case.run, case.run_row = value, row
        elif name == "proves":
            case.proofs.append(parse_proof(value, row, path))
        elif name == "reference":
            case.reference, case.reference_row = value, row
        elif name == "before":
            release = _BEFORE.fullmatch(value)
            if release is None:
                raise FixtureError(path, row, f"`# before: {value}`: expected one exact release, such as `jax==0.4.30`")
            case.before = release.group(1)
        elif name == "runs":
            case.runs.append((value, row))
        elif name == "also":
            case.also = _transforms(value, row, path)
        elif name == "fact":
            case.fact = value
        elif value != "by hand":
            raise FixtureError(path, row, f"`# fixed: {value}` is not known; the only form is `# fixed: by hand`")
        else:
            case.by_hand = True
    if case.also and not _is_call(case.run):
        raise FixtureError(path, case.start, "`# also:` needs a `# run:` whose last part is one call, such as `f(x)`")
    return case


def _transforms(text: str, row: int, path: Path) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not set(names) <= set(TRANSFORMS):
        raise FixtureError(
            path, row, f"`# also: {text}`: expected some of {', '.join(TRANSFORMS)}, separated by commas"
        )
    return names


def _is_call(run: str | None) -> bool:
    try:
        body = ast.parse(run or "").body
    except SyntaxError:
        return False
    return bool(body) and isinstance(body[-1], ast.Expr) and isinstance(body[-1].value, ast.Call)


def parse_proof(text: str, row: int, path: Path) -> Proof:
    """Read the text after ``# proves:``."""
    kind, space, rest = text.partition(" ")
    rest = space + rest
    if kind not in PROOFS:
        raise FixtureError(path, row, f"`# proves: {text}`: expected one of {', '.join(PROOFS)}")
    found = _CONDITION.search(rest)
    condition = Condition()
    if found and found.group(0).strip():
        condition = Condition(found.group(1), tuple(_REQUIREMENT.findall(found.group(2))))
        rest = rest[: found.start()]
    rest = rest.strip()
    if kind in ("raises", "warns"):
        match = re.fullmatch(r"([\w.|]+)(\s+later)?(?:\s+at\s+(\d+|run))?", rest)
        if match is None:
            raise FixtureError(path, row, f"`{text}`: expected `{kind} NAME [later] [at LINE|at run]`")
        names = tuple(name.rpartition(".")[2] for name in match.group(1).split("|"))
        return Proof(kind, row, names, later=bool(match.group(2)), at=match.group(3), condition=condition)
    if kind == "retraces":
        if not rest.isdigit():
            raise FixtureError(path, row, f"`{text}`: expected `retraces N`")
        return Proof(kind, row, count=int(rest), condition=condition)
    if kind == "prints" and rest != "TRACER":
        raise FixtureError(path, row, f"`{text}`: expected `prints TRACER`")
    if kind in ("measured", "style") and not rest:
        raise FixtureError(path, row, f"`{text}`: say what is measured, or the source of the style")
    if kind in ("differs", "leaks", "reuses") and rest:
        raise FixtureError(path, row, f"`{text}`: `{kind}` takes no argument, found `{rest}`")
    return Proof(kind, row, text=rest, condition=condition)


def _expectations(row: int, comment: str, path: Path) -> Iterable[Expectation]:
    found = _EXPECT.search(comment)
    if not found:
        return
    for part in found.group(1).split(","):
        match = _EXPECTED.fullmatch(part.strip())
        if match is None or match.group(4) not in LEVELS:
            raise FixtureError(
                path, row, f"`{part.strip()}`: expected `JAXnnn @COLUMN LEVEL`, LEVEL one of {', '.join(LEVELS)}"
            )
        yield Expectation(row + int(match.group(2) or 0), int(match.group(3)), match.group(1), match.group(4))


VALUES = ("const", "static", "concrete", "host", "traced", "undecided", "ref", "unknown")
CLASSES = ("staged", "batched", "differentiated")


def _revealed(text: str, row: int, path: Path) -> Claim:
    head, _, why = text.partition(";")
    words = head.split()
    if not words or len(words) > 2 or words[0] not in VALUES or (len(words) == 2 and words[1] not in CLASSES):
        raise FixtureError(
            path,
            row,
            f"`{text.strip()}`: expected `VALUE [CLASS][; WHY]`, VALUE one of {', '.join(VALUES)},"
            f" CLASS one of {', '.join(CLASSES)}",
        )
    return Claim(words[0], words[1] if len(words) == 2 else None, why.strip() or None)
