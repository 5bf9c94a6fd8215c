"""Work that is sent to a machine which has no access to the project: what travels with it, and how it is done there.

With the jobs go the files they are about, the modules of the project that these seem to import, and what the disk
answers to the questions where those modules are. If the analysis asks more than that, the outcomes are thrown
away and the questions come back instead; the work is sent once more, with their answers.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import threading
import zlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import jaxlint
from jaxlint import __version__
from jaxlint.diagnostics.suppressions import Silenced, Spot
from jaxlint.project import resolver
from jaxlint.project.resolver import Answer, Disk, Question, looking_at
from jaxlint.run.job import Job, Outcome
from jaxlint.run.pipeline import CrossFileDiagnostic
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.reading import decoded
from jaxlint.source.text import Source, SourceError, Unreadable

# What a file holds, or why it cannot be read.
Content = bytes | SourceError


class Parcel(NamedTuple):
    """The jobs of a task and the answers of the disk, packed; ``tool`` is what must be the same on both sides."""

    tool: dict[str, str]
    packed: bytes

    @classmethod
    def of(cls, jobs: Sequence[Job], answers: Mapping[Question, Answer]) -> Parcel:
        """Files have their whole path in it, as the other machine has another working directory."""
        jobs = [job._replace(filename=os.path.abspath(job.filename)) for job in jobs]
        plugins = sorted({plugin for job in jobs for plugin in job.config.plugins})
        return cls(tool(plugins), zlib.compress(pickle.dumps((plugins, jobs, dict(answers))), 1))


@dataclass
class Reply:
    """The outcomes of a task; or what it asks, or why it cannot be done."""

    outcomes: list[Outcome]
    unanswered: frozenset[Question] = frozenset()
    problem: str | None = None


class Sent(Disk):
    """A disk of which only what was sent is known."""

    def __init__(self, answers: Mapping[Question, Answer], contents: Mapping[str, Content]) -> None:
        super().__init__()
        self.answers = answers
        self.contents = contents
        self.unanswered: set[Question] = set()

    def is_file(self, path: str) -> bool:
        return self._answer("file", path)

    def is_folder(self, path: str) -> bool:
        return self._answer("folder", path)

    def _answer(self, question: str, path: str) -> bool:
        asked = question, os.path.abspath(path)
        if asked not in self.answers:
            self.unanswered.add(asked)
        return bool(self.answers.get(asked, False))

    def read(self, path: str) -> Source:
        content = self._content(path)
        if isinstance(content, SourceError):
            raise type(content)(content.message, path)
        return decoded(content, path)

    def stamp(self, path: str) -> Hashable | None:
        content = self._content(path)
        return None if isinstance(content, SourceError) else hashlib.blake2b(content, digest_size=20).digest()

    def _content(self, path: str) -> Content:
        path = os.path.abspath(path)
        if path not in self.contents:
            self.unanswered.add(("text", path))
            return Unreadable("the file was not sent", path)
        return self.contents[path]


def pack(content: Content) -> bytes:
    return zlib.compress(pickle.dumps(content), 1)


_one_at_a_time = threading.Lock()  # a worker may have several threads, and linting is for one


def do(work: Callable[[Sequence[Job]], list[Outcome]], parcel: Parcel, contents: Mapping[str, bytes]) -> Reply:
    """Do what was sent, on the machine to which it was sent."""
    from jaxlint.hazards.installed import PluginError

    with _one_at_a_time:
        try:
            plugins, jobs, answers = pickle.loads(zlib.decompress(parcel.packed))
        except PluginError as error:
            return Reply([], problem=f"cannot load `plugins`: {error}")
        here = tool(plugins)
        differing = [f"{name} {of} here and {here[name]} there" for name, of in parcel.tool.items() if of != here[name]]
        if differing:
            return Reply([], problem=f"is not the same: {', '.join(differing)}")
        disk = Sent(answers, {path: pickle.loads(zlib.decompress(packed)) for path, packed in contents.items()})
        with looking_at(disk):
            outcomes = work(jobs)
    return Reply([] if disk.unanswered else outcomes, frozenset(disk.unanswered))


def tool(plugins: Iterable[str]) -> dict[str, str]:
    """What decides about outcomes beside what is sent: jaxlint, its parser, its Python, and plugins."""
    from importlib.metadata import version

    from jaxlint.hazards.foreign import files

    own = Path(jaxlint.__file__).parent
    return {
        "jaxlint": f"{__version__} ({_digest(path for path in own.rglob('*') if path.suffix in ('.py', '.json'))})",
        "libcst": version("libcst"),
        "Python": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "system": os.name,
        **{f"plugin {plugin}": _digest(map(Path, files([plugin]))) for plugin in plugins},
    }


def _digest(paths: Iterable[Path]) -> str:
    """Of files by their names and contents."""
    state = hashlib.blake2b(digest_size=4)
    for path in sorted(paths):
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


# --- on the machine that sends ----------------------------------------------------------------


def questions(jobs: Iterable[Job]) -> dict[Question, Answer]:
    """What doing the jobs is likely to ask, with the answers."""
    asked: dict[Question, Answer] = {}
    for job in jobs:
        loader = resolver.loader(job.config.project)
        loader.look_around(job.filename)
        asked.update(loader.asked)
    return asked


def answers(unanswered: Iterable[Question], jobs: Iterable[Job]) -> dict[Question, Answer]:
    """The answers to what was asked nevertheless, and what follows from them."""
    found: dict[Question, Answer] = {}
    for question, path in unanswered:
        if question == "text":
            for project in dict.fromkeys(job.config.project for job in jobs):
                loader = resolver.loader(project)
                loader.look_around(path)
                found.update(loader.asked)
        else:
            found[question, path] = os.path.isfile(path) if question == "file" else os.path.isdir(path)
    return found


def received(outcomes: Sequence[Outcome], jobs: Sequence[Job]) -> list[Outcome]:
    """Outcomes with files named as they are named here."""
    return [_Names(job).of(outcome) for job, outcome in zip(jobs, outcomes, strict=True)]


class _Names:
    """How files are called in the outcome of a job: relative to the working directory where its own file is."""

    def __init__(self, job: Job) -> None:
        self.own = job.filename
        self.path = os.path.abspath(job.filename)
        self.relative = not os.path.isabs(job.filename)

    def name(self, path: str) -> str:
        if path == self.path:
            return self.own
        return os.path.relpath(path) if self.relative and os.path.isabs(path) else path

    def of(self, outcome: Outcome) -> Outcome:
        named = copy(outcome)
        named.filename = self.name(outcome.filename)
        named.diagnostics = [*map(self._diagnostic, outcome.diagnostics)]
        named.source = self._source(outcome.source)
        named.before = self._source(outcome.before)
        named.fixed = [*map(self._diagnostic, outcome.fixed)]
        named.elsewhere = [CrossFileDiagnostic(*map(self._diagnostic, each)) for each in outcome.elsewhere]
        named.silenced = [*map(self._silenced, outcome.silenced)]
        return named

    def _diagnostic(self, each: Diagnostic) -> Diagnostic:
        related = tuple(replace(step, filename=self.name(step.filename)) for step in each.related)
        return replace(each, filename=self.name(each.filename), related=related)

    def _silenced(self, each: Silenced) -> Silenced:
        call = None if each.call is None else self._spot(each.call)
        return each._replace(place=self._spot(each.place), call=call, by=tuple(map(self._spot, each.by)))

    def _spot(self, spot: Spot) -> Spot:
        return spot._replace(filename=self.name(spot.filename))

    def _source(self, source: Source | None) -> Source | None:
        return None if source is None else source.called(self.name(source.filename))
