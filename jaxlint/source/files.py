"""Files that are replaced whole, and small ones that are read whole: whatever happens meanwhile, a file is the old one or the new one.

The new contents go to a temporary file beside the target, which then takes its name. It has one name for
each target and is locked while it is written: two runs that write one file take turns, and what a run that
was killed has left behind is taken away by the next one that writes the file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time

from jaxlint.source.text import SourceError

PATIENCE = 10.0  # seconds to wait for another run that writes the same file


def read_regular(path: str, limit: int, flags: int = 0) -> bytes:
    """What a file holds. Raises OSError for what is no regular file, which is not waited for, and for more than ``limit`` bytes."""
    with open(
        os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | flags), "rb"
    ) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        raw = file.read(limit + 1)
    if len(raw) > limit:
        raise OSError(errno.EFBIG, f"more than {limit >> 20} MiB", path)
    return raw


def write_atomic(path: str, data: bytes, root: str, expected: bytes | None = None, create: bool = False) -> None:
    """Put ``data`` in the place of a file's contents, or leave the file as it is and raise SourceError.

    Permissions and, where possible, the owner are kept; a link keeps pointing where it did. With ``expected`` the file
    must still hold these bytes, or ``data`` already; only with ``create`` need it not be there.

    Refused are a link that leads out of the folder ``root``, a file without write permission (one that is read-only for
    everybody is refused to a privileged user, too), and a file with other names, which would keep the old contents.
    """
    refuse_link_out(path, root)
    target = os.path.realpath(path)
    temporary = _Temporary(target)
    try:
        before = None if create and not os.path.exists(target) else os.stat(target)
        if before is not None:
            # A folder that can be written lets a file be replaced that cannot.
            os.close(os.open(target, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)))
            _refuse_protected(before, path)
        temporary.open(path)
        if expected is not None:
            with open(target, "rb") as file:
                found = file.read()
            if found == data:
                return  # another run has done the same
            if found != expected:
                raise SourceError("the file has changed since it was read; run again", path)
        temporary.write(data)
        if before is not None and hasattr(os, "chown"):
            try:
                os.chown(temporary.path, before.st_uid, before.st_gid)
            except OSError:
                pass  # only a privileged user may give files away
        os.chmod(temporary.path, _new_mode() if before is None else stat.S_IMODE(before.st_mode))
        temporary.replace(target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(f"cannot write the file: {reason}; it is unchanged, check its permissions", path) from error
    finally:
        temporary.close()


class _Temporary:
    """The file that becomes another one."""

    def __init__(self, target: str) -> None:
        import hashlib  # a run that writes nothing does without

        name = hashlib.blake2b(os.fsencode(os.path.basename(target)), digest_size=8).hexdigest()
        self.path = os.path.join(os.path.dirname(target), f".jaxlint-{name}.part")
        self._descriptor: int | None = None

    def open(self, shown: str) -> None:
        """Make the file, empty and ours alone. Raises SourceError, which names ``shown``, and OSError."""
        deadline = time.monotonic() + PATIENCE
        while not self._try_to_open():
            if time.monotonic() > deadline:
                raise SourceError(
                    f"another process is writing the file ({self.path}); it is unchanged, run again", shown
                )
            time.sleep(0.02)

    def _try_to_open(self) -> bool:
        flags = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        try:
            descriptor = os.open(self.path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            self._take_away(flags)
            return False
        if not _lock(descriptor) or not _is_at(descriptor, self.path):  # taken for one that was left behind
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def _take_away(self, flags: int) -> None:
        """Remove what is there, unless its writer is alive."""
        try:
            if not stat.S_ISREG(os.lstat(self.path).st_mode):
                os.unlink(self.path)  # nobody of ours makes links or pipes, and they are not to be opened
                return
            descriptor = os.open(self.path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            return
        try:
            mine = _lock(descriptor) and _is_at(descriptor, self.path)
            if mine and os.name != "nt":
                os.unlink(self.path)
        finally:
            os.close(descriptor)
        if mine and os.name == "nt":
            try:
                os.unlink(self.path)
            except PermissionError:
                pass  # which is how Windows says that it is open elsewhere

    def write(self, data: bytes) -> None:
        assert self._descriptor is not None
        with os.fdopen(os.dup(self._descriptor), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def replace(self, target: str) -> None:
        assert self._descriptor is not None
        if os.name == "nt":  # where an open file keeps its name
            os.close(self._descriptor)
            self._descriptor = None
        os.replace(self.path, target)
        self.path = ""

    def close(self) -> None:
        """Remove the file, if it has not become the other one."""
        if self._descriptor is None:
            return
        try:
            if self.path and os.name != "nt":
                os.unlink(self.path)
        except OSError:
            pass  # the next run that writes the file tries again
        os.close(self._descriptor)
        self._descriptor = None
        if self.path and os.name == "nt":
            with contextlib.suppress(OSError):
                os.unlink(self.path)


def _lock(descriptor: int) -> bool:
    """Whether this process may have the file; the system frees it when the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows, where a file that is open can be neither removed nor made again
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks
    return True


def _is_at(descriptor: int, path: str) -> bool:
    """Whether the open file is still the one at ``path``."""
    try:
        there = os.lstat(path)
    except OSError:
        return False
    return os.path.samestat(there, os.fstat(descriptor))


def _new_mode() -> int:
    """The permissions of a file that a program makes without saying which."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def leads_out(path: str, folder: str) -> bool:
    """Whether ``path`` is not below ``folder`` once every link in both is followed."""
    real, folder = os.path.realpath(path), os.path.realpath(folder)
    return real != folder and not real.startswith(folder.rstrip(os.sep) + os.sep)


def refuse_link_out(path: str, root: str) -> None:
    """Raise SourceError for a link that leads out of the project in the folder ``root``."""
    if os.path.islink(path) and leads_out(path, root):
        real = os.path.realpath(path)  # which may be anybody's: the link is part of what is linted
        raise SourceError(f"a link out of the project is not written through; change {real} itself", path)


def _refuse_protected(status: os.stat_result, shown: str) -> None:
    """Raise SourceError, which names ``shown``, for a file that the system lets be replaced, and that is not to be."""
    if not status.st_mode & 0o222:
        raise SourceError("cannot write the file: it is read-only; it is unchanged, check its permissions", shown)
    if status.st_nlink > 1:
        raise SourceError(
            f"the file has {status.st_nlink} names (hard links), and the others would keep its old contents; it is"
            " unchanged, make it a file of its own: copy it, and move the copy here",
            shown,
        )
