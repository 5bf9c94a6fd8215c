"""What the files around a folder say, looked for when it is first asked for, and once for all folders below."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, Generic, TypeVar

_Found = TypeVar("_Found")


class Lookup(Generic[_Found]):
    """Something that a project says in its files: a file that is skipped needs to know none of it."""

    def __init__(self, find: Callable[[], _Found]) -> None:
        self._find = find

    @classmethod
    def told(cls, found: _Found) -> Lookup[_Found]:
        return cls(lambda: found)

    @functools.cached_property
    def found(self) -> _Found:
        return self._find()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lookup) and self.found == other.found

    def __hash__(self) -> int:
        return hash(self.found)

    def __reduce__(self) -> Any:
        return Lookup.told, (self.found,)  # whoever gets it may not have the files


def nearest(folder: str, known: dict[str, _Found], find: Callable[[str], _Found | None], nothing: _Found) -> _Found:
    """What is found in the nearest folder at or above one, up to the root of its repository; ``known`` keeps it."""
    passed: list[str] = []
    while folder not in known:
        found, above = find(folder), os.path.dirname(folder)
        if found is not None or above == folder or os.path.exists(os.path.join(folder, ".git")):
            known[folder] = nothing if found is None else found
            break
        passed.append(folder)
        folder = above
    known.update(dict.fromkeys(passed, known[folder]))
    return known[folder]
