"""The project's other modules: where an import leads, and the IR of what is there.

An import is followed when it leads to a file of the project: a relative one, or an absolute one
whose package lies beside the importing file's own top-level package, in the project's root or in
its ``src``, else in another of its source folders. Libraries that the model knows by name, the standard library and installed packages
are never read.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import (
    TYPE_CHECKING,
    Any,
    NamedTuple,
    TypeVar,
)

from jaxlint.project.sources import Project
from jaxlint.source.libraries import LIBRARIES, MODELLED
from jaxlint.source.limits import MAX_CHARACTERS
from jaxlint.source.reading import read_source
from jaxlint.source.relevance import is_plain_python, touches_jax
from jaxlint.source.text import Source, SourceError

if TYPE_CHECKING:
    from jaxlint.ir import nodes as ir
    from jaxlint.project.custom_names import Conventions
    from jaxlint.project.ir_cache import Lowered
    from jaxlint.project.reexports import HandedOn
    from jaxlint.source.text import Spans

# Libraries whose sources are read in their own trees: the modules whose names begin so, for the rest is known better.
_READ_AT_HOME = {each.name: each.read_at_home for each in LIBRARIES}
# Nodes of lowered files that are kept at hand (about 130 bytes each).
MAX_NODES = 600_000

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([\w., \t]+))", re.MULTILINE
)


_T = TypeVar("_T")
# A path, and what is asked of it: whether there is a "file" or a "folder", or the "text" that it holds; or which folders hold a
# "package" of the project, by its name below the folder of the project.
Question = tuple[str, str]
Answer = bool | tuple[str, ...]


# What an import statement names: the level of a relative import, the module, and a name in it or nothing.
ImportedName = tuple[int, str, str]


class Place(NamedTuple):
    """Where a module is: its file, and the folder of its submodules. A namespace package has no file."""

    file: str | None
    folder: str | None


class Disk:
    """Where files are looked for and read: the disk of this machine."""

    def __init__(self) -> None:
        self._loaders: dict[Project, Loader] = {}

    def loader(self, project: Project) -> Loader:
        """The one that serves all files of a project."""
        if project not in self._loaders:
            self._loaders[project] = Loader(project)
        return self._loaders[project]

    def anew(self, project: Project) -> Loader:
        """One that has not looked at anything yet, in the place of that one."""
        self._loaders[project] = Loader(project)
        return self._loaders[project]

    def answer(self, question: str, path: str) -> bool:
        """Whether there is such a file or folder."""
        return self.is_file(path) if question == "file" else self.is_folder(path)

    def is_file(self, path: str) -> bool:
        return os.path.isfile(path)

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path)

    def read(self, path: str) -> Source:
        """The text of a file. Raises SourceError."""
        return read_source(path)

    def lower(self, path: str) -> ir.Unit:
        """The IR of a file. Raises SourceError."""
        from jaxlint.ir.lowering import lower  # a run that takes all from the cache does without

        return lower(self.read(path))

    def spans(self, source: Source, unit: ir.Unit | None) -> Spans:
        """Where the nodes of a file stand, of which ``unit`` may be the IR. Raises SourceError."""
        from jaxlint.ir.lowering import lower, positions

        return positions(lower(source) if unit is None or unit.positions is None else unit)

    def stamp(self, path: str) -> Hashable | None:
        """What changes when the text of a file does; None where there is none."""
        try:
            status = os.stat(path)
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size


class _Overlay(Disk):
    """A disk on which some files hold other texts, by their real paths."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        super().__init__()
        self.sources = sources

    def read(self, path: str) -> Source:
        source = self.sources.get(os.path.realpath(path))
        return super().read(path) if source is None else source.called(path)

    def stamp(self, path: str) -> Hashable | None:
        source = self.sources.get(os.path.realpath(path))
        return super().stamp(path) if source is None else source.raw


_kept: dict[str, Lowered] = {}
_disk = Disk()
_OWN = Disk()  # where jaxlint itself is installed


@contextmanager
def looking_at(disk: Disk) -> Iterator[None]:
    """Within this, files are those of ``disk``."""
    global _disk
    before, _disk = _disk, disk
    try:
        yield
    finally:
        _disk = before


def edited(sources: Mapping[str, Source]) -> AbstractContextManager[None]:
    """Within this, the files hold what ``sources`` say, by their real paths, and not what is on the disk."""
    return looking_at(_Overlay(sources))


def read(file: str) -> Source:
    """The text of a file. Raises SourceError."""
    return _disk.read(file)


def lowered(file: str) -> ir.Unit:
    """The IR of a file. Raises SourceError."""
    return _disk.lower(file)


def spans(source: Source, unit: ir.Unit | None) -> Spans:
    """Where the nodes of a file stand, of which ``unit`` may be the IR. Raises SourceError."""
    return _disk.spans(source, unit)


def is_of_no_concern(source: Source, conventions: Conventions, loader: Loader) -> bool:
    """Whether nothing can be found in a file, and nothing be wrong with it, which can be told without parsing it."""
    text = source.text
    if source.errors:
        return False
    if touches_jax(text) or "JAX" in text or conventions.may_be_in(text):
        return False
    # A text that is too long to be parsed is let pass where it holds data and nothing of JAX.
    return not loader.leads_to_jax(source) and (len(text) > MAX_CHARACTERS or is_plain_python(text))


def loader(project: Project) -> Loader:
    """The loader of a project, with nothing asked of it yet; it remembers what it has found for other files."""
    found = _disk.loader(project)
    found.asked = {}
    return found


def later(project: Project) -> Loader:
    """The loader of a project when time has passed: it remembers what modules hold, where the disk still answers as it did."""
    before = _disk.loader(project)
    found = _disk.anew(project)
    answers = functools.cache(found.answer)  # modules that use each other ask the same
    for key, known in before.evaluated.items():
        found.evaluated[key] = [
            each
            for each in known
            if all(answers(*question) == answer for question, answer in each.asked.items() if question[0] != "text")
        ]
    return found


def imported_names(text: str) -> list[ImportedName]:
    """What the import statements of a text name. A line that merely looks like one counts as well, and does no harm."""
    found: list[ImportedName] = []
    for match in _IMPORT.finditer(text):
        dots, module, names, modules = match.groups()
        if modules is not None:
            found += [(0, each.split()[0], "") for each in modules.split(",") if each.split()]
        elif module or dots:
            inner = re.findall(r"\w+", names)
            found += [(len(dots), module, name) for name in inner or [""]]
    return found


class Loader:
    """Finds and reads the modules that roots import.

    Where a module is, is looked up once; a loader serves one run. ``asked`` is what was asked of the
    file system since it was last emptied, with the answers, those from memory included: what a result depends on.
    That a text was read is noted, and not what it was.
    """

    def __init__(self, project: Project) -> None:
        self.root = project.root
        self._sources = project.sources
        self.asked: dict[Question, Answer] = {}
        self._known: dict[Hashable, tuple[Any, dict[Question, Answer]]] = {}
        self._absolute: dict[str, str] = {}
        self._borrowed: dict[str, Lowered | None] | None = None
        # What the modules of the project hold, of ``analysis.interpreter.module_summary``.
        self.evaluated: dict[Hashable, list[Any]] = {}
        self.makers: dict[int, bool] = {}  # functions of these modules, and whether a call of them may show anything
        self.computing: dict[int, bool] = {}  # these functions, and whether they leave their arguments as they are
        self.drawing: dict[int, bool] = {}  # these modules, and whether they may draw random numbers

    def _recall(self, key: Hashable, find: Callable[[], _T]) -> _T:
        """What ``find`` gives, from memory where it was asked before."""
        if key not in self._known:
            outer, self.asked = self.asked, {}
            self._known[key] = find(), self.asked
            self.asked = outer
        found: _T
        found, asked = self._known[key]
        self.asked.update(asked)
        return found

    def locate(self, importer: str, module: str, level: int = 0) -> Place | None:
        """The place of ``module`` as the file ``importer`` imports it, None for what is not of the project."""
        key = ("module", os.path.dirname(importer), module, level)
        return self._recall(key, lambda: self._locate(importer, module, level))

    def _locate(self, importer: str, module: str, level: int) -> Place | None:
        parts = module.split(".") if module else []
        if level:
            folder = os.path.dirname(importer)
            for _ in range(level - 1):
                folder = os.path.dirname(os.path.abspath(folder))
            return self._descend(Place(self._file(os.path.join(folder, "__init__")), folder or "."), parts)
        base = self._recall(("base", os.path.dirname(importer)), lambda: self._above_packages(importer))
        known = parts[0] in MODELLED or parts[0] in sys.stdlib_module_names
        if known:
            private = _READ_AT_HOME.get(parts[0])
            if private is None or not any(part.startswith(private) for part in parts[1:] or parts):
                return None
        installed = os.path.basename(os.path.abspath(base)) in ("site-packages", "dist-packages")
        if installed and parts[0] != _top(importer, base):
            return None
        # A package without `__init__.py` is known by its name alone, which a folder around the importer may bear.
        around = [] if installed else [_above(base, parts[0]), self.root, os.path.join(self.root, "src")]
        without_init = None
        for folder in filter(None, dict.fromkeys([base, *around])):
            if known and not self._is_folder(os.path.join(folder, parts[0])):
                continue  # a file that merely bears the name
            found = self._descend(Place(None, folder), parts)
            if found is not None and found.file is not None:
                return found
            without_init = without_init or found
        # A folder without `__init__.py` is a package only where nothing else is, such as the checkout of that name.
        return without_init or (None if known or installed else self._elsewhere(importer, parts))

    def _elsewhere(self, importer: str, parts: list[str]) -> Place | None:
        """The place of a module in a source folder of the project; of several in the one that is nearest to the importer."""
        here = os.path.realpath(os.path.dirname(importer)) + os.sep
        project = self._sources.folder
        if not project or not here.startswith(project.rstrip(os.sep) + os.sep):
            return None
        folders = self._ask_package(parts[0])
        places = {folder: self._descend(Place(None, folder), parts) for folder in folders}
        found = {folder: place for folder, place in places.items() if place is not None}
        # A folder without `__init__.py` is a package only where nothing else is.
        found = {folder: place for folder, place in found.items() if place.file is not None} or found
        near = {folder: len(os.path.commonpath([here, folder])) for folder in found}
        nearest = [folder for folder, length in near.items() if length == max(near.values())]
        return found[nearest[0]] if len(nearest) == 1 else None

    def child(self, place: Place, name: str) -> Place | None:
        """The submodule ``name`` of a package."""
        return self._recall(("child", place, name), lambda: self._descend(place, [name]))

    def leads_to_jax(self, source: Source) -> bool:
        """Whether a module of the project that this one imports, directly or not, mentions JAX."""
        seen: set[str] = set()
        todo = self._files(source.filename, source.text)
        while todo:
            file = todo.pop()
            if file in seen:
                continue
            seen.add(file)
            mentions, imported = self._recall(("text", file), lambda: self._read(file))  # noqa: B023  called at once
            if mentions:
                return True
            todo += imported
        return False

    def _read(self, file: str) -> tuple[bool, tuple[str, ...]]:
        """Whether a file mentions JAX, and the files of the project that it imports if it does not."""
        text = self._text(file)
        return (True, ()) if touches_jax(text) else (False, tuple(self._files(file, text)))

    def package_mentions(self, file: str, word: str) -> bool:
        """Whether the package of a file, or a module that the package imports, directly or not, mentions a word."""
        return self._recall(("mentions", os.path.dirname(file), word), lambda: self._package_mentions(file, word))

    def _package_mentions(self, file: str, word: str) -> bool:
        package = self.locate(file, "", 1)
        seen: set[str] = set()
        todo = [package.file] if package is not None and package.file is not None else []
        while todo:
            each = todo.pop()
            if each in seen:
                continue
            seen.add(each)
            text = self._text(each)
            if word in text:
                return True
            todo += self._files(each, text)
        return False

    def look_around(self, file: str) -> None:
        """Ask all that linting ``file`` is likely to ask, of the modules that it seems to import, directly or not."""
        seen: set[str] = set()
        todo = [file]
        while todo:
            file = todo.pop()
            if file not in seen:
                seen.add(file)
                todo += self._recall(("imports", file), lambda: self._files(file, self._text(file)))  # noqa: B023

    def _text(self, file: str) -> str:
        """The text of a file, or none where it cannot be read."""
        return self.text(file) or ""

    def _files(self, importer: str, text: str) -> list[str]:
        return self.imported_files(importer, imported_names(text))

    def imported_files(self, importer: str, names: Iterable[ImportedName]) -> list[str]:
        """The files of the project that import statements of the file ``importer`` name, packages of modules included."""
        return [place.file for place in self._places(importer, names) if place.file is not None]

    def _places(self, importer: str, names: Iterable[ImportedName]) -> Iterator[Place]:
        for level, module, name in names:
            place = self.locate(importer, module, level)
            if place is not None:
                yield place
                inner = self.child(place, name) if name else None
                if inner is not None:
                    yield inner

    def modules_run(self, importer: str, module: str, level: int, name: str) -> list[str] | None:
        """The files that one import runs, the packages around the module included; None where the project has no such module."""
        parts = module.split(".") if module else []
        places = [self.locate(importer, ".".join(parts[: n + 1]), level) for n in range(len(parts))]
        places = places or [self.locate(importer, "", level)]
        last = places[-1]
        inner = self.child(last, name) if last is not None and name else None
        if None in places or (last is not None and last.file is None and name and inner is None):
            return None
        return [place.file for place in [*places, inner] if place is not None and place.file is not None]

    def text(self, file: str) -> str | None:
        """The text of a file; None where it cannot be read."""
        self._ask("text", file)
        try:
            return read(file).text
        except SourceError:
            return None

    def dotted(self, file: str) -> tuple[str, ...]:
        """Dotted names under which the module in ``file`` can be imported: from around its packages, or in the project."""
        return self._recall(("dotted", file), lambda: self._dotted(os.path.abspath(file)))

    def _dotted(self, file: str) -> tuple[str, ...]:
        root = os.path.abspath(self.root)
        found = []
        for folder in dict.fromkeys([self._above_packages(file), os.path.join(root, "src"), root]):
            if file.startswith(folder.rstrip(os.sep) + os.sep):
                parts = os.path.relpath(file, folder).removesuffix(".py").split(os.sep)
                found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
        return tuple(filter(None, dict.fromkeys(found)))

    def same(self, file: str, other: str) -> bool:
        return os.path.abspath(file) == os.path.abspath(other)

    def module(self, file: str) -> Lowered | None:
        """The module in ``file``; None where it cannot be read or parsed."""
        from jaxlint.source.library_sources import is_source

        if is_source(file):
            with looking_at(_OWN):
                return load(file)
        self._ask("text", file)
        if self._borrowed is None:
            return load(file)
        if file not in self._borrowed:
            self._borrowed[file] = load(file)
        return self._borrowed[file]

    @contextmanager
    def borrowing(self) -> Iterator[None]:
        """Within this, for one root, each module is looked at once.

        What modules hold is forgotten before it, where it is much: a root that goes on refers to what it has found.
        """
        if (
            sum(len(each.lowered.tree.nodes) for known in self.evaluated.values() for each in known if each.lowered)
            > MAX_NODES
        ):
            self.evaluated.clear()
        self._borrowed = {}
        try:
            yield
        finally:
            self._borrowed = None

    def handed_on(self, file: str, name: str) -> HandedOn | None:
        """What a module merely hands on under a name, as far as its text says."""
        from jaxlint.project.reexports import handed_on

        return self._recall(("handed on", file, name), lambda: handed_on(self, file, name))

    @property
    def read_files(self) -> frozenset[str]:
        """Real paths of the files that were read since ``asked`` was last emptied."""
        return frozenset(os.path.realpath(path) for question, path in self.asked if question == "text")

    # --- questions to the file system ----------------------------------------------------------

    def answer(self, question: str, path: str) -> Answer:
        """What is answered to a question today."""
        if question == "package":
            return self._sources.of(os.path.basename(path))
        return _disk.answer(question, path)

    def _ask_package(self, name: str) -> tuple[str, ...]:
        folders = self._sources.of(name)
        self.asked["package", os.path.join(self._sources.folder, name)] = folders
        return folders

    def _ask(self, question: str, path: str, answer: bool = True) -> bool:
        known = self._absolute.get(path)
        if known is None:
            known = self._absolute[path] = os.path.abspath(path)
        self.asked[question, known] = answer
        return answer

    def _is_file(self, path: str) -> bool:
        return self._ask("file", path, _disk.is_file(path))

    def _is_folder(self, path: str) -> bool:
        return self._ask("folder", path, _disk.is_folder(path))

    def _descend(self, place: Place, parts: list[str]) -> Place | None:
        for part in parts:
            if place.folder is None:
                return None
            inner = os.path.join(place.folder, part)
            file = self._file(os.path.join(inner, "__init__"))
            if file is not None:
                place = Place(file, inner)
                continue
            file = self._file(inner)
            if file is not None:
                place = Place(file, None)
                continue
            if not self._is_folder(inner) or not part.isidentifier():
                return None
            place = Place(None, inner)
        return place

    def _file(self, stem: str) -> str | None:
        file = stem + ".py"
        return os.path.normpath(file) if self._is_file(file) else None

    def _above_packages(self, file: str) -> str:
        """The folder from which the file's own top-level package is imported."""
        folder = os.path.dirname(os.path.abspath(file))
        while self._is_file(os.path.join(folder, "__init__.py")):
            folder = os.path.dirname(folder)
        return folder


def load(file: str) -> Lowered | None:
    """The lowered file, from memory where it has not changed; None where it cannot be read or parsed."""
    stamp = _disk.stamp(file)
    if stamp is None:
        return None
    path = os.path.abspath(file)
    kept = _kept.get(path)
    if kept is not None and kept.stamp == stamp:
        _kept[path] = _kept.pop(path)  # the last that is forgotten
    else:
        from jaxlint.project.ir_cache import Lowered

        try:
            kept = _keep(file, Lowered(stamp, lowered(file).tree))
        except SourceError:
            return None
    return kept


def kept(file: str) -> ir.Unit | None:
    """The unit of a file that was read for another root and has not changed since; it has no tree."""
    found = _kept.get(os.path.abspath(file))
    if found is None or found.stamp != _disk.stamp(file):
        return None
    from jaxlint.ir import nodes as ir

    return ir.Unit(found.tree, file)


def keep(file: str, unit: ir.Unit) -> None:
    """Remember a file that was lowered to be linted."""
    stamp = _disk.stamp(file)
    if stamp is not None:
        from jaxlint.project.ir_cache import Lowered

        _keep(file, Lowered(stamp, unit.tree))


def _keep(file: str, kept: Lowered) -> Lowered:
    """Remember a lowered file, and forget those that were not used for longest where there are too many."""
    path = os.path.abspath(file)
    _kept.pop(path, None)
    _kept[path] = kept
    total = sum(len(each.tree.nodes) for each in _kept.values())
    while total > MAX_NODES and len(_kept) > 1:
        total -= len(_kept.pop(next(iter(_kept))).tree.nodes)
    return kept


def _above(folder: str, name: str) -> str | None:
    """The folder that holds a folder called ``name`` which is ``folder`` or is around it."""
    while os.path.basename(folder) != name:
        outer = os.path.dirname(folder)
        if outer == folder:
            return None
        folder = outer
    return os.path.dirname(folder)


def _top(file: str, base: str) -> str:
    return os.path.relpath(os.path.abspath(file), base).split(os.sep)[0].removesuffix(".py")
