"""What a project declares of the packages it needs: the specifiers in its own files.

The first place that says a version counts: ``dependencies`` of ``[project]``, its optional dependencies,
Poetry's tables, ``setup.cfg``, and ``requirements*.txt`` beside them. A place that cannot be read says nothing:
these files are not jaxlint's to complain about.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jaxlint.configuration.lookup import nearest
from jaxlint.configuration.trust import Trust
from jaxlint.source import toml
from jaxlint.source.files import read_regular
from jaxlint.source.libraries import LIBRARIES, MEASURED

# Distribution -> the package as it is imported.
_PACKAGES = {each.distributed_as: each.name for each in LIBRARIES if each.measured}
_MENTION = rf"(?i){'|'.join(MEASURED)}"
_MARKERS = ("pyproject.toml", "setup.cfg", "setup.py")
_DECLARES = re.compile(rf"(?:{'|'.join(map(re.escape, _MARKERS))}|requirements.*\.txt)\Z").match
_POETRY = r"(\^|~(?!=)|)\s*(\d{1,18}(?:\.\d{1,18})*)\Z"


Pairs = tuple[tuple[str, str], ...]  # package -> specifier


def around(folder: str, known: dict[str, Pairs], trust: Trust) -> Pairs:
    """What the project around ``folder`` declares; ``known`` keeps what was found for other folders."""

    def declared(each: str) -> Pairs | None:
        own = specifiers(each, trust)
        return None if own is None else tuple(sorted(own.items()))

    return nearest(folder, known, declared, ())


def specifiers(folder: str, trust: Trust | None = None) -> dict[str, str] | None:
    """Package -> specifier, as the files in ``folder`` declare them; None where it is no project's folder.

    Files of users whom ``trust`` gives no say do not count.
    """
    trust = trust or Trust()
    try:
        names = [name for name in sorted(os.listdir(folder)) if _DECLARES(name)]
    except OSError:
        return None
    names = [name for name in names if trust.strange_owner(os.path.join(folder, name)) is None]
    requirements = [name for name in names if name not in _MARKERS]
    if not requirements and not any(marker in names for marker in _MARKERS):
        return None
    found: dict[str, str] = {}
    for requirement in _declared(folder, names, requirements):
        for package, specifier in _read(requirement):
            found.setdefault(package, specifier)
    if not found and not any(marker in names for marker in _MARKERS):
        return None
    return found


def _declared(folder: str, names: list[str], requirements: list[str]) -> Iterator[str]:
    """The requirements of a project, the most binding place first."""
    if "pyproject.toml" in names:
        yield from _of_pyproject(_text(folder, "pyproject.toml"))
    if "setup.cfg" in names:
        yield from _of_setup(_text(folder, "setup.cfg"))
    for name in requirements:
        yield from (line.split(" #")[0] for line in _text(folder, name).splitlines())


def _text(folder: str, name: str) -> str:
    """What a file holds, where it mentions one of the packages."""
    try:
        text = read_regular(os.path.join(folder, name), toml.MAX_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return text if re.search(_MENTION, text) else ""


def _of_pyproject(text: str) -> Iterator[str]:
    if not text:
        return
    try:
        document = toml.parse(text)
    except toml.TomlError:
        return
    project = _table(document, "project")
    yield from _strings(project.get("dependencies"))
    for extra in _table(project, "optional-dependencies").values():
        yield from _strings(extra)
    poetry = _table(_table(document, "tool"), "poetry")
    groups = [_table(group, "dependencies") for group in _table(poetry, "group").values() if isinstance(group, dict)]
    for table in [_table(poetry, "dependencies"), *groups]:
        for name, wanted in table.items():
            version = wanted.get("version") if isinstance(wanted, dict) else wanted
            if isinstance(version, str):
                yield f"{name} {_of_poetry(version)}"


def _of_poetry(version: str) -> str:
    """A constraint of Poetry as a specifier: `^0.4.30` admits what does not change the first number that is not 0."""
    parts = []
    for part in version.split(","):
        match = re.match(_POETRY, part.strip())
        if match is None:
            parts.append(part)
            continue
        numbers = [int(number) for number in match[2].split(".")]
        if not match[1]:
            parts.append(f"=={match[2]}")
            continue
        fixed = min(1, len(numbers) - 1)
        if match[1] == "^":
            fixed = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
        above = [*numbers[:fixed], numbers[fixed] + 1]
        parts.append(f">={match[2]},<{'.'.join(map(str, above))}")
    return ",".join(parts)


def _of_setup(text: str) -> Iterator[str]:
    if not text:
        return
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    yield from parser.get("options", "install_requires", fallback="").splitlines()
    if parser.has_section("options.extras_require"):
        for _, lines in parser.items("options.extras_require"):
            yield from lines.splitlines()


def _read(line: str) -> Iterator[tuple[str, str]]:
    """(package, specifier) of one requirement, where it is of interest and names a version."""
    if not re.search(_MENTION, line):
        return
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(line.strip())
    except InvalidRequirement:
        return
    package = _PACKAGES.get(re.sub(r"[-_.]+", "-", requirement.name).lower())
    if package is not None and len(requirement.specifier):
        yield package, str(requirement.specifier)


def _table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = document.get(name)
    return table if isinstance(table, dict) else {}


def _strings(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
