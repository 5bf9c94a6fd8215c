"""The baseline: findings that a project knows of and has put off. They are quiet until their line changes.

A finding is known by its path, its rule and the text of its line, and equal ones by how many there
are, so that it stays known where lines move. A finding of a file that no longer exists is known in the file that now has
it: the file was renamed, moved or split. Paths are relative to the folder of the baseline.
"""

from __future__ import annotations

import functools
import json
import os
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jaxlint.configuration.table import ConfigError
from jaxlint.diagnostics.fingerprint import line_hash
from jaxlint.hazards.registry import UnknownRule, find
from jaxlint.source.diagnostic import FAILS_HERE, Diagnostic
from jaxlint.source.reading import read_source
from jaxlint.source.text import Source, SourceError

DEFAULT = ".jaxlint-baseline.json"
VERSION = 1

_NEVER = ("JAX902", "JAX903")  # the tool could not do its work, which is nothing to put off
_UNREAD = ("JAX900", "JAX902", "JAX904")  # what else is in such a file nobody knows

Counts = dict[str, Counter[str]]  # for each path how many there are of each "rule hash"


@dataclass
class Baseline:
    """``paths`` are those the baseline was made from; ``known`` counts "rule hash" in each file."""

    filename: str
    paths: tuple[str, ...] = ()
    known: Counts = field(default_factory=dict)

    @classmethod
    def read(cls, filename: str, option: str = "--baseline") -> Baseline:
        """Raises ConfigError for a file that cannot be read or is no baseline."""
        try:
            with open(filename, "rb") as file:
                raw = file.read()
        except FileNotFoundError:
            raise ConfigError(f"{option} {filename}: no such file; {_cure(filename)}") from None
        except OSError as error:
            raise ConfigError(f"{option} {filename}: {error.strerror or error}; check its permissions") from error
        try:
            return cls._of(filename, json.loads(raw))
        except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, or not ours
            message = f"{option} {filename}: not a baseline ({error}); remove it, then {_cure(filename)}"
            raise ConfigError(message) from None

    @classmethod
    def _of(cls, filename: str, data: Any) -> Baseline:
        if not isinstance(data, dict) or "version" not in data:
            raise ValueError("it has no version")
        if data["version"] != VERSION:
            raise ValueError(f"it is of version {data['version']}, and this jaxlint reads version {VERSION}")
        paths, findings = data.get("paths"), data.get("findings")
        if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
            raise ValueError("`paths` must be a list of strings")
        if not isinstance(findings, dict) or not all(map(_are_counts, findings.values())):
            raise ValueError("`findings` must have a table of counts for each file")
        return cls(filename, tuple(paths), {path: Counter(counts) for path, counts in findings.items()})

    @classmethod
    def of(
        cls, filename: str, paths: Sequence[str], diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]
    ) -> Baseline:
        """The baseline that makes ``diagnostics``, found in ``paths``, quiet."""
        made = cls(filename)
        made.paths = tuple(sorted({made.place(path) for path in paths}))
        for each in diagnostics:
            if each.code not in _NEVER:
                counts = made.known.setdefault(made.place(each.filename), Counter())
                counts[_key(each, sources.get(each.filename))] += 1
        return made

    def text(self) -> str:
        """What stands in the file: one line for each entry, so that changes to it are easily merged."""
        findings = {path: dict(sorted(counts.items())) for path, counts in sorted(self.known.items())}
        return json.dumps({"version": VERSION, "paths": self.paths, "findings": findings}, indent=2) + "\n"

    @functools.cached_property
    def _folder(self) -> str:
        return os.path.dirname(os.path.abspath(self.filename))

    def place(self, path: str) -> str:
        """``path`` as it is written in the baseline."""
        try:
            path = os.path.relpath(path, self._folder)
        except ValueError:  # another drive
            path = os.path.abspath(path)
        return path.replace(os.sep, "/")

    def given_paths(self) -> list[str]:
        """The paths the baseline was made from, as they are called in the working directory."""
        return [os.path.relpath(os.path.join(self._folder, path)) for path in self.paths]

    def covered_by(self, paths: Iterable[str]) -> bool:
        """Whether a run over ``paths`` sees all that the baseline was made from.

        A run over less can miss a finding that is still there: what a function is called with may
        stand in a file that was left out.
        """
        seen = [os.path.abspath(path) for path in paths]
        whole = [os.path.normpath(os.path.join(self._folder, path)) for path in self.paths]
        return all(any(f"{own}{os.sep}".startswith(f"{path.rstrip(os.sep)}{os.sep}") for path in seen) for own in whole)

    def without_known(self, diagnostics: Sequence[Diagnostic], source: Source | None) -> list[Diagnostic]:
        """Those of one file that the baseline does not know; the others are taken off its counts."""
        new = []
        for each in diagnostics:
            counts = self.known.get(self.place(each.filename))
            key = _key(each, source)
            if each.code in _NEVER:
                new.append(each)
            elif counts is not None and counts[key] > 0:
                counts[key] -= 1
            elif not self._is_known_elsewhere(each):
                new.append(each)
        return new

    def _is_known_elsewhere(self, each: Diagnostic) -> bool:
        """Whether a finding at a call, of a run over few files, is known where a run over all has it."""
        for step in each.related[:1]:
            if step.message == FAILS_HERE:
                own = self.known.get(self.place(step.filename), Counter())
                try:
                    key = f"{each.code} {line_hash(step.start.row, read_source(step.filename))}"
                except SourceError:
                    return False
                return key in own or any(key in counts for counts in self._gone().values())
        return False

    def _gone(self) -> Counts:
        """What is left of the counts of files that no longer exist."""
        return {path: +self.known[path] for path in self._gone_paths}

    @functools.cached_property
    def _gone_paths(self) -> list[str]:
        return [path for path in self.known if not os.path.lexists(os.path.join(self._folder, path))]

    def renamed(self, new: Counts) -> dict[tuple[str, str], Counter[str]]:
        """The entries of ``new`` that are known in files that no longer exist, by the path before and the path now.

        The files that share most findings belong together, so that a copy of one of their lines elsewhere takes nothing
        from them.
        """
        gone = self._gone()
        holders: dict[str, list[str]] = {}
        for path, counts in gone.items():
            for key in counts:
                holders.setdefault(key, []).append(path)
        shared: Counter[tuple[str, str]] = Counter()
        for now, counts in new.items():
            for key, count in counts.items():
                for before in holders.get(key, ()):
                    shared[before, now] += min(count, gone[before][key])
        left = {now: Counter(counts) for now, counts in new.items()}
        found = {}
        for before, now in sorted(shared, key=lambda pair: (-shared[pair], _name(pair[0]) != _name(pair[1]), *pair)):
            both = gone[before] & left[now]
            if both:
                found[before, now] = both
                gone[before] -= both
                left[now] -= both
        return found

    def without_renamed(
        self, found: Mapping[str, Sequence[Diagnostic]], sources: Mapping[str, Source | None]
    ) -> tuple[dict[str, list[Diagnostic]], list[tuple[str, str]]]:
        """The findings that are not known in a file that no longer exists, and such files with what became of them.

        ``found`` has those of each file that the baseline does not know where they are. The others are taken off its counts.
        """
        keys = {name: [_key(each, sources.get(name)) for each in diagnostics] for name, diagnostics in found.items()}
        renamed = self.renamed(
            {
                self.place(name): Counter(key for key, each in zip(keys[name], diagnostics) if each.code not in _NEVER)
                for name, diagnostics in found.items()
            }
        )
        known: Counts = {}
        for (before, now), counts in renamed.items():
            self.known[before] -= counts
            known.setdefault(now, Counter()).update(counts)
        new: dict[str, list[Diagnostic]] = {}
        for name, diagnostics in found.items():
            counts = known.get(self.place(name), Counter())
            new[name] = []
            for key, each in zip(keys[name], diagnostics):
                if counts[key] > 0:
                    counts[key] -= 1
                else:
                    new[name].append(each)
        return new, sorted(renamed)

    def left(self, codes: Mapping[str, Collection[str]]) -> Counts:
        """Rules that the baseline expects in each file and that no finding was taken off for.

        ``codes`` has for each file of the run the rules that could have found something: none where the
        file could not be read. A file that is not of the run has nothing to wait for.
        """
        found: Counts = {}
        on = {self.place(path): set(rules) for path, rules in codes.items()}
        for path, counts in sorted(self.known.items()):
            for key, count in sorted(counts.items()):
                code = key.split(" ")[0]
                if count > 0 and (path not in on or code in on[path] or not _is_rule(code)):
                    found.setdefault(path, Counter())[code] += count
        return found


def judged(diagnostics: Iterable[Diagnostic], codes: Collection[str]) -> Collection[str]:
    """Of the rules that were on in a file, those that say all they have to say."""
    return () if any(each.code in _UNREAD for each in diagnostics) else codes


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _key(diagnostic: Diagnostic, source: Source | None) -> str:
    return f"{diagnostic.code} {line_hash(diagnostic.start.row, source)}"


def _is_rule(code: str) -> bool:
    try:
        return find(code).status != "removed"
    except UnknownRule:
        return False


def _are_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(count, int) and count > 0 for count in value.values())


def _cure(filename: str) -> str:
    return f"write it with `{command(filename)}`"


def command(filename: str) -> str:
    """The command that writes a baseline."""
    return "jaxlint baseline" if filename == DEFAULT else f"jaxlint baseline --output {shlex.quote(filename)}"
