"""Parts of the files of a run, for machines that share the work: which part a file is of depends on its path alone.

What fails in one file because of another one is known when all files are read. So a shard puts on record what it has
found in each file and from each file; of the records of all shards the run is made that one machine would have made.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jaxlint import __version__
from jaxlint.configuration.table import ConfigError
from jaxlint.project import resolver
from jaxlint.run import serialization
from jaxlint.run.job import Outcome
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.reading import decoded
from jaxlint.source.text import Source, SourceError


@dataclass(frozen=True)
class Shard:
    """The ``index``-th of ``count`` parts, counted from 1."""

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
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

    def record(
        self,
        arguments: Mapping[str, Any],
        files: Sequence[str],
        outcomes: Sequence[Outcome],
        broken: Sequence[Diagnostic],
        failed: bool,
    ) -> dict[str, Any]:
        """What the shard has found, as JSON. ``arguments`` are those that all shards of a run share, ``files`` those of
        all shards; ``broken`` is wrong with the configuration, and ``failed`` says that paths could not be read."""
        places = {file: at for at, file in enumerate(files)}
        elsewhere = {each.diagnostic.filename for outcome in outcomes for each in outcome.elsewhere}
        sources = [*(outcome.source for outcome in outcomes), *map(_source, sorted(elsewhere))]
        return {
            "version": __version__, "shard": [self.index, self.count], "folder": os.getcwd(), "arguments": arguments,
            "failed": failed, "broken": [*map(serialization.plain_diagnostic, broken)],
            "files": [
                [places[outcome.filename], outcome.filename, _nothing_left_out(serialization.plain(outcome))] for outcome in outcomes
            ],
            "importers": [outcome.filename for outcome in outcomes if outcome.is_importer],
            "sources": {source.filename: _packed(source.raw) for source in sources if source is not None},
        }  # fmt: skip


@dataclass(frozen=True)
class Whole:
    """A run, as its shards have it on record."""

    folder: str
    arguments: Mapping[str, Any]
    outcomes: list[Outcome]
    broken: list[Diagnostic]
    failed: bool


def join(shards: Mapping[str, Mapping[str, Any]]) -> Whole:
    """The run of which these are the shards, by the names of their reports. Raises ConfigError."""
    first = next(iter(shards))
    try:
        for name, record in shards.items():
            if record["version"] != __version__:
                raise ConfigError(
                    f"{name}: written by jaxlint {record['version']}, and this is {__version__}; use one version"
                )
            if (record["arguments"], record["shard"][1]) != (shards[first]["arguments"], shards[first]["shard"][1]):
                raise ConfigError(f"{name}: not of the same run as {first}; give all shards the same arguments")
        numbers = sorted(record["shard"][0] for record in shards.values())
        count = shards[first]["shard"][1]
        if numbers != [*range(1, count + 1)]:
            missing = ", ".join(f"{number}/{count}" for number in range(1, count + 1) if number not in numbers)
            raise ConfigError(
                f"missing: {missing}; name the reports of all shards" if missing else "a shard is named twice"
            )
        sources = {
            name: decoded(_unpacked(packed), name)
            for record in shards.values()
            for name, packed in record["sources"].items()
        }
        found = sorted((each for record in shards.values() for each in record["files"]), key=lambda each: int(each[0]))
        outcomes = [serialization.read(data or _NOTHING, str(name), None) for _, name, data in found]
        importers = {str(name) for record in shards.values() for name in record["importers"]}
        for outcome in outcomes:
            outcome.source = sources.get(outcome.filename)
            outcome.is_importer = outcome.filename in importers
        broken = [*map(serialization.diagnostic, shards[first]["broken"])]
        failed = any(record["failed"] for record in shards.values())
        return Whole(str(shards[first]["folder"]), dict(shards[first]["arguments"]), outcomes, broken, failed)
    except (SourceError, zlib.error, *serialization.UNFIT) as error:
        raise ConfigError(
            f"{', '.join(shards)}: not as jaxlint writes them ({error!r}); write them with `jaxlint check --shard`"
        ) from error


_NOTHING: dict[str, Any] = serialization.plain(Outcome("", []))


def _nothing_left_out(data: dict[str, Any]) -> dict[str, Any] | None:
    """None for the record of a file in which nothing is found, as most are."""
    return None if data == _NOTHING else data


def _source(file: str) -> Source | None:
    try:
        return resolver.read(file)
    except SourceError:
        return None


def _packed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw)).decode("ascii")


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def _rank(file: str) -> tuple[str, str]:
    # Neighbours in a folder are often alike in size; by their hashes they are spread over the parts.
    path = os.path.normpath(file).replace(os.sep, "/")
    return hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest(), path
