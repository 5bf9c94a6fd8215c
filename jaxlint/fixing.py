"""Applying fixes: edits to text, passes until nothing is left to do, and files written whole or not at all."""

from __future__ import annotations

import difflib
import os
import re
import stat
import tempfile
from dataclasses import dataclass, field
from typing import Callable, Collection, Iterable, Optional

from jaxlint.diagnostic import Applicability, Diagnostic, Edit
from jaxlint.imports import resolve_imports
from jaxlint.source import Source, SourceError, parse

__all__ = ["FixOutcome", "apply_edits", "fix_source", "resolve_imports", "unified_diff", "write_atomic"]

MAX_PASSES = 20

_IMPORT = re.compile(r"\s*(?:import|from)\b.*\s\Z", re.DOTALL)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with the edits made. Equal edits count once. Raises ValueError where two overlap."""
    pieces: list[str] = []
    done = 0
    for edit in sorted(set(edits), key=lambda edit: (edit.start, edit.end, edit.content)):
        if not done <= edit.start <= edit.end <= len(text):
            raise ValueError(f"edit {edit} overlaps another one, or is outside the text")
        pieces += (text[done : edit.start], edit.content)
        done = edit.end
    pieces.append(text[done:])
    return "".join(pieces)


@dataclass
class FixOutcome:
    """What became of a source: its last text, what was mended, and what is left.

    Where ``error`` is set, the source is the one that was given and nothing was mended.
    """

    source: Source
    fixed: list[Diagnostic] = field(default_factory=list)
    remaining: list[Diagnostic] = field(default_factory=list)
    error: Optional[str] = None


def fix_source(
    source: Source, check: Callable[[Source], list[Diagnostic]], allow: Collection[Applicability]
) -> FixOutcome:
    """Apply the fixes ``check`` offers, of the levels in ``allow``, until none is left.

    Fixes that touch the same text wait for the next pass, which sees what the first has written.
    Should the fixes leave text that does not parse or that the encoding cannot hold, or never come
    to an end, then all of them are taken back.
    """
    found = check(source)
    given = FixOutcome(source, remaining=found)
    current, fixed = source, []
    seen = {source.text}
    for _ in range(MAX_PASSES):
        chosen = _compatible(found, allow)
        if not chosen:
            return FixOutcome(current, fixed, found)
        codes = ", ".join(sorted({diagnostic.code for diagnostic in chosen}))
        try:
            if current is source and source.encode(source.text) != source.raw:
                raise SourceError(f"decoding it from {source.encoding} loses bytes; save it as UTF-8", source.filename)
            edits = [edit for diagnostic in chosen if diagnostic.fix for edit in diagnostic.fix.edits]
            text = apply_edits(current.text, edits)
            current = Source.from_bytes(source.encode(text), source.filename)
            parse(current)
        except (SourceError, ValueError) as error:
            reason = error.message if isinstance(error, SourceError) else str(error)
            given.error = f"the fixes of {codes} were taken back: {reason}"
            return given
        if current.text in seen:
            given.error = f"the fixes of {codes} were taken back: they undo each other"
            return given
        seen.add(current.text)
        fixed += chosen
        found = check(current)
    if _compatible(found, allow):
        codes = ", ".join(sorted({diagnostic.code for diagnostic in found}))
        given.error = f"the fixes of {codes} were taken back: they do not come to an end in {MAX_PASSES} passes"
        return given
    return FixOutcome(current, fixed, found)


def _compatible(diagnostics: list[Diagnostic], allow: Collection[Applicability]) -> list[Diagnostic]:
    """Diagnostics whose fixes can be applied together, the first in the file first."""
    chosen: list[Diagnostic] = []
    taken: set[Edit] = set()
    whole: set[tuple[Edit, ...]] = set()
    for diagnostic in sorted(diagnostics, key=lambda each: each.sort_key):
        fix = diagnostic.fix
        if fix is None or not fix.edits or fix.applicability not in allow:
            continue
        if fix.edits in whole:  # one fix may mend several findings
            chosen.append(diagnostic)
            continue
        if any(_clash(edit, other) for edit in fix.edits for other in taken):
            continue
        taken.update(fix.edits)
        whole.add(fix.edits)
        chosen.append(diagnostic)
    return chosen


def _clash(edit: Edit, other: Edit) -> bool:
    """Whether two edits cannot both be made in one pass."""
    if edit == other:
        # Two fixes may need the same import. Two equal brackets in one place are not one bracket.
        return not _IMPORT.match(edit.content)
    if edit.start == edit.end and other.start == other.end:
        return edit.start == other.start
    for inserted, replaced in ((edit, other), (other, edit)):
        # What is put at the end of a statement is meant for the statement as it stands.
        if inserted.start == inserted.end == replaced.end > replaced.start:
            return True
    return edit.start < other.end and other.start < edit.end


def unified_diff(before: str, after: str, filename: str) -> str:
    """What changes from ``before`` to ``after``, as ``patch`` and ``git apply`` read it."""
    lines = []
    old, new = _lines(before), _lines(after)
    for line in difflib.unified_diff(old, new, f"a/{filename.lstrip('/')}", f"b/{filename.lstrip('/')}"):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def write_atomic(path: str, data: bytes, expected: Optional[bytes] = None, create: bool = False) -> None:
    """Put ``data`` in the place of a file's contents, or leave the file as it is and raise SourceError.

    The data goes to a new file beside it, which then takes its name: a crash at any moment leaves
    the old file or the new one. Permissions and, where possible, the owner are kept; a link keeps
    pointing where it did. With ``expected`` the file must still hold these bytes; only with ``create``
    need it not be there.
    """
    target = os.path.realpath(path)
    temporary: Optional[str] = None
    try:
        if expected is not None:
            with open(target, "rb") as file:
                if file.read() != expected:
                    raise SourceError("the file has changed since it was read; run again", path)
        before = None if create and not os.path.exists(target) else os.stat(target)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(target)[:100]}.", dir=os.path.dirname(target))
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if before is not None and hasattr(os, "chown"):
            try:
                os.chown(temporary, before.st_uid, before.st_gid)
            except OSError:
                pass  # only a privileged user may give files away
        os.chmod(temporary, _new_mode() if before is None else stat.S_IMODE(before.st_mode))
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(f"cannot write the file: {reason}; it is unchanged, check its permissions", path) from error
    finally:
        if temporary is not None:
            os.unlink(temporary)


def _new_mode() -> int:
    """The permissions of a file that a program makes without saying which."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
