"""Which files a run reads: the paths of the command line, folders walked, ignored ones left out.

Walking leaves out what ``exclude`` and the ``.gitignore`` files name. A file or folder named on the
command line is always read, and so is all below a named folder that is ignored only because the
folder is; ``force-exclude`` reverses that.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Iterator, NamedTuple, Optional, Sequence

from jaxlint.config import Configs

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIX = (".py", ".ipynb")


class Problem(NamedTuple):
    """A path that cannot be read, and what to do about it."""

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
    spec: "GitIgnoreSpec"

    def verdict(self, path: str, is_folder: bool) -> Optional[bool]:
        """True: ignored; False: an exception (`!pattern`) takes it back; None: not mentioned."""
        return self.spec.check_file(_inside(path, self.folder, is_folder)).include

    def without(self, path: str) -> "_Ignores":
        """These patterns, less those that ignore the folder ``path`` or a folder above it."""
        from pathspec import GitIgnoreSpec

        name = _inside(path, self.folder, True)
        kept = [p for p in self.spec.patterns if not (p.include and p.match_file(name))]
        return self if len(kept) == len(self.spec.patterns) else _Ignores(self.folder, GitIgnoreSpec(kept))


def discover(paths: Sequence[str], configs: Configs) -> Found:
    """The files that ``paths`` stand for; a folder stands for the modules and notebooks below it."""
    found = Found()
    seen: set[str] = set()
    for path in paths:
        if os.path.isdir(path):
            if not is_excluded(path, configs):
                _add(found, seen, _walk_named(path, configs, found.problems))
        elif _is_pipe(path):
            found.problems.append(Problem(path, "a pipe, which may never end; lint what it gives as `-`, standard input"))
        elif os.path.lexists(path):
            if not is_excluded(path, configs):
                _add(found, seen, [path])
        else:
            found.problems.append(Problem(path, "no such file or folder; check the spelling"))
    return found


def is_excluded(path: str, configs: Configs) -> bool:
    """Whether a path named by the user is to be left out, which is so only under ``force-exclude``."""
    path = os.path.abspath(path)
    config = configs.for_file(path)
    if not config.force_exclude:
        return False
    is_folder = os.path.isdir(path)
    if _is_below(path, config.root) and _Ignores(config.root, config.exclude_spec).verdict(path, is_folder):
        return True
    # Git looks at the folders from the outside in: nothing below an ignored one comes back.
    top = _repository(os.path.dirname(path)) or os.path.dirname(path)
    ignores = _read_exclude(top)
    parts = os.path.relpath(path, top).split(os.sep)
    for depth, part in enumerate(parts):
        folder = os.path.join(top, *parts[:depth])
        ignores = ignores + _read_gitignore(folder)
        last = depth == len(parts) - 1
        if _ignored(os.path.join(folder, part), not last or is_folder, ignores):
            return True
    return False


def _add(found: Found, seen: set[str], paths: "Iterator[str] | list[str]") -> None:
    for path in paths:
        real = os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            found.files.append(path)


def _walk_named(path: str, configs: Configs, problems: list[Problem]) -> Iterator[str]:
    """Files below a folder that the user named, whatever the folder itself is called."""
    absolute = os.path.abspath(path)
    ignores: tuple[_Ignores, ...] = ()
    top = _repository(absolute)
    if top is not None:
        ignores = _read_exclude(top)
        folder = top
        for part in os.path.relpath(absolute, top).split(os.sep):
            if folder != absolute:
                ignores += _read_gitignore(folder)
            folder = os.path.normpath(os.path.join(folder, part))
    ignores = tuple(ignore.without(absolute) for ignore in ignores)
    yield from _walk("" if path in (".", "./") else path, absolute, absolute, ignores, configs, problems)


def _walk(
    shown: str,
    folder: str,
    named: str,
    ignores: tuple[_Ignores, ...],
    configs: Configs,
    problems: list[Problem],
) -> Iterator[str]:
    """Files below ``folder``, whose path is written ``shown``, sorted by name at each level.

    Links to folders are not followed: what they lead to is read where it is, or is not part of the
    project; and a loop of links has no end.
    """
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        reason = error.strerror or str(error)
        problems.append(Problem(shown or ".", f"cannot read the folder: {reason}; mend that, or exclude it"))
        return
    if any(entry.name == ".gitignore" for entry in listed):
        ignores += _read_gitignore(folder)
    config = configs.for_folder(folder)
    base = config.root if _is_below(folder, config.root) else named
    excluded = _Ignores(base, config.exclude_spec).without(named)
    for entry in listed:
        path = os.path.join(folder, entry.name)
        is_folder = _is_folder(entry)
        if not is_folder and not (entry.name.endswith(SUFFIX) and _is_file(entry)):
            continue
        if excluded.verdict(path, is_folder) or _ignored(path, is_folder, ignores):
            continue
        name = os.path.join(shown, entry.name)
        if is_folder:
            yield from _walk(name, path, named, ignores, configs, problems)
        else:
            yield name


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def _is_pipe(path: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError:
        return False


def _ignored(path: str, is_folder: bool, ignores: Sequence[_Ignores]) -> bool:
    """Whether Git would ignore the path; the innermost file that mentions it decides."""
    for ignore in reversed(ignores):
        verdict = ignore.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return False


def _inside(path: str, folder: str, is_folder: bool) -> str:
    relative = os.path.relpath(path, folder).replace(os.sep, "/")
    return relative + "/" if is_folder else relative


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _repository(folder: str) -> Optional[str]:
    """The root of the Git working tree that holds ``folder``, if there is one."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def _read_gitignore(folder: str) -> tuple[_Ignores, ...]:
    return _read_ignores(os.path.join(folder, ".gitignore"), folder)


def _read_exclude(repository: str) -> tuple[_Ignores, ...]:
    return _read_ignores(os.path.join(repository, ".git", "info", "exclude"), repository)


def _read_ignores(path: str, folder: str) -> tuple[_Ignores, ...]:
    from pathspec import GitIgnoreSpec

    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return ()
    try:
        spec = GitIgnoreSpec.from_lines(lines)
    except ValueError:
        # Git skips the lines it does not understand.
        spec = GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))
    return (_Ignores(folder, spec),) if len(spec.patterns) else ()


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
