"""Text that holds Python tracebacks, read into exceptions and frames.

What it knows: the format of Python itself with chained exceptions, that of IPython and notebooks, and that of
pytest. Colours, quotation marks of mails and whatever stands around a traceback are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Frame:
    """One place of a traceback; ``code`` is the line as the traceback shows it, without indentation.

    ``quoted`` are the lines around it with their rows and indentation, where the traceback shows them.
    """

    filename: str
    row: int
    function: str | None = None
    code: str | None = None
    quoted: tuple[tuple[int, str], ...] = ()


@dataclass
class Raised:
    """One exception, its frames from the outermost to the innermost.

    ``link`` says how it follows from the exception before it in the text: it was raised from that one ("cause"),
    while that one was handled ("context"), or is told in the message of that one ("inside").
    """

    name: str = ""  # as it is written, often with modules
    message: str = ""
    frames: list[Frame] = field(default_factory=list)
    link: str | None = None

    @property
    def bare(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def is_bookkeeping(self) -> bool:
        """Whether JAX made the exception to carry a stack trace, and not to report a failure."""
        return self.bare in ("JaxStackTraceBeforeTransformation", "UnfilteredStackTrace", "SimplifiedTraceback")

    @property
    def sentence(self) -> str:
        """The message up to where it begins to tell of internals."""
        lines = []
        for line in self.message.split("\n"):
            if _RULED.match(line) or line.startswith("See https://"):
                break
            lines.append(line)
        return "\n".join(lines).strip()


_LONGEST = 4000  # characters of a line that are looked at: what is longer is data in a message
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_HEADER = "Traceback (most recent call last)"
_QUOTED = re.compile(r"(?:[>|\s]*|\[[^\]]*\]:?\s?)$")  # what mails and launchers put before each line
_LINKS = {
    "The above exception was the direct cause of the following exception:": "cause",
    "During handling of the above exception, another exception occurred:": "context",
}
_RULED = re.compile(r"-{20,}\s*$")
_NAME = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_ERROR = re.compile(rf"({_NAME})(?:: ?(.*))?$")
_ERROR_ALONE = re.compile(rf"(?:E\s+)?({_NAME}(?:Error|Exception|Operation|UnexpectedDimVar))(?:: ?(.*))?$")
_PYTHON = re.compile(r'\s*File "(?P<file>.+?)", line (?P<row>\d{1,9})(?:, in (?P<function>.+))?\s*$')
_IPYTHON = re.compile(r"File (?P<file>.+?):(?P<row>\d{1,9})(?:, in (?P<function>[^(\s]+).*)?\s*$")
_OLD_CELL = re.compile(r"Input (?P<file>In \[\d{1,9}\]), in (?P<function>[^(\s]+).*$")
_CELL = re.compile(r"(?:Cell )?(?P<file>In ?\[\d{1,9}\]), line (?P<row>\d{1,9})(?:, in (?P<function>[^(\s]+).*)?\s*$")
_OLD_IPYTHON = re.compile(r"(?P<file>\S.*\.py|<ipython-input[^>]*>) in (?P<function>[^(\s]+)\(.*\)\s*$")
_ARROW = re.compile(r"-+> ?(?P<row>\d{1,9})(?: (?P<code>.*))?$")
_NUMBERED = re.compile(r"\s+(?P<row>\d{1,9})(?: (?P<code>.*))?$")
_PYTEST = re.compile(
    rf"(?P<file>[^\s:][^:]*\.py):(?P<row>\d{{1,9}}):(?: in (?P<function>.+)| (?P<error>{_NAME})?)?\s*$"
)
_PYTEST_ERROR = re.compile(rf"E\s+({_NAME}(?:Error|Exception|Operation|UnexpectedDimVar))(?:: ?(.*))?$")
_PYTEST_SECTION = re.compile(r"(?:_{3,} .* _{3,}|={3,} .* ={3,})$")
_PYTEST_CODE = re.compile(r">\s+(\S.*)$")


def parse(text: str) -> list[Raised]:
    """The exceptions of a text in its order: the last one is what ended the program. Empty where there is none.

    A line that only names an exception counts where no traceback is in the text.
    """
    lines = list(_plain(text))
    reader = _Reader()
    for line in lines:
        reader.read(line)
    reader.close()
    if reader.raised:
        return reader.raised
    for line in reversed(lines):
        found = _ERROR_ALONE.match(line.strip())
        if found:
            return [Raised(found[1], found[2] or "")]
    return []


def _plain(text: str) -> Iterator[str]:
    prefix = ""
    for line in _COLOUR.sub("", text).replace("\r\n", "\n").split("\n"):
        head, header, _ = line.partition(_HEADER)
        if header and _QUOTED.match(head):
            prefix = head
        if prefix and line.startswith(prefix.rstrip()):
            line = line[len(prefix) :] if line.startswith(prefix) else ""
        yield line[:_LONGEST].rstrip()


class _Reader:
    def __init__(self) -> None:
        self.raised: list[Raised] = []
        self.now = Raised()
        self.named = False  # the exception has its name; what follows is its message
        self.link: str | None = None
        self.open_frame: tuple[str, str] | None = None  # file and function whose line an arrow will tell
        self.above: list[tuple[int, str]] = []  # lines that IPython shows above the arrow
        self.pytest_code: str | None = None

    def close(self, link: str | None = None) -> None:
        if self.named and (self.now.frames or self.raised or self.link == "inside"):
            self.now.message = self.now.message.strip()
            self.now.link = self.link
            self.raised.append(self.now)
            self.link = None
        self.now, self.named = Raised(), False
        self.link = link or self.link

    def read(self, line: str) -> None:
        if line.strip() in _LINKS:
            return self.close(_LINKS[line.strip()])
        if _PYTEST_SECTION.match(line):
            return self.close()
        if _HEADER in line:
            return self._header(line)
        if self._frame(line):
            return None
        error = None if self.named else self._error(line)
        if error is not None:
            self.now.name, self.now.message, self.named = error[1], error[2] or "", True
        elif self.named:
            self.now.message += "\n" + re.sub(r"^E {3,7}", "", line)
        return None

    def _header(self, line: str) -> None:
        told = None if self.named else _ERROR.match(line.partition(_HEADER)[0].strip())
        if told and told[2] is not None and self.now.frames:
            # A message that tells of another traceback: the failure of a callback.
            self.now.name, self.now.message, self.named = told[1], told[2], True
            self.close("inside")
        else:
            inside = self.named and line.rstrip().endswith(f": {_HEADER}:")
            self.close("inside" if inside else None)

    def _error(self, line: str) -> re.Match[str] | None:
        found = _PYTEST_ERROR.match(line)
        if found is None and self.now.frames and not line.startswith((" ", "\t")):
            found = _ERROR.match(line)
        return found

    def _frame(self, line: str) -> bool:
        """Whether the line belongs to a frame; the frame or its code is noted."""
        frames = self.now.frames
        found = None if self.named else _PYTHON.match(line) or _IPYTHON.match(line) or _CELL.match(line)
        if found:
            frames.append(Frame(found["file"], int(found["row"]), found["function"]))
            self.open_frame, self.above = None, []
            return True
        found = _PYTEST.match(line)
        if found and (found["function"] or found["error"] or self.pytest_code or self.named):
            frames.append(Frame(found["file"], int(found["row"]), found["function"], self.pytest_code))
            self.pytest_code = None
            return True
        found = None if self.named else _OLD_IPYTHON.match(line) or _OLD_CELL.match(line)
        if found:
            self.open_frame, self.above = (found["file"], found["function"]), []
            return True
        found = None if self.named else _ARROW.match(line)
        if found:
            if self.open_frame is not None:
                frames.append(Frame(self.open_frame[0], int(found["row"]), self.open_frame[1]))
                self.open_frame = None
            if frames:
                frames[-1] = _with_code(frames[-1], found["code"] or "")
                self._quote(found)
            return True
        found = None if self.named else _NUMBERED.match(line)
        if found and (frames or self.open_frame):
            self._quote(found)
            return True
        found = _PYTEST_CODE.match(line)
        if found and not self.named:
            self.pytest_code = found[1]
            return True
        if frames and not self.named and line.startswith("    ") and frames[-1].code is None:
            frames[-1] = _with_code(frames[-1], line)
            return True
        return False

    def _quote(self, found: re.Match[str]) -> None:
        """Note a line that IPython shows with its number; those above the arrow can come before the frame is known."""
        self.above.append((int(found["row"]), found["code"] or ""))
        frames = self.now.frames
        if self.open_frame is None and frames:
            frames[-1] = replace(frames[-1], quoted=(*frames[-1].quoted, *self.above))
            self.above = []


def _with_code(frame: Frame, code: str) -> Frame:
    return replace(frame, code=frame.code or code.strip() or None)
