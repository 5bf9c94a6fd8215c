"""Files to lint: programs of Python's grammar, real files that were changed at random, and bytes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path

_WORD = re.compile(r"\w+|[^\w\s]")
_NAME = re.compile(r"\b[a-z_]\w*\b")
_CALL = re.compile(r"[\w.]+\([^()]*\)|\w+")
_HEADS = (
    "if flag:", "try:", "with ctx():", "for _ in range(2):", "while True:", "def inner():", "class C:", "async def later():",
    "match subject:\n{0}    case 1:",
)  # fmt: skip


def grammatical(number: int) -> bytes | None:
    """A program of Python's grammar, whatever it means; None where the generator has none for the number."""
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesmith import from_grammar

    found: list[str] = []

    @seed(number)
    @settings(
        max_examples=5, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(from_grammar())
    def draw(text: str) -> None:
        found.append(text)

    draw()
    texts = [text for text in found if text.strip()]
    # What has no word of JAX in it is skipped before it is parsed.
    return f"import jax\n{max(texts, key=len)}".encode("utf-8", "surrogatepass") if texts else None


def random_bytes(rng: random.Random, text: str) -> bytes:
    """Bytes that are no program, or a program with bytes changed."""
    if rng.random() < 0.3:
        return rng.choice(
            [b"", b"import jax\n", b"\xef\xbb\xbfimport jax\n", b"# coding: utf-16\nimport jax\n"]
        ) + rng.randbytes(rng.randrange(400))
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(raw) + 1)
        raw[place : place + rng.randrange(3)] = rng.choice(
            [b"\0", b"\f", b"\r", b"\r\n", b"\t", b"\\\n", b"\xff", b"\xe2\x80\xa8", rng.randbytes(2)]
        )
    return bytes(raw)


def mutated(rng: random.Random, text: str) -> bytes:
    """A part of a real file with up to five changes."""
    parts = text.split("\n\n\n")
    if len(parts) > 3:
        text = "\n\n\n".join([parts[0], *rng.sample(parts[1:], min(rng.randint(1, 4), len(parts) - 1))]) + "\n"
    for _ in range(rng.randint(1, 5)):
        if text.strip():
            text = rng.choice(_CHANGES)(rng, text)
    return text.encode("utf-8", "surrogatepass")


def _of_lines(change: Callable[[random.Random, list[str], int], object]) -> Callable[[random.Random, str], str]:
    def changed(rng: random.Random, text: str) -> str:
        lines = text.splitlines(True)
        change(rng, lines, rng.randrange(len(lines)))
        return "".join(lines)

    return changed


def _swap(rng: random.Random, lines: list[str], i: int) -> None:
    j = rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def _join(rng: random.Random, lines: list[str], i: int) -> None:
    if i + 1 < len(lines):
        lines[i] = lines[i].rstrip("\n") + "; " + lines.pop(i + 1).lstrip()


def _break(rng: random.Random, lines: list[str], i: int) -> None:
    target, equals, value = lines[i].partition(" = ")
    if equals and "#" not in value:
        lines[i] = f"{target} = (  # why\n    {value.strip()}\n)\n"


def _indent(rng: random.Random, lines: list[str], i: int) -> None:
    space = lines[i][: len(lines[i]) - len(lines[i].lstrip())]
    head = rng.choice(_HEADS).format(space)
    held = [f"    {line}" for line in lines[i : i + rng.randint(1, 4)]]
    deeper = [f"    {line}" for line in held] if "case" in head else held
    end = [f"{space}finally:\n{space}    pass\n"] if head == "try:" else []
    lines[i : i + len(held)] = [f"{space}{head}\n", *deeper, *end]


def _exchange(pattern: re.Pattern[str]) -> Callable[[random.Random, str], str]:
    def changed(rng: random.Random, text: str) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        one, other = rng.choice(found), rng.choice(found)
        return text[: one.start()] + other.group() + text[one.end() :]

    return changed


def _rename(rng: random.Random, text: str) -> str:
    names = _NAME.findall(text)
    return re.sub(rf"\b{rng.choice(names)}\b", rng.choice(names), text) if names else text


_CHANGES: list[Callable[[random.Random, str], str]] = [
    _of_lines(lambda rng, lines, i: lines.pop(i)),
    _of_lines(lambda rng, lines, i: lines.insert(i, lines[i])),
    _of_lines(lambda rng, lines, i: lines.insert(i, rng.choice(lines))),
    _of_lines(_swap),
    _of_lines(_join),
    _of_lines(_break),
    _of_lines(_indent),
    _of_lines(lambda rng, lines, i: lines.__setitem__(i, lines[i].rstrip("\n") + "  # note\n")),
    _of_lines(lambda rng, lines, i: lines.__setitem__(i, re.sub(r"\((\w+)\)", rng.choice([r"((w := \1))", r"(*\1)"]), lines[i], count=1))),
    _of_lines(lambda rng, lines, i: lines.__setitem__(i, re.sub(r"\bdef\b", "async def", lines[i]))),
    lambda rng, text: text[: rng.randrange(len(text))] if rng.random() < 0.3 else text,
    lambda rng, text: text.replace("\n", "\r\n") if rng.random() < 0.2 else text,
    _exchange(_WORD),
    _exchange(_CALL),
    _rename,
]  # fmt: skip

KINDS = ("grammatical", "mutated", "bytes")


def files(folders: Iterable[Path], limit: int = 20_000) -> list[Path]:
    """Python files that are mutated; long ones would show no more and take longer."""
    found = sorted(path for folder in folders for path in folder.rglob("*.py") if path.stat().st_size < limit)
    if not found:
        raise SystemExit(f"no Python files below {', '.join(map(str, folders))}")
    return found


def made(kind: str, seed: int, number: int, originals: list[Path]) -> bytes | None:
    """Input ``number`` of a seed, the same in every run."""
    if kind == "grammatical":
        return grammatical(seed * 1_000_000 + number)
    rng = random.Random(f"{kind}/{seed}/{number}")
    text = rng.choice(originals).read_text(encoding="utf-8", errors="replace")
    return mutated(rng, text) if kind == "mutated" else random_bytes(rng, text)
