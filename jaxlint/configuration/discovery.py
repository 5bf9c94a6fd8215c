"""Which files a run reads: the paths of the command line, folders walked, ignored ones left out.

Walking leaves out what ``exclude`` and the ``.gitignore`` files name. A file or folder named on the
command line is always read, and so is all below a named folder that is ignored only because the
folder is; ``force-exclude`` reverses that.
"""

from __future__ import annotations

import errno
import itertools
import math
import os
import stat
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.source.files import leads_out, read_regular
from jaxlint.source.patterns import Patterns

if TYPE_CHECKING:
    from jaxlint.configuration.config import Config, Configs

SUFFIX = (".py", ".ipynb")
MAX_PATTERNS = 2**20  # bytes of a .gitignore file
# Of a project, where its import graph is needed: a home directory may be taken for one.
MAX_FOLDERS, MAX_FILES = 4_000, 20_000


class Problem(NamedTuple):
    """A path that names nothing to read, and what to do about it."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class Found:
    """Files to lint, without duplicates and in an order that depends on names alone."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.problems: list[Problem] = []


class _Ignores(NamedTuple):
    """The patterns of one file or option, and the absolute folder they are relative to."""

    folder: str
    patterns: Patterns

    def without(self, path: str) -> _Ignores:
        """These patterns, less those that ignore the folder ``path`` or a folder above it."""
        return _Ignores(self.folder, self.patterns.without(_inside(path, self.folder)))

    def below(self, folder: str) -> _Below:
        """These patterns, to be asked about what is directly in ``folder``."""
        prefix = _inside(folder, self.folder)
        return _Below("" if prefix == "." else f"{prefix}/", self.patterns)


class _Below(NamedTuple):
    """Patterns, and the path from their folder to another one."""

    prefix: str
    patterns: Patterns

    def verdict(self, name: str, is_folder: bool) -> bool | None:
        """True: ignored; False: an exception (`!pattern`) takes it back; None: not mentioned."""
        return self.patterns.verdict(self.prefix + name, is_folder)


def discover(paths: Sequence[str], configs: Configs) -> Found:
    """The files that ``paths`` stand for; a folder stands for the modules and notebooks below it."""
    found = Found()
    seen: set[str] = set()
    for path in paths:
        if os.path.isdir(path):
            if not is_excluded(path, configs):
                _add(found, seen, _walk_named(path, configs, found.problems))
        elif _is_pipe(path):
            found.problems.append(
                Problem(path, "a pipe, which may never end; lint what it gives as `-`, standard input")
            )
        elif os.path.lexists(path):
            if not is_excluded(path, configs):
                _add(found, seen, [path])
        else:
            found.problems.append(Problem(path, "no such file or folder; check the spelling"))
    return found


def is_excluded(path: str, configs: Configs) -> bool:
    """Whether a path named by the user is to be left out, which is so only under ``force-exclude``."""
    path = os.path.abspath(path)
    is_folder = os.path.isdir(path)
    config = configs.for_folder(path) if is_folder else configs.for_file(path)
    if not config.force_exclude:
        return False
    inside = path != config.root and _is_below(path, config.root)
    if inside and any(config.exclude_patterns.verdicts(_inside(path, config.root), is_folder)):
        return True
    # Git looks at the folders from the outside in: nothing below an ignored one comes back.
    top = repository(os.path.dirname(path)) or os.path.dirname(path)
    parts = os.path.relpath(path, top).split(os.sep)
    ignored: list[bool | None] = [None] * len(parts)
    folder, ignores = top, _read_exclude(top)
    for depth, part in enumerate(parts):
        for ignore in (*ignores, *_read_gitignore(folder)):
            for level, verdict in enumerate(ignore.patterns.verdicts("/".join(parts[depth:]), is_folder), depth):
                ignored[level] = ignored[level] if verdict is None else verdict
        folder, ignores = os.path.join(folder, part), ()
    return any(ignored)


def _add(found: Found, seen: set[str], paths: Iterator[str] | list[str]) -> None:
    for path in paths:
        real = os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            found.files.append(path)


def project_folder(folder: str, config: Config) -> str:
    """The real path of the folder that holds the project of the files in ``folder``.

    The Git working tree, else the folder of the ``pyproject.toml`` that governs the files, else the working directory if
    they lie below it, else ``folder``.
    """
    folder = os.path.realpath(folder)
    top = repository(folder)
    if top is not None:
        return top
    root = os.path.realpath(config.root)
    return root if _is_below(folder, root) else folder


def project_files(folder: str, configs: Configs) -> list[str]:
    """The files below the folder of a project, in the order of their names; of a very large project, the first ones."""
    walk = _walk_named(folder, configs, [], MAX_FOLDERS)
    return list(itertools.islice(walk, MAX_FILES))


def _walk_named(path: str, configs: Configs, problems: list[Problem], most: float = math.inf) -> Iterator[str]:
    """Files below a folder that the user named, whatever the folder itself is called, in at most so many folders."""
    absolute = os.path.abspath(path)
    ignores: tuple[_Ignores, ...] = ()
    top = repository(absolute)
    if top is not None:
        ignores = _read_exclude(top)
        folder = top
        for part in os.path.relpath(absolute, top).split(os.sep):
            if folder != absolute:
                ignores += _read_gitignore(folder)
            folder = os.path.normpath(os.path.join(folder, part))
    ignores = tuple(ignore.without(absolute) for ignore in ignores)
    walk = _Walk(absolute, configs, problems)
    # Folders can be nested deeper than calls can.
    within = [walk.entries("" if path in (".", "./") else path, absolute, ignores)]
    while within:
        entry = next(within[-1], None)
        if entry is None:
            within.pop()
        elif entry.is_folder:
            most -= 1
            if most <= 0:
                return
            within.append(walk.entries(entry.shown, entry.path, entry.ignores))
        else:
            yield entry.shown


class _Entry(NamedTuple):
    """A file or folder that is read; ``ignores`` are those that hold where it lies."""

    shown: str
    path: str
    is_folder: bool
    ignores: tuple[_Ignores, ...]


class _Walk:
    """Looks into folders below ``named``.

    Links to folders are not followed: what they lead to is read where it is, or is not part of the
    project; and a loop of links has no end. Links to files are followed to files of the project alone that are not hidden:
    a report quotes what it reads, and a tree from elsewhere could point at anybody's files.
    """

    def __init__(self, named: str, configs: Configs, problems: list[Problem]) -> None:
        self._named = named
        self._configs = configs
        self._problems = problems
        self._excluded: dict[str, _Ignores] = {}  # by the folder of the configuration

    def entries(self, shown: str, folder: str, ignores: tuple[_Ignores, ...]) -> Iterator[_Entry]:
        """What is directly in ``folder``, whose path is written ``shown``, sorted by name."""
        try:
            with os.scandir(folder) as scanned:
                listed = sorted(scanned, key=lambda entry: entry.name)
        except OSError:
            yield _Entry(shown or ".", folder, False, ignores)  # read as a file, it gives the error
            return
        if any(entry.name == ".gitignore" for entry in listed):
            ignores += _read_gitignore(folder, self._problems)
        excluded = self._exclude(folder).below(folder)
        ignored = [ignore.below(folder) for ignore in ignores]
        for entry in listed:
            name, is_folder = entry.name, _is_folder(entry)
            if not is_folder and not (name.endswith(SUFFIX) and _is_file(entry)):
                continue
            if entry.is_symlink() and self._leads_elsewhere(os.path.join(folder, name)):
                continue
            if not excluded.verdict(name, is_folder) and not _ignored(name, is_folder, ignored):
                yield _Entry(os.path.join(shown, name), os.path.join(folder, name), is_folder, ignores)

    def _leads_elsewhere(self, link: str) -> bool:
        """Whether a link to a file leads out of the project, or to a hidden file or folder, such as `.git/config`."""
        root = repository(self._named) or self._configs.for_folder(self._named).root
        roots = [self._named, root] if _is_below(self._named, root) else [self._named]
        inside = [each for each in roots if not leads_out(link, each)]
        real = os.path.realpath(link)
        return not any("/." not in f"/{_inside(real, os.path.realpath(each))}" for each in inside)

    def _exclude(self, folder: str) -> _Ignores:
        """The exclude patterns of the configuration of ``folder``."""
        config = self._configs.for_folder(folder)
        if config.root not in self._excluded:
            base = config.root if _is_below(folder, config.root) else self._named
            self._excluded[config.root] = _Ignores(base, config.exclude_patterns).without(self._named)
        return self._excluded[config.root]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def _is_pipe(path: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError:
        return False


def _ignored(name: str, is_folder: bool, ignores: Sequence[_Below]) -> bool:
    """Whether Git would ignore what lies in a folder; the innermost file that mentions it decides."""
    for ignore in reversed(ignores):
        verdict = ignore.verdict(name, is_folder)
        if verdict is not None:
            return verdict
    return False


def _inside(path: str, folder: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def repository(folder: str) -> str | None:
    """The root of the Git working tree that holds ``folder``, if there is one."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def _read_gitignore(folder: str, problems: list[Problem] | None = None) -> tuple[_Ignores, ...]:
    # Git follows no link that has this name.
    return _read_ignores(os.path.join(folder, ".gitignore"), folder, getattr(os, "O_NOFOLLOW", 0), problems)


def _read_exclude(repository: str) -> tuple[_Ignores, ...]:
    return _read_ignores(os.path.join(repository, ".git", "info", "exclude"), repository)


def _read_ignores(
    path: str, folder: str, flags: int = 0, problems: list[Problem] | None = None
) -> tuple[_Ignores, ...]:
    try:
        raw = read_regular(path, MAX_PATTERNS, flags)
    except OSError as error:
        if error.errno == errno.EFBIG and problems is not None:
            problems.append(
                Problem(path, f"more than {MAX_PATTERNS >> 20} MiB of patterns, none of which counts; shorten it")
            )
        return ()
    patterns = Patterns.of_file(raw.decode("utf-8", "surrogateescape"))
    return (_Ignores(folder, patterns),) if patterns else ()
