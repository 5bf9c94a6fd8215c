"""A part of the files of a run, for machines that share the work: which part a file is of depends on its path alone."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from typing import Sequence


@dataclass(frozen=True)
class Shard:
    """The ``index``-th of ``count`` parts, counted from 1."""

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Of ``2/5``. Raises ValueError."""
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise ValueError(f"`{text}` is no shard; write `1/4` for the first of four, up to `4/4`")
        return cls(int(match[1]), int(match[2]))

    def of(self, files: Sequence[str]) -> list[str]:
        """The files of this part, in their order. Parts differ by one file at most."""
        ranked = sorted(files, key=_rank)
        mine = set(ranked[self.index - 1 :: self.count])
        return [file for file in files if file in mine]


def _rank(file: str) -> tuple[str, str]:
    # Neighbours in a folder are often alike in size; by their hashes they are spread over the parts.
    path = os.path.normpath(file).replace(os.sep, "/")
    return hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest(), path
