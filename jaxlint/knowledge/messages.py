"""The messages of exceptions: those that the fixtures raise, without their variable parts, and the rules that report such code.

``data/messages.json`` is measured by ``python -m jaxlint.verify.raised``: for each class of exceptions its messages as
``template`` gives them, each with the codes of the rules.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("data") / "messages.json"

_LONGEST = 200  # characters of a template
_LIKE = 0.7  # the share of words that two messages with one cause have in common
_FEWEST = 2  # words; what has fewer is said of many things

# The classes of JAX are told apart, not their names: those of tracers and modules differ from release to release.
_CLASS = re.compile(r"\b[\w.]*?(\w*Tracer|ArrayImpl)\b")
_INNER = re.compile(r"<[^<>]*>|\([^()]+\)|\[[^\[\]]*\]|\{[^{}]*\}")
# What a message says of the program at hand, and not of what went wrong. Python adds where the last call was, too.
_VARIABLE = re.compile(
    r"[\w.…]+\(\)|(?<!\w)'(?!(?:Tracer|ArrayImpl|_\w+)')[^']*'(?!\w)|\"[^\"]*\"|\b(?:u?int|b?float|complex)\d+\b|"
    r"\bbool(?=…)|\b(?:path|axis name:|config option:) \S+?(?=\.?(?:\s|$))|\bfunction \S+(?= at )|\S+\.py:\d+|\bfixture_\d+\.\w+|\b0x[0-9a-f]+\b|"
    r"(?<![\w`])-?\d[\w.+-]*|(?<=maximum recursion depth exceeded) (?:in|while) .*"
)


class Message(NamedTuple):
    """A message of an exception, as ``template`` gives it."""

    error: str  # bare name of the class
    text: str
    rules: tuple[str, ...]  # codes


def template(message: str) -> str:
    """The first line of a message, with `…` for what differs from program to program."""
    line = next((line for line in map(str.strip, message.split("\n")) if line), "")[: 3 * _LONGEST]
    line = _CLASS.sub(lambda found: "Tracer" if found[1].endswith("Tracer") else found[1], line)
    for _ in range(3):  # brackets in brackets
        line = _INNER.sub("…", line)
    line = _VARIABLE.sub(_stand_in, line)
    line = re.sub(r"…[…\w]*(?:[\s,:=]*…)*", "…", line)
    return line if len(line) <= _LONGEST else line[:_LONGEST].rpartition(" ")[0] + " …"


def _stand_in(found: re.Match[str]) -> str:
    text = found[0]
    return (
        "…()" if text.endswith("()") else f"{text.rpartition(' ')[0]} …" if text[0].isalpha() and " " in text else "…"
    )


@functools.lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """The words of a template."""
    return frozenset(re.findall(r"[^\W\d]\w+", text.lower()))


@functools.cache
def read() -> dict[str, Any]:
    """The file as it is."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


@functools.cache
def all_messages() -> tuple[Message, ...]:
    rows = read()["errors"].items()
    return tuple(Message(error, text, tuple(codes)) for error, texts in rows for text, codes in texts.items())


def tells(text: str) -> bool:
    """Whether a template has words enough to tell what went wrong."""
    return len(words(text)) >= _FEWEST


def alike(error: str | None, message: str) -> list[Message]:
    """The known messages that say what ``message`` says, the likest first; those of the class ``error`` before others."""
    said = template(message)
    asked = words(said)
    found = []
    for each in all_messages() if tells(said) else ():
        known = words(each.text)
        share = len(asked & known) / len(asked | known)
        if share >= _LIKE and named(each.text) <= asked:
            found.append((-share, each.error != error, each))
    return [each for _, _, each in sorted(found)]


@functools.lru_cache(maxsize=4096)
def named(text: str) -> frozenset[str]:
    """The words in quotation marks, which name a class of JAX: another class makes it another message."""
    return frozenset(name.lower() for name in re.findall(r"'(\w+)'", text))


def rules_of(found: Iterable[Message]) -> tuple[str, ...]:
    """The codes of the rules of some messages, each once."""
    return tuple(dict.fromkeys(code for each in found for code in each.rules))
