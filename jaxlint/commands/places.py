"""Arguments that name a line of a file: ``FILE:LINE``, and ``FILE:LINE:CODE`` for the finding of a rule there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jaxlint.configuration.table import ConfigError
from jaxlint.report.text import shown_path

if TYPE_CHECKING:
    from jaxlint.fixing.picked import Place
    from jaxlint.run.job import Outcome

Places = Mapping[str, tuple["Place", ...]]


def split_line(argument: str) -> tuple[str, int | None]:
    """``train.py:12`` as file and line; a file that is really called so is taken whole."""
    head, colon, tail = argument.rpartition(":")
    if colon and tail.isdigit() and not os.path.exists(argument) and not os.path.isdir(head):
        return head, int(tail)
    return argument, None


def split_places(arguments: Iterable[str]) -> tuple[list[str], Places]:
    """The files and folders that are named, and by the real path of a file its places. Raises ConfigError.

    A file that is named without a line as well has none.
    """
    found: dict[str, list[Place]] = {}
    paths, whole = list[str](), set[str]()
    for argument in arguments:
        path, place = _split(argument)
        paths.append(path)
        if place is None:
            whole.add(os.path.realpath(path))
        elif path.endswith(".ipynb"):
            raise ConfigError(f"`{argument}`: a line of a notebook is one of a cell; name the notebook without a line")
        else:
            found.setdefault(os.path.realpath(path), []).append(place)
    return list(dict.fromkeys(paths)), {path: tuple(found[path]) for path in found.keys() - whole}


def _split(argument: str) -> tuple[str, Place | None]:
    from jaxlint.fixing.picked import Place  # which `reveal` does without

    head, colon, tail = argument.rpartition(":")
    path, row = split_line(head) if colon and not os.path.exists(argument) else (head, None)
    if row is not None:
        return path, Place(row, _codes(argument, tail))
    path, row = split_line(argument)
    return path, None if row is None else Place(row)


def _codes(argument: str, selector: str) -> frozenset[str]:
    from jaxlint.hazards import registry

    try:
        return frozenset(rule.code for rule in registry.matching(selector))
    except registry.UnknownRule as unknown:
        raise ConfigError(
            f"`{argument}` ends with what is no rule: {unknown}; write FILE:LINE:CODE or FILE:LINE"
        ) from None


def unanswered(places: Places, outcomes: Sequence[Outcome], unsafe: bool) -> Iterator[str]:
    """What is said of places at which nothing was fixed."""
    for outcome in outcomes:
        for place in places.get(os.path.realpath(outcome.filename), ()):
            if not any(_is_at(place, each.start.row, each.code) for each in outcome.fixed):
                yield f"{shown_path(outcome.filename)}:{place.row}: nothing is fixed here: {_why(place, outcome, unsafe)}"


def _why(place: Place, outcome: Outcome, unsafe: bool) -> str:
    from jaxlint.source.diagnostic import Applicability

    found = [each for each in outcome.diagnostics if _is_at(place, each.start.row, each.code)]
    if not found:
        return "no finding stands here" if place.codes is None else f"no finding of {', '.join(sorted(place.codes))}"
    levels = [each.fix.applicability if each.fix and each.fix.edits else None for each in found]
    if Applicability.UNSAFE in levels and not unsafe:
        return "the fix is unsafe; add --unsafe-fixes"
    codes = ", ".join(sorted({each.code for each in found}))
    return f"the fix of {codes} is only shown" if Applicability.DISPLAY in levels else f"{codes} has no fix here"


def _is_at(place: Place, row: int, code: str) -> bool:
    return row == place.row and (place.codes is None or code in place.codes)
