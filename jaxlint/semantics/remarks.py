"""Comments that say that random numbers are meant to be the same.

"Use the same rng as events are mutually exclusive", "reuse the key", "common random numbers", "correlated crop". A
comment that warns or asks ("do not reuse the key", "FIXME: same key", "why the same seed?") says no such thing. It
has to stand where it is seen by whoever reads about the key: over or beside the statement that makes the key, the
two uses, or what lies between them.
"""

from __future__ import annotations

import re
from typing import Any, Iterable, Optional

from jaxlint import syntax as ir

_RANDOM = r"(?:prng|rng|(?:sub)?key|seed|randomness|random\s+(?:number|bit|key|state|value|sample|draw)|noise|draw)s?\b"
_SHARED = re.compile(
    rf"\b(?:same|identical|common|shar(?:e|es|ed|ing)|re-?us(?:e|es|ed|ing))\s+(?:\w+\s+){{0,2}}?{_RANDOM}"
    rf"|\b{_RANDOM}\s+(?:is|are)\s+(?:\w+\s+){{0,2}}?(?:same|identical|shared|re-?used)\b"
    r"|\bcorrelated\b|\bpegasus\b",
    re.IGNORECASE,
)
_WARNS = re.compile(
    r"\b(?:not?|nor|never|avoids?|without|cannot|bug|wrong|mistake|todo|fixme|xxx|hack|unlike)\b|n't\b|\?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.;!])\s+")
_BINDING = (ir.Assign, ir.Annotate, ir.For)


def says_shared(comments: Iterable[str]) -> bool:
    """Whether the lines of a comment say that a key or its numbers are the same on purpose."""
    text = _unmarked(comments)
    return any(_SHARED.search(sentence) and not _WARNS.search(sentence) for sentence in _SENTENCE.split(text))


def mentions_shared(comments: Iterable[str]) -> bool:
    """Whether ``says_shared`` may be true of lines among these that follow each other."""
    return _SHARED.search(_unmarked(comments)) is not None


def _unmarked(comments: Iterable[str]) -> str:
    return " ".join(line.lstrip("#:! \t") for line in comments)


def meant(unit: ir.Unit, sites: tuple[int, int], key: Any) -> bool:
    """Whether a remark says that the uses at ``sites``, of one module, share ``key``, an expression, on purpose."""
    module = unit.module_of(sites[0])
    if not module.remarks:
        return False
    first, last = sorted(sites)
    spans = [(_beginning(unit.statement(first)), _end(unit, last))]
    made = _binding(unit, key, spans[0][0]) if type(key) is ir.Name else None
    if made is not None:
        spans.append((_beginning(made), made.site if type(made) is not ir.For else made.iterable.site))
    return any(low <= module.site + remark <= high for remark in module.remarks for low, high in spans)


def _beginning(statement: ir.Node) -> int:
    """The lowest site of a statement: where a comment over it is noted."""
    return min(node.site for node in ir.walk([statement]))


def _end(unit: ir.Unit, site: int) -> int:
    """The site up to which comments belong to the line of a use."""
    statement = unit.statement(site)
    return site if hasattr(statement, "body") else statement.site


def _binding(unit: ir.Unit, key: Any, before: int) -> Optional[ir.Node]:
    """The last statement of the key's scope above a site that binds its name."""
    scope = unit.scope(key.site)
    found: Optional[ir.Node] = None
    for node in ir.walk(scope.body, into_scopes=False):
        if isinstance(node, _BINDING) and _beginning(node) < before and _binds(node, key.id):
            found = node
    return found


def _binds(statement: Any, name: str) -> bool:
    targets = statement.targets if type(statement) is ir.Assign else [statement.target]
    return any(type(node) is ir.Name and node.id == name for node in ir.walk(targets))
