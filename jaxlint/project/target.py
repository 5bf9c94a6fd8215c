"""Which releases of JAX and its libraries the code must run on.

Of each package that is an interval of releases: a name that was removed anywhere in it is gone, one
that warns at its upper end is deprecated, and a replacement must be there at its lower end. A package
nobody has said anything about stands at its newest known release.

Specifiers are those of packaging tools: ``>=0.4.30``, ``>=0.4.30,<0.8``, ``~=0.6.2``; a bare release means
that release alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from jaxlint import knowledge
from jaxlint.knowledge import History, release

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_BARE = re.compile(r"\d+(\.\d+)*")
_LONG = re.compile(r"\d{19}")  # digits that no release has in a row
_RELEASE = re.compile(r"\d+(?:\.\d+)*")


class TargetError(ValueError):
    """A specifier that cannot be used. The text follows the name of an option."""


class Releases(NamedTuple):
    """The releases of one package from ``lowest`` to ``newest``, both included."""

    package: str
    lowest: str
    newest: str

    def __str__(self) -> str:
        if self.lowest == self.newest:
            return f"{self.package} {self.lowest}"
        return f"{self.package} {self.lowest} to {self.newest}"

    def admits(self, version: str) -> bool:
        return release(self.lowest) <= release(version) <= release(self.newest)

    def lack(self, history: History) -> bool:
        """Whether one of them is without the name."""
        return _removed(history) is not None and release(self.newest) >= release(str(history.removed))

    def all_lack(self, history: History) -> bool:
        return _removed(history) is not None and release(self.lowest) >= release(str(history.removed))

    def warn(self, history: History) -> bool:
        """Whether the newest of them warns of the name."""
        return history.deprecated is not None and release(self.newest) >= release(history.deprecated)

    def have(self, since: str | None) -> bool:
        """Whether all of them have what the release ``since`` brought; None is there in all known ones."""
        return since is None or release(self.lowest) >= release(since)

    def limited(self, op: str, version: str) -> Releases | None:
        """Those for which the comparison with a version holds; None where there are none."""
        lowest, newest, bound = release(self.lowest), release(self.newest), release(version)
        spelled = {
            release(each): each for each in (version, *knowledge.releases(self.package), self.lowest, self.newest)
        }
        tests = {
            ">=": lambda each: each >= bound,
            ">": lambda each: each > bound,
            "<": lambda each: each < bound,
            "<=": lambda each: each <= bound,
            "==": lambda each: each == bound,
            "!=": lambda each: each != bound,
        }
        kept = sorted(each for each in spelled if lowest <= each <= newest and tests[op](each))
        return self._replace(lowest=spelled[kept[0]], newest=spelled[kept[-1]]) if kept else None


def _removed(history: History) -> str | None:
    """The release without the name; one that has it again does not count."""
    if history.removed is None or history.added is None:
        return history.removed
    return history.removed if release(history.added) < release(history.removed) else None


class Target(NamedTuple):
    """The releases of every package; those of ``given`` differ from the newest known ones."""

    given: tuple[Releases, ...] = ()

    @classmethod
    def parse(cls, specifier: str, package: str = "jax") -> Target:
        """The target that a specifier for one package names. Raises TargetError."""
        return cls((admitted(specifier, package),))

    def of(self, package: str) -> Releases | None:
        """The releases of a package; None where nothing is known of it."""
        for releases in self.given:
            if releases.package == package:
                return releases
        known = knowledge.releases(package)
        return Releases(package, known[-1], known[-1]) if known else None

    def but(self, releases: Releases) -> Target:
        """This target with other releases of one package."""
        return Target(tuple(each for each in self.given if each.package != releases.package) + (releases,))

    @property
    def lowest(self) -> str:
        return self._of_jax.lowest

    @property
    def newest(self) -> str:
        return self._of_jax.newest

    def admits(self, version: str) -> bool:
        return self._of_jax.admits(version)

    @property
    def _of_jax(self) -> Releases:
        releases = self.of("jax")
        assert releases is not None
        return releases


NEWEST = Target()


def of(specifiers: Mapping[str, str]) -> Target:
    """The target that a specifier for each package names. What cannot be used is left out."""
    given = []
    for package, specifier in specifiers.items():
        try:
            given.append(admitted(specifier, package))
        except TargetError:
            continue
    return Target(tuple(given))


def chosen(specifier: str) -> Releases:
    """The releases of jax that a specifier admits, some known ones among them. Raises TargetError."""
    found, known = admitted(specifier), knowledge.releases("jax")
    if release(found.lowest) > release(known[-1]):
        raise TargetError(
            f"admits no release of jax that is known: {_shortened(specifier)}; the newest that is known is {known[-1]}:"
            f' write ">={known[-1]}", or update jaxlint'
        )
    return found


def admitted(specifier: str, package: str = "jax") -> Releases:
    """The releases that a specifier admits. Raises TargetError."""
    parsed = _parsed(specifier, package)
    known = knowledge.releases(package)
    if not known:
        raise TargetError(f"is for {package}, of which no release is known")
    named = {found for each in parsed for found in _RELEASE.findall(each.version)[:1]}
    # A release is spelled as it was released: 0.10 is 0.10.0.
    spelled = {release(version): version for version in (*sorted(named), *known)}
    inside = [spelled[numbers] for numbers in sorted(spelled) if parsed.contains(spelled[numbers])]
    if inside:
        return Releases(package, inside[0], inside[-1])
    # Releases before or after all that are known: the nearest ones stand for them.
    if all(release(version) > release(known[-1]) for version in named):
        return Releases(package, known[-1], known[-1])
    if all(release(version) < release(known[0]) for version in named):
        return Releases(package, known[0], known[0])
    raise TargetError(f"admits no release of {package}: {specifier!r}; the newest that is known is {known[-1]}")


def _shortened(specifier: str) -> str:
    return repr(specifier if len(specifier) <= 80 else f"{specifier[:79]}…")


def _parsed(specifier: str, package: str) -> SpecifierSet:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    text = specifier.strip()
    try:
        parsed = SpecifierSet(f"=={text}" if _BARE.fullmatch(text) else text, prereleases=True)
    except InvalidSpecifier:
        parsed = SpecifierSet()
    if not len(parsed) or _LONG.search(text):
        raise TargetError(
            f'must be a release of {package} such as "0.6.2", or a specifier such as ">=0.4.30,<0.8", not {_shortened(specifier)}'
        )
    return parsed
