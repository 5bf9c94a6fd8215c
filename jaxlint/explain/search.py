"""``jaxlint explain WORDS``: the rules and errors that words are about, by names, summaries, pages and messages of errors."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jaxlint.explain.pages import prevented
from jaxlint.hazards.registry import all_rules
from jaxlint.hazards.rule import Rule
from jaxlint.knowledge import errors, messages
from jaxlint.knowledge.errors import Error
from jaxlint.knowledge.messages import Message
from jaxlint.report.terminal import console
from jaxlint.report.text import visible

SHOWN = 8
_WEIGHTS = {"name": 8.0, "prevents": 6.0, "summary": 5.0, "message": 5.0, "meaning": 4.0, "page": 1.0}
_PHRASE = 4.0  # times the weight of a text in which several words stand as they are written
_MESSAGE = 100.0  # for words that are the message of an error
_AROUND = 40  # characters of a page shown on each side of the word
_COMMON = frozenset(
    "a an and are be been but by did do does for from has have how i in is it my not of on or that the to was what why with".split()
)
_ENDINGS = re.compile(r"(?<=\w{4})(?:ations?|ings?|ions?|ers?|ed|es|e)$|(?<=\w{3})(?<!s)s$")


class Field(NamedTuple):
    """A text that is searched."""

    kind: str  # a key of _WEIGHTS
    text: str


class Hit(NamedTuple):
    """A rule or an error that was found, and the text by which it was."""

    about: Rule | Error
    field: Field
    score: float

    @property
    def subject(self) -> str:
        """What ``jaxlint explain`` takes for its page."""
        return self.about.code if isinstance(self.about, Rule) else self.about.name


def search(asked: str) -> list[Hit]:
    """What the words are about, the best first: what has all of them, or else most."""
    stems = list(dict.fromkeys(_stems(asked)))
    wanted = [word for word in stems if word not in _COMMON] or stems
    error, _, message = asked.rpartition("Error: ")
    alike = messages.alike(f"{error.split('.')[-1]}Error", message)
    documents = [(about, [(field, _found(wanted, field)) for field in fields]) for about, fields in _documents()]
    best = [[max(found[at] for _, found in fields) for at in range(len(wanted))] for _, fields in documents]
    rarity = [math.log(1 + len(documents) / max(1, sum(map(bool, column)))) for column in zip(*best)]
    most = max(sum(map(bool, each)) for each in best)
    hits = []
    for (about, fields), each in zip(documents, best):
        score = sum(map(operator.mul, each, rarity))
        known = next((one for one in alike if isinstance(about, Rule) and about.code in one.rules), None)
        phrased = _phrase(asked, [field for field, _ in fields])
        if known is not None:
            hits.append(Hit(about, _of_message(known), score + _MESSAGE))
        elif phrased is not None:
            hits.append(Hit(about, phrased, score + _PHRASE * _WEIGHTS[phrased.kind]))
        elif most and sum(map(bool, each)) == most:
            telling = max(fields, key=lambda pair: (sum(map(bool, pair[1])), sum(pair[1])))[0]
            hits.append(Hit(about, telling, score))
    return sorted(hits, key=lambda hit: (-hit.score, hit.subject))


def _documents() -> Iterator[tuple[Rule | Error, Iterator[Field]]]:
    for rule in all_rules():
        yield rule, _of_rule(rule)
    for error in errors.all_errors():
        yield error, _of_error(error)


def _of_rule(rule: Rule) -> Iterator[Field]:
    yield Field("name", f"{rule.code} {rule.name}")
    yield Field("prevents", " ".join(dict.fromkeys((prevented(rule), rule.error or ""))))
    yield Field("summary", rule.summary)
    for each in messages.all_messages():
        if rule.code in each.rules:
            yield _of_message(each)
    for paragraph in rule.docs.partition("## References")[0].split("\n\n"):
        yield Field("page", " ".join(re.sub(r"(?m)^#.*$", "", paragraph).split()))


def _of_message(message: Message) -> Field:
    return Field("message", f"{message.error}: {message.text}")


def _of_error(error: Error) -> Iterator[Field]:
    yield Field("name", error.path)
    yield Field("meaning", error.meaning)


def _found(wanted: Sequence[str], field: Field) -> list[float]:
    """For each word how much it counts that the field has it; 0 where it does not."""
    there = frozenset(_stems(field.text))
    likeness = (
        1.0 if word in there else 0.5 if any(_is_begun(word, other) for other in there) else 0.0 for word in wanted
    )
    return [each * _WEIGHTS[field.kind] for each in likeness]


def _is_begun(word: str, other: str) -> bool:
    return min(len(word), len(other)) > 4 and (word.startswith(other) or other.startswith(word))


def _phrase(asked: str, fields: Sequence[Field]) -> Field | None:
    """The field in which several words stand as they are written."""
    text = " ".join(asked.lower().split()).rstrip(".")
    return next((field for field in fields if text in field.text.lower()), None) if " " in text else None


def _stems(text: str) -> Iterator[str]:
    """The words of a text without their endings; `donation`, `donated` and `donate_argnums` have one in common."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    for word in re.findall(r"[a-z0-9]+", apart.lower()):
        yield _ENDINGS.sub("", word)


def data(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    return [
        {
            **({"code": hit.about.code, "name": hit.about.name, "summary": hit.about.summary}
               if isinstance(hit.about, Rule) else {"error": hit.about.name, "meaning": hit.about.meaning}),
            "matched": hit.field.kind, "text": hit.field.text,
        }
        for hit in hits
    ]  # fmt: skip


def show(asked: str, hits: Sequence[Hit]) -> None:
    out = console()
    for hit in hits[:SHOWN]:
        about = hit.about
        title = f"{about.code} {about.name}" if isinstance(about, Rule) else about.path
        out.print(title, style="bold")
        out.print(f"  {about.summary if isinstance(about, Rule) else about.meaning}", soft_wrap=True)
        if hit.field.kind not in ("name", "summary", "meaning"):
            out.print(f"  {hit.field.kind}: {_excerpt(asked, hit.field.text)}", style="dim", soft_wrap=True)
    left = len(hits) - SHOWN
    more = f" {left} more {'has' if left == 1 else 'have'} the words as well; name another word." if left > 0 else ""
    out.print(f"\n`jaxlint explain {hits[0].subject}` shows a page.{more}", soft_wrap=True)


def _excerpt(asked: str, text: str) -> str:
    """The part of a text around the first of the words."""
    wanted = set(_stems(asked)) - _COMMON
    words = [found for found in re.finditer(r"\w+", text) if not wanted.isdisjoint(_stems(found[0]))]
    start = max(0, words[0].start() - _AROUND) if words else 0
    end = min(len(text), (words[0].end() if words else 0) + 2 * _AROUND)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    end = text.find(" ", end) if text.find(" ", end) > 0 else len(text)
    return visible(f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}")
