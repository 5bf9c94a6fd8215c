"""What has changed since a revision of a Git checkout, by file and line.

The comparison is that of a pull request: the working tree with the commit at which it and the
revision part. Git does the comparing, renames included; what it does not keep track of is new, unless it is
a file of the commit that has been renamed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jaxlint.configuration.table import ConfigError

BATCH = 100  # files that one command compares: its arguments have a limit
RENAMES = 1000  # files whose new names are looked for by content: the work grows with their square

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}

# Whatever the user has configured, the output is what is read below.
_DIFF = (
    "diff", "--find-renames", f"-l{RENAMES}", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--no-relative",
)  # fmt: skip
_PATCH = ("--patch", "--unified=0", "--inter-hunk-context=0", "--text", "--src-prefix=a/", "--dst-prefix=b/")


class _GitError(Exception):
    """A command of Git that failed; the text is Git's own."""


@dataclass
class Changes:
    """``new`` are files that are new from beginning to end; ``lines`` has the lines changed in others."""

    top: str
    new: set[str] = field(default_factory=set)
    lines: dict[str, set[int]] = field(default_factory=dict)

    def touch(self, filename: str, first: int, last: int) -> bool:
        """Whether any of these lines of a file that was asked about has changed."""
        path = _inside(filename, self.top)
        return path in self.new or not self.lines.get(path, set()).isdisjoint(range(first, last + 1))


@dataclass(frozen=True)
class Base:
    """The commit that a checkout is compared with."""

    top: str  # the folder of the checkout
    commit: str

    @classmethod
    def find(cls, revision: str) -> Base:
        """Where the checkout around the working directory and ``revision`` part. Raises ConfigError."""
        option = f"--diff-base {revision}"
        try:
            top = os.fsdecode(_git(None, "rev-parse", "--show-toplevel").rstrip(b"\n"))
        except FileNotFoundError:
            raise ConfigError(f"{option}: Git is needed, and there is no command `git`; install it") from None
        except _GitError as error:
            raise ConfigError(f"{option}: not in a Git checkout ({error}); run jaxlint in one") from None
        try:
            if not revision or revision.startswith("-"):
                raise _GitError("no name of a revision")
            commit = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode("ascii").strip()
        except _GitError:
            raise ConfigError(
                f"{option}: this checkout has no such revision; check the spelling, or fetch it with `git fetch`"
            ) from None
        try:
            return cls(top, _git(top, "merge-base", commit, "HEAD").decode("ascii").split()[0])
        except (_GitError, IndexError):
            raise ConfigError(
                f"{option}: it and HEAD have no commit in common here; "
                "fetch more of the history (`git fetch --unshallow`, or `fetch-depth: 0` where CI checks out)"
            ) from None

    def changes(self, filenames: Iterable[str]) -> Changes:
        """What has changed in these files. Raises ConfigError."""
        try:
            return self._changes({_inside(name, self.top) for name in filenames})
        except _GitError as error:
            raise ConfigError(f"--diff-base: Git cannot compare with {self.commit}: {error}") from None

    def _changes(self, wanted: set[str]) -> Changes:
        tracked = set(map(os.fsdecode, _git(self.top, "ls-files", "-z", "--cached").split(b"\0")))
        untracked = {path for path in wanted if path not in tracked}
        status = list(self._status(None))
        if untracked and any(letter == "D" for letter, _, _ in status):
            with tempfile.TemporaryDirectory(prefix="jaxlint-") as folder:
                index = self._index_with(untracked, folder)
                return self._compared(wanted, untracked, list(self._status(index)), index)
        return self._compared(wanted, untracked, status, None)

    def _index_with(self, untracked: set[str], folder: str) -> str:
        """A copy of the index that has files which Git does not keep track of, so that it finds those that were renamed."""
        index = os.path.join(folder, "index")
        own = os.fsdecode(_git(self.top, "rev-parse", "--git-path", "index").rstrip(b"\n"))
        with contextlib.suppress(FileNotFoundError):  # nothing was ever staged
            shutil.copyfile(os.path.join(self.top, own), index)
        paths = sorted(untracked)
        for start in range(0, len(paths), BATCH):
            # Files outside of the checkout, or of a repository inside it, are not listed.
            named = [
                path for path in paths[start : start + BATCH] if not path.startswith("../") and not os.path.isabs(path)
            ]
            others = _git(self.top, "ls-files", "-z", "--others", "--", *named, index=index) if named else b""
            if found := [os.fsdecode(path) for path in others.split(b"\0") if path]:
                _git(self.top, "add", "--force", "--intent-to-add", "--", *found, index=index)
        return index

    def _compared(
        self, wanted: set[str], untracked: set[str], status: Iterable[tuple[str, str, str]], index: str | None
    ) -> Changes:
        found = Changes(self.top, set(untracked))
        compared: list[list[str]] = []
        for letter, before, path in status:
            if path not in wanted or letter == "D":
                continue
            if letter == "M":
                compared.append([path])
            elif letter == "R":
                found.new.discard(path)
                compared.append([before, path])
            else:  # added, conflicting, or a link before
                found.new.add(path)
        for start in range(0, len(compared), BATCH):
            paths = [path for pair in compared[start : start + BATCH] for path in pair]
            for path, line in _added(_git(self.top, *_DIFF, *_PATCH, self.commit, "--", *paths, index=index)):
                found.lines.setdefault(path, set()).add(line)
        return found

    def _status(self, index: str | None) -> Iterator[tuple[str, str, str]]:
        """Status, path before and path now of each file that is not as it was."""
        fields = iter(_git(self.top, *_DIFF, "--raw", "-z", self.commit, "--", index=index).split(b"\0"))
        for entry in fields:
            if entry:
                status = entry.split()[-1].decode("ascii")[0]
                before = os.fsdecode(next(fields))
                yield status, before, os.fsdecode(next(fields)) if status in "RC" else before


def _git(folder: str | None, *arguments: str, index: str | None = None) -> bytes:
    unset = ("GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    # Paths are names and no patterns; and whoever commits meanwhile finds no lock.
    environment = {**kept, "GIT_LITERAL_PATHSPECS": "1", "GIT_OPTIONAL_LOCKS": "0"}
    if index is not None:
        environment["GIT_INDEX_FILE"] = index
    run = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True
    )
    if run.returncode:
        said = " ".join(run.stderr.decode("utf-8", "replace").split())
        raise _GitError(said.removeprefix("fatal: ") or f"exit code {run.returncode}")
    return run.stdout


def _added(patch: bytes) -> Iterator[tuple[str, int]]:
    """File and number of each line that a patch adds."""
    path: str | None = None
    old = new = row = 0  # lines of the hunk that are still to come, and the number of the next one
    for line in patch.split(b"\n"):
        if old > 0 or new > 0:
            # Within a hunk nothing is a header, whatever it looks like.
            sign = line[:1]
            if sign == b"+" and path is not None:
                yield path, row
            if sign in (b"+", b" "):
                new, row = new - 1, row + 1
            if sign in (b"-", b" "):
                old -= 1
        elif line.startswith(b"+++ "):
            path = _path(line[4:])
        elif hunk := _HUNK.match(line):
            old, new = int(hunk[1] or 1), int(hunk[3] or 1)
            row = int(hunk[2])


def _path(name: bytes) -> str | None:
    """The path in the header of a patch; None where the file is deleted."""
    if name == b"/dev/null":
        return None
    name = name.removesuffix(b"\t")  # ends a name that has a blank in it
    if name.startswith(b'"'):
        name = _ESCAPE.sub(_unescaped, name[1:-1])
    return os.fsdecode(name[2:])


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8)]) if len(code) == 3 else _ESCAPED.get(code, code)


def _inside(filename: str, top: str) -> str:
    """The path of a file as Git has it; whatever is not in the checkout has one that Git has not."""
    try:
        return os.path.relpath(os.path.realpath(filename), os.path.realpath(top)).replace(os.sep, "/")
    except ValueError:  # another drive
        return os.path.abspath(filename)
