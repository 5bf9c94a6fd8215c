"""Results of earlier runs, kept on disk, so that a file is only linted again when something it depends on has changed.

An entry is found by what is asked: the tool, the configuration, the name of the file and its text. It
holds the result and the *manifest*: every question that the analysis put to the file system about the
modules of the project, with the answer it got. That nothing was found is an answer too. The entry counts
if each of them is answered the same way today.

Entries are JSON and are replaced whole, so that runs at the same time do no harm, and an entry that
cannot be read is none. Whatever goes wrong with the folder costs time, never a result.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
import tempfile
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Iterable, Optional

from jaxlint import __version__
from jaxlint.diagnostic import Applicability, Category, Diagnostic, Edit, Fix, Position, Related
from jaxlint.engine import Elsewhere, Result
from jaxlint.modules import Question
from jaxlint.source import Source

if TYPE_CHECKING:
    from jaxlint.config import Config

MAX_BYTES = 64 * 2**20
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of jaxlint; see https://bford.info/cachedir/\n"


class Answers:
    """Answers of the file system, each asked for once; ``began`` is when the run did, in nanoseconds."""

    def __init__(self, began: int) -> None:
        self.began = began
        self._known: dict[Question, Optional[str]] = {}

    def of(self, question: Question) -> Optional[str]:
        """What is there; None where it has changed since the run began, so that nobody can say what was read."""
        if question not in self._known:
            self._known[question] = self._find(*question)
        return self._known[question]

    def _find(self, question: str, path: str) -> Optional[str]:
        if question == "file":
            return "yes" if os.path.isfile(path) else "no"
        if question == "folder":
            return "yes" if os.path.isdir(path) else "no"
        try:
            if os.stat(path).st_mtime_ns >= self.began:
                return None
            with open(path, "rb") as file:
                return _digest(file.read())
        except OSError:
            return "no"


def load(folder: str, source: Source, config: "Config", answers: Answers) -> Optional[Result]:
    """The result for a file from an earlier run, if it is still what a new one would give."""
    try:
        with open(_path(folder, source, config), encoding="utf-8") as file:
            entry = json.load(file)
        if any(answers.of((question, path)) != answer for question, path, answer in entry["manifest"]):
            return None
        diagnostics = [_diagnostic(each) for each in entry["diagnostics"]]
        elsewhere = [Elsewhere(*map(_diagnostic, pair)) for pair in entry["elsewhere"]]
        return Result(source.filename, source, diagnostics, False, list(entry["budget_reached"]), elsewhere)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store(folder: str, result: Result, config: "Config", asked: Iterable[Question], answers: Answers) -> None:
    """Keep a result, unless jaxlint failed or a file it depends on has just changed."""
    if result.source is None or result.error:
        return
    manifest = [(*question, answers.of(question)) for question in sorted(asked)]
    if any(answer is None for _, _, answer in manifest):
        return
    entry = {
        "manifest": manifest,
        "diagnostics": [asdict(each) for each in result.diagnostics],
        "elsewhere": [[asdict(each.diagnostic), asdict(each.call)] for each in result.elsewhere],
        "budget_reached": result.budget_reached,
    }
    try:
        path = _path(folder, result.source, config)
        _make(folder)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle, name = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".part")
        with open(handle, "w", encoding="utf-8") as file:
            json.dump(entry, file, separators=(",", ":"), default=_listed)
        os.replace(name, path)
    except OSError:
        pass  # a folder that cannot be written to, or a full disk: the next run takes as long as this one


def prune(folder: str, limit: int = MAX_BYTES) -> None:
    """Keep the folder below ``limit`` bytes: the entries that were written longest ago go first."""
    entries = []
    try:
        for place in os.scandir(folder):
            if place.is_dir(follow_symlinks=False):
                for entry in os.scandir(place.path):
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


def _make(folder: str) -> None:
    """Make the folder, so marked that backups and Git leave it out."""
    if os.path.isdir(folder):
        return
    os.makedirs(folder, exist_ok=True)
    for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def _path(folder: str, source: Source, config: "Config") -> str:
    asked = [_tool(), os.path.abspath(source.filename), source.filename, repr(config.decisive), _digest(source.raw)]
    key = _digest("\0".join(asked).encode("utf-8", "surrogatepass"))
    return os.path.join(folder, key[:2], key[2:] + ".json")


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=20).hexdigest()


@functools.lru_cache(maxsize=None)
def _tool() -> str:
    """jaxlint itself: its version, and size and time of each of its files, for those who work on it."""
    here = os.path.dirname(os.path.abspath(__file__))
    parts = [__version__, sys.version]
    for folder, folders, files in os.walk(here):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            status = os.stat(os.path.join(folder, name))
            parts.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return _digest("\n".join(parts).encode())


# --- diagnostics ------------------------------------------------------------------------------


def _listed(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def _diagnostic(data: dict[str, Any]) -> Diagnostic:
    fix = data["fix"]
    return Diagnostic(**{
        **data,
        "start": Position(**data["start"]),
        "end": Position(**data["end"]),
        "category": Category(data["category"]),
        "fix": None if fix is None else _fix(fix),
        "related": tuple(
            Related(each["message"], each["filename"], Position(**each["start"]), Position(**each["end"]))
            for each in data["related"]
        ),
    })  # fmt: skip


def _fix(data: dict[str, Any]) -> Fix:
    edits = tuple(Edit(**each) for each in data["edits"])
    return Fix(**{**data, "edits": edits, "applicability": Applicability(data["applicability"]), "imports": frozenset()})
