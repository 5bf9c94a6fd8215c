"""Results of earlier runs, kept on disk, so that a file is only linted again when something it depends on has changed.

An entry is found by what is asked: the tool, the configuration, the name of the file and its text. It
holds the result and the *manifest*: every question that the analysis put to the file system about the
modules of the project, with the answer it got. That nothing was found is an answer too. The entry counts
if each of them is answered the same way today.

Entries are JSON behind a checksum and are replaced whole, so that runs at the same time do no harm. An entry that cannot be
read, does not match its checksum, does not look like one, or belongs to another user is a miss. A folder that is there
already is used only where it is empty or marked as a cache of jaxlint, and nothing but entries is ever removed from it.
Whatever goes wrong with the folder costs time, never a result.
"""

from __future__ import annotations

import functools
import json
import os
import re
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import jaxlint
from jaxlint import __version__
from jaxlint.project.resolver import Answer, Question
from jaxlint.project.sources import Sources
from jaxlint.run import serialization
from jaxlint.run.job import Outcome
from jaxlint.source.files import read_regular
from jaxlint.source.text import Source

if TYPE_CHECKING:
    from jaxlint.configuration.config import Config

MAX_BYTES = 64 * 2**20
_TAG_FILE = "CACHEDIR.TAG"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of jaxlint; see https://bford.info/cachedir/\n"


class Entry(NamedTuple):
    """Where the result for a file is kept, the digest of the text that it is for, and where the packages around it are."""

    path: str
    text: str
    sources: Sources


class Answers:
    """Answers of the file system, each asked for once; ``began`` is when the run did, in nanoseconds."""

    def __init__(self, began: int) -> None:
        self.began = began
        self._known: dict[Question, str | None] = {}

    def of(self, question: Question, sources: Sources) -> str | None:
        """What is there; None for a text that has changed since the run began, so that nobody can say what was read."""
        if question not in self._known:
            self._known[question] = self._find(*question, sources)
        return self._known[question]

    def _find(self, question: str, path: str, sources: Sources) -> str | None:
        if question == "package":
            return _said(sources.of(os.path.basename(path)))
        if question == "file":
            return _said(os.path.isfile(path))
        if question == "folder":
            return _said(os.path.isdir(path))
        try:
            status = os.stat(path)
            # A file can be put in place with the time it had elsewhere; when that was done is kept as well.
            if max(status.st_mtime_ns, status.st_ctime_ns) >= self.began:
                return None
            with open(path, "rb") as file:
                return _digest(file.read())
        except OSError:
            return "no"


def _said(answer: Answer) -> str:
    return os.pathsep.join(answer) if isinstance(answer, tuple) else "yes" if answer else "no"


def load(entry: Entry, source: Source, answers: Answers) -> Outcome | None:
    """The outcome for a file from an earlier run, if it is still what a new one would give."""
    try:
        kept = read(entry.path)
        if any(
            answers.of((question, _text(path)), entry.sources) != answer for question, path, answer in kept["manifest"]
        ):
            return None
        return serialization.read(kept, source.filename, source)
    except (OSError, *serialization.UNFIT):
        return None


def _text(path: object) -> str:
    if not isinstance(path, str):
        raise TypeError(f"{path!r} is no path")
    return path


def read(path: str) -> Any:
    """What a file in the cache holds. Raises OSError where it is not a file of this user, ValueError where it is damaged."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
            raise PermissionError(path)
        return unpacked(file.read())


def packed(kept: dict[str, Any]) -> bytes:
    """The bytes of an entry: a line with the digest of what follows it, and JSON."""
    data = json.dumps(kept, separators=(",", ":")).encode()
    return f"{_digest(data)}\n".encode() + data


def unpacked(raw: bytes) -> Any:
    """What the bytes of an entry hold. Raises ValueError where they are not those that were written."""
    digest, _, data = raw.partition(b"\n")
    if digest != _digest(data).encode():
        raise ValueError("the entry does not have the digest of its content")
    return json.loads(data)


def store(folder: str, entry: Entry, outcome: Outcome, answers: Answers) -> None:
    """Keep an outcome, unless a file it depends on has just changed."""
    manifest = [
        (*question, answers.of(question, entry.sources) if question[0] == "text" else _said(there))
        for question, there in sorted((outcome.asked or {}).items(), key=lambda asked: asked[0])
    ]
    own = answers.of(("text", os.path.abspath(outcome.filename)), entry.sources)
    if own != entry.text or any(answer is None for _, _, answer in manifest):
        return
    write(folder, entry.path, {"manifest": manifest, **serialization.plain(outcome)})


def write(folder: str, path: str, kept: dict[str, Any]) -> None:
    """Replace the file at ``path`` in the cache ``folder``, if that can be done."""
    temporary = None
    try:
        inner = os.path.dirname(path)
        if not _make(folder) or os.path.islink(inner):
            return
        os.makedirs(inner, exist_ok=True)
        import tempfile  # a run that only looks things up does without

        handle, temporary = tempfile.mkstemp(dir=inner, suffix=".part")
        with open(handle, "wb") as file:
            file.write(packed(kept))
        os.replace(temporary, path)
    except OSError:  # a folder that cannot be written to, or a full disk: the next run takes as long as this one
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def prune(folder: str, limit: int = MAX_BYTES) -> None:
    """Keep the folder below ``limit`` bytes: the entries that were written longest ago go first."""
    entries = []
    try:
        if not _is_ours(folder):
            return
        for place in os.scandir(folder):
            if re.fullmatch(r"[0-9a-f]{2}", place.name) and place.is_dir(follow_symlinks=False):
                for entry in os.scandir(place.path):
                    if entry.name.endswith((".json", ".part")):
                        status = entry.stat(follow_symlinks=False)
                        entries.append((status.st_mtime_ns, status.st_size, entry.path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= limit:
                break
            os.unlink(path)
            total -= size
    except OSError:
        pass  # another run prunes as well


def _make(folder: str) -> bool:
    """Make the folder, so marked that backups and Git leave it out; False where there is one that is not ours."""
    os.makedirs(folder, exist_ok=True)
    if _is_ours(folder):
        return True
    if os.listdir(folder) and not _is_begun(folder):
        # Another run may be at it; it marks the folder first of all.
        return _is_ours(folder)
    for name, text in ((_TAG_FILE, _TAG), (".gitignore", "*\n")):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(os.path.join(folder, name), flags, 0o666), "w", encoding="utf-8") as file:
            file.write(text)
    return True


def _is_begun(folder: str) -> bool:
    """Whether a folder holds nothing but the beginning of our mark, where a disk was full or a run was killed."""
    if os.listdir(folder) != [_TAG_FILE]:
        return False
    return _TAG.startswith(_tag(folder))


def _is_ours(folder: str) -> bool:
    """Whether a folder is marked as a cache of jaxlint."""
    try:
        return _tag(folder).startswith(_TAG)
    except OSError:
        return False


def _tag(folder: str) -> str:
    """What the mark in a folder says. Raises OSError, also for a link and a pipe."""
    path = os.path.join(folder, _TAG_FILE)
    return read_regular(path, 2**16, getattr(os, "O_NOFOLLOW", 0)).decode("utf-8", "replace")


def entry_of(source: Source, config: Config, noqa: bool = True, tried: bool = False) -> Entry:
    """The entry for a file as it is; without ``noqa`` for what is found in spite of such comments, ``tried`` with verdicts on fixes."""
    text = _digest(source.raw)
    # Names of other files, in what is found, are relative to the working directory if this one is.
    folder = "" if os.path.isabs(source.filename) else os.getcwd()
    return Entry(
        path_of(config.cache, folder, source.filename, repr((config.decisive, noqa, tried)), text), text, config.sources
    )


def path_of(folder: str, *asked: str) -> str:
    """The path in the cache ``folder`` of what this release of jaxlint answers to a question."""
    key = _digest("\0".join([_tool(), *asked]).encode("utf-8", "surrogatepass"))
    return os.path.join(folder, key[:2], key[2:] + ".json")


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.blake2b(data, digest_size=20).hexdigest()


@functools.cache
def _tool() -> str:
    """jaxlint itself, by its version and its files, and its parser.

    What is installed is known by the hashes that its wheel brought, so that a cache outlives an installation anew, as in CI; a
    checkout by size and time of each file, for those who work on it.
    """
    from importlib.machinery import PathFinder

    package = os.path.dirname(os.path.abspath(jaxlint.__file__))
    own, newest = [], 0
    for folder, folders, names in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            with suppress(FileNotFoundError):
                status = os.stat(os.path.join(folder, name))
                own.append(f"{os.path.join(folder, name)} {status.st_size} {status.st_mtime_ns}")
                newest = max(newest, status.st_mtime_ns)
    parts = [__version__, sys.version, *sorted(_installed(package, newest) or own)]
    parser = PathFinder.find_spec("libcst")  # which is not imported for that
    for folder in (parser and parser.submodule_search_locations) or ():
        with suppress(OSError), open(os.path.join(folder, "_version.py"), encoding="utf-8") as file:
            parts.append(file.read())
    return _digest("\n".join(parts).encode())


def _installed(package: str, newest: int) -> list[str]:
    """What the record of the installation says of the files of the package; nothing where one was changed afterwards."""
    record = os.path.join(os.path.dirname(package), f"flake8_jaxlint-{__version__}.dist-info", "RECORD")
    try:
        if os.stat(record).st_mtime_ns < newest:
            return []
        with open(record, encoding="utf-8") as file:
            return [line for line in file if line.startswith("jaxlint/") and not line.split(",")[0].endswith(".pyc")]
    except OSError:
        return []
