"""The data files as one table of facts for each release, and back.

The files have one entry for a name with what differs in older releases inside (`jaxlint.knowledge.ranges`).
Here each release has its own sections, as `run.measure` gives them, so that a release is added or
measured again without the others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jaxlint.knowledge import ranges
from jaxlint.knowledge.history import release
from jaxlint.knowledge.probe import write

Sections = dict[str, dict[str, Any]]

DATA = Path(__file__).parent.parent / "data"
FILES = {
    "jax.json": ("captured", "functions", "host", "members", "methods", "versions"),
    "names.json": ("aliases", "hidden", "names"),
}
# Entries of these are those of the newest release that has the name: old code is read with the names of today.
_NEWEST = ("aliases", "hidden")


class Tables:
    def __init__(self, releases: dict[str, Sections], aliases: dict[str, str], hidden: dict[str, bool]) -> None:
        self.releases = releases
        self.aliases = aliases
        self.hidden = hidden

    @classmethod
    def read(cls, folder: Path = DATA) -> Tables:
        sections: Sections = {}
        for file in FILES:
            if (folder / file).exists():
                sections.update(json.loads((folder / file).read_text(encoding="utf-8")))
        versions = sections.get("versions", {})
        releases: dict[str, Sections] = {}
        for version, row in versions.items():
            releases[version] = {"versions": {key: value for key, value in row.items() if key != "sections"}}
            for section in row["sections"]:
                found = {name: ranges.at(entry, version) for name, entry in sections[section].items()}
                releases[version][section] = {name: value for name, value in found.items() if value is not None}
        return cls(releases, sections.get("aliases", {}), sections.get("hidden", {}))

    def add(self, version: str, measured: Sections) -> None:
        """Take over what was measured of a release; sections that were not are kept."""
        own = self.releases.setdefault(version, {})
        own.update({section: rows for section, rows in measured.items() if section not in _NEWEST})
        if "names" in measured:
            newer = [self.releases[other] for other in self.releases if _newer(other, version)]
            for name in measured["names"]:
                if not any(name in other.get("names", {}) for other in newer):
                    _set(self.aliases, name, measured["aliases"].get(name))
                    _set(self.hidden, name, measured["hidden"].get(name))

    def facts(self, version: str) -> Sections:
        """What is known of one release, by the names of the newest one."""
        return {section: self._rows(version, section) for section in self.releases.get(version, {})}

    def neighbours(self, version: str) -> tuple[str, str] | None:
        """The nearest older and the nearest newer release whose functions are known."""
        known = [other for other, own in self.releases.items() if "functions" in own]
        older = [other for other in known if _newer(version, other)]
        newer = [other for other in known if _newer(other, version)]
        return (max(older, key=release), min(newer, key=release)) if older and newer else None

    def agreed(self, one: str, other: str) -> dict[str, Any]:
        """The functions, by the names that they have now, of which the same is known in both releases."""
        rows = self._rows(other, "functions")
        # A function that one of them took over from the other is listed for one of them only.
        taken = {field for version in (one, other) for field in self.releases[version]["versions"].get("without", ())}
        return {
            name: row
            for name, row in self._rows(one, "functions").items()
            if rows.get(name) == row and taken.isdisjoint(row)
        }

    def sections(self) -> Sections:
        """What the files hold."""
        result: Sections = {"aliases": self._resolved(), "hidden": self.hidden}
        versions = sorted(self.releases, key=release)
        result["versions"] = {
            version: {**own["versions"], "sections": sorted(set(own) - {"versions"})}
            for version, own in self.releases.items()
        }
        for section in ("names", "functions", "methods", "members", "host", "captured"):
            measured = [
                (version, self._rows(version, section)) for version in versions if section in self.releases[version]
            ]
            names = {name for _, rows in measured for name in rows}
            result[section] = {
                name: ranges.compress([(version, rows.get(name)) for version, rows in measured]) for name in names
            }
        return result

    def _resolved(self) -> dict[str, str]:
        return {name: self._canonical(name) for name in self.aliases if self._canonical(name) != name}

    def _canonical(self, name: str) -> str:
        seen = {name}
        while (found := self.aliases.get(name, name)) not in seen:
            seen.add(found)
            name = found
        return name

    def _rows(self, version: str, section: str) -> dict[str, Any]:
        """The rows of a release, under the names that the functions have now."""
        rows = self.releases[version][section]
        if section != "functions":
            return rows
        result: dict[str, Any] = {}
        for name in sorted(rows, key=lambda name: (self.now(name) != name, name)):
            result.setdefault(self.now(name), rows[name])
        for field in self.releases[version]["versions"].get("without", ()):  # taken from the release after it
            newer = [other for other, own in self.releases.items() if "functions" in own and _newer(other, version)]
            following = self.releases[min(newer, key=release)]["functions"] if newer else {}
            for name, row in following.items():
                own = result.get(self.now(name))
                if own is not None and field in row and "result" in own:
                    result[self.now(name)] = {**own, field: row[field]}
        return result

    def now(self, name: str) -> str:
        """The canonical name; what a factory makes is called after the factory."""
        return self._canonical(name[:-2]) + "()" if name.endswith("()") else self._canonical(name)

    def write(self, folder: Path = DATA) -> None:
        sections = self.sections()
        for file, wanted in FILES.items():
            write.write(folder / file, {section: sections[section] for section in wanted})


def _newer(version: str, than: str) -> bool:
    return release(version) > release(than)


def _set(rows: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        rows.pop(name, None)
    else:
        rows[name] = value
