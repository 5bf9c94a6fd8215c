"""Configuration: the options of ``[tool.jaxlint]`` and of the command line, checked and merged.

The configuration of a file is that of the nearest ``pyproject.toml`` above it that has the table.
Globs are those of gitignore, and relative to the folder of that ``pyproject.toml``.
"""

from __future__ import annotations

import difflib
import functools
import os
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional

from jaxlint import rules, target
from jaxlint.declared import specifiers
from jaxlint.rule import Rule
from jaxlint.safety import Safety
from jaxlint.wrapping import LINE_LENGTH

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

OUTPUT_FORMATS = ("full", "concise", "grouped", "json", "json-lines", "sarif", "github", "gitlab", "junit", "html")

DEFAULT_EXCLUDE = tuple(
    f"{name}/"
    for name in (
        ".eggs", ".git", ".hg", ".svn", ".mypy_cache", ".nox", ".pytest_cache", ".ruff_cache", ".tox", ".venv",
        ".jaxlint_cache", "__pycache__", "__pypackages__", "build", "dist", "node_modules", "site-packages", "venv",
    )
)  # fmt: skip

# Benchmarks are among them: they, too, make up data, and compile on purpose.
DEFAULT_TEST_FILES = (
    "test_*.py", "*_test.py", "tests/", "bench_*.py", "*_benchmark.py", "benchmark/", "benchmarks/",
)  # fmt: skip


class ConfigError(Exception):
    """An option that cannot be used; says which, where, and what would do (JAX903)."""

    def __init__(self, message: str, filename: Optional[str] = None, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.filename = filename  # None: the command line
        self.row = row
        self.column = column

    def __str__(self) -> str:
        return f"{self.filename}:{self.row}: {self.message}" if self.filename else self.message

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.filename, self.row, self.column)


@dataclass(frozen=True)
class Config:
    """The options that govern a file. Fields below ``path`` are the options, with ``_`` for ``-``."""

    root: str = field(default_factory=os.getcwd)  # absolute folder that globs are relative to
    declared: tuple[tuple[str, str], ...] = ()  # package -> specifier, from the project's dependencies
    path: Optional[str] = None  # the pyproject.toml; None where there is none
    select: tuple[str, ...] = ()  # empty: the default set
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    preview: bool = False
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    target_jax: Optional[str] = None  # a specifier; None: what the project declares, else the newest known release
    test_files: tuple[str, ...] = DEFAULT_TEST_FILES
    unsafe_fixes: bool = False
    fixable: Optional[tuple[str, ...]] = None  # None: every rule
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()
    line_length: int = LINE_LENGTH  # of what fixes write; that of Ruff or Black where the file has theirs
    output_format: str = "full"
    cache_dir: str = ".jaxlint_cache"  # relative to ``root``

    @property
    def decisive(self) -> tuple[Any, ...]:
        """What decides about the findings in a file and their fixes, beside its text and its name."""
        return (
            self.root, self.declared, self.select, self.extend_select, self.ignore, self.per_file_ignores, self.preview,
            self.target_jax, self.test_files, self.fixable, self.unfixable, self.extend_safe_fixes,
            self.extend_unsafe_fixes,
        )  # fmt: skip

    @property
    def cache(self) -> str:
        """The folder of results of earlier runs."""
        return os.path.join(self.root, self.cache_dir)

    @functools.cached_property
    def codes(self) -> frozenset[str]:
        """Codes of the rules that are on, before per-file ignores."""
        return rules.select(self.select, self.ignore, self.extend_select, self.preview)

    @functools.cached_property
    def safety(self) -> Safety:
        """How far fixes are trusted."""
        return Safety(self.extend_safe_fixes, self.extend_unsafe_fixes, self.fixable, self.unfixable)

    @functools.cached_property
    def target(self) -> target.Target:
        """The releases of JAX and its libraries that the code must run on."""
        found = target.of(dict(self.declared))
        return found if self.target_jax is None else found.but(target.admitted(self.target_jax))

    def enabled(self, rule: Rule) -> bool:
        return rule.code in self.codes

    def enabled_for(self, rule: Rule, path: str) -> bool:
        """Whether ``rule`` is on in the file ``path``."""
        return rule.code in self.codes_for(path)

    def codes_for(self, path: str) -> frozenset[str]:
        """Codes of the rules that are on in the file ``path``."""
        off: set[str] = set()
        for spec, codes in self._ignored:
            if self._matches(spec, path):
                off |= codes
        if self._off_in_tests and self.is_test(path):
            off |= self._off_in_tests
        return self.codes - off

    def is_test(self, path: str) -> bool:
        """Whether ``path`` holds tests or benchmarks, which draw from one key twice on purpose more often than not."""
        return self._matches(self._test_spec, path)

    @functools.cached_property
    def exclude_spec(self) -> "GitIgnoreSpec":
        """What walking a folder leaves out."""
        return _spec(self.exclude + self.extend_exclude)

    @functools.cached_property
    def _test_spec(self) -> "GitIgnoreSpec":
        return _spec(self.test_files)

    @functools.cached_property
    def _ignored(self) -> tuple[tuple["GitIgnoreSpec", frozenset[str]], ...]:
        return tuple(
            (_spec((glob,)), frozenset(rule.code for selector in selectors for rule in rules.matching(selector)))
            for glob, selectors in self.per_file_ignores
        )

    @functools.cached_property
    def _off_in_tests(self) -> frozenset[str]:
        named = {selector.lower() for selector in self.select + self.extend_select}
        return frozenset(
            rule.code
            for rule in rules.all_rules()
            if not rule.in_tests and rule.code in self.codes and not named & {rule.code.lower(), rule.name}
        )

    def _matches(self, spec: "GitIgnoreSpec", path: str) -> bool:
        return spec.match_file(relative(path, self.root))

    def __getstate__(self) -> dict[str, Any]:
        # What is derived is derived again in a worker; compiled globs need not travel.
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def relative(path: str, root: str) -> str:
    """``path`` relative to ``root`` with forward slashes; the whole path where it is not below it."""
    absolute = os.path.abspath(path)
    try:
        inside = os.path.commonpath([absolute, root]) == root
    except ValueError:  # different drives
        inside = False
    return (os.path.relpath(absolute, root) if inside else absolute).replace(os.sep, "/")


def _spec(globs: tuple[str, ...]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(globs)


class Configs:
    """Finds the configuration of files, from each file upwards. Every pyproject.toml is read once.

    ``overrides`` are options given on the command line, by their name in ``Config``; None stands
    for one that is not given. They outrank every file: ``select`` replaces the file's ``select``,
    ``extend-select`` and ``ignore``, and ``fixable`` its ``fixable`` and ``unfixable``; ``extend_select``,
    ``ignore``, ``extend_exclude`` and ``unfixable`` add to the file's; the others replace. Raises
    ConfigError for an override that cannot be used.

    A file that cannot be used is added to ``problems`` once, and the defaults stand in for it.
    """

    def __init__(self, overrides: Optional[Mapping[str, Any]] = None) -> None:
        given = {name: value for name, value in (overrides or {}).items() if value is not None}
        self.overrides = {
            name: _checked(name.replace("_", "-"), value, lambda option: f"--{option}")
            for name, value in given.items()
        }
        self.problems: list[ConfigError] = []
        self._by_folder: dict[str, Config] = {}
        self._declared: dict[str, tuple[tuple[str, str], ...]] = {}

    def for_file(self, path: str) -> Config:
        """The configuration of a file, which need not exist."""
        return self.for_folder(os.path.dirname(os.path.abspath(path)))

    def for_folder(self, folder: str) -> Config:
        """The configuration of the files directly in ``folder``."""
        folder = os.path.abspath(folder)
        config = self._by_folder.get(folder)
        if config is None:
            config = replace(self._find(folder), declared=self._declared_for(folder))
            self._by_folder[folder] = config
        return config

    def _declared_for(self, folder: str) -> tuple[tuple[str, str], ...]:
        """What the project around ``folder`` declares of its dependencies."""
        found = self._declared.get(folder)
        if found is None:
            own = specifiers(folder)
            above = os.path.dirname(folder)
            if own is not None:
                found = tuple(sorted(own.items()))
            elif above == folder or os.path.exists(os.path.join(folder, ".git")):
                found = ()
            else:
                found = self._declared_for(above)
            self._declared[folder] = found
        return found

    def _find(self, folder: str) -> Config:
        path = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(path):
            try:
                options = read(path)
            except ConfigError as error:
                self.problems.append(error)
                options = {}
            if options is not None:
                return self._merge(Config(root=folder, path=path, **options))
        above = os.path.dirname(folder)
        if above == folder:
            return self._merge(Config())
        return self.for_folder(above)

    def _merge(self, config: Config) -> Config:
        options = dict(self.overrides)
        if "select" in options:
            config = replace(config, extend_select=(), ignore=())
        if "fixable" in options:
            config = replace(config, unfixable=())
        for name in ("extend_select", "ignore", "extend_exclude", "unfixable"):
            if name in options:
                options[name] = getattr(config, name) + options[name]
        return replace(config, **options)


def read(path: str) -> Optional[dict[str, Any]]:
    """Options of the ``[tool.jaxlint]`` table of a pyproject.toml; None where it has no such table.

    Raises ConfigError.
    """
    try:
        with open(path, "rb") as file:
            raw = file.read()
    except OSError as error:
        raise ConfigError(f"cannot read the file: {error.strerror}; check its permissions", path) from error
    if b"jaxlint" not in raw:
        return None  # not ours, so not ours to complain about either
    text, document = _parse_toml(raw, path)
    tool = document.get("tool", {})
    if not isinstance(tool, dict) or "jaxlint" not in tool:
        return None
    table = tool["jaxlint"]
    if not isinstance(table, dict):
        raise ConfigError("`tool.jaxlint` must be a table: write `[tool.jaxlint]`", path, _row(text, "jaxlint"))
    options: dict[str, Any] = {}
    for formatter in ("black", "ruff"):
        length = tool[formatter].get("line-length") if isinstance(tool.get(formatter), dict) else None
        if isinstance(length, int) and length >= 40:  # whether it makes sense is theirs to say
            options["line_length"] = length
    for option, value in table.items():
        try:
            options[option.replace("-", "_")] = _checked(option, value, lambda name: f"`{name}` in [tool.jaxlint]")
        except ConfigError as error:
            raise ConfigError(error.message, path, _row(text, option)) from None
    return options


def _parse_toml(raw: bytes, path: str) -> tuple[str, dict[str, Any]]:
    try:
        import tomllib
    except ImportError:  # Python 3.10
        import tomli as tomllib  # type: ignore[no-redef]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        row = raw[: error.start].count(b"\n") + 1
        raise ConfigError("not valid UTF-8, which TOML must be; save the file as UTF-8", path, row) from error
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        row, column = (int(where[1]), int(where[2])) if where else (text.count("\n") + 1, 1)
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise ConfigError(f"not valid TOML: {reason}; mend the line", path, row, column) from error


def _row(text: str, option: str) -> int:
    """Row on which ``option`` is set, as well as it can be told without positions from the parser."""
    table = re.search(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*[\"']?jaxlint", text, re.MULTILINE)
    start = table.start() if table else 0
    key = re.compile(rf"^[ \t]*(?:\[[^\]\n]*)?[\"']?{re.escape(option)}[\"']?[ \t]*[=.\]]", re.MULTILINE)
    match = key.search(text, start) or table
    return text.count("\n", 0, match.start()) + 1 if match else 1


# --- checking of values ----------------------------------------------------------------------


def _checked(option: str, value: Any, where: Callable[[str], str]) -> Any:
    """``value`` as ``Config`` keeps it. Raises ConfigError, which names the option by ``where``."""
    check = _CHECKS.get(option)
    if check is None:
        nearest = difflib.get_close_matches(option, _CHECKS, n=1, cutoff=0.5)
        hint = f"; did you mean `{nearest[0]}`?" if nearest else f"; the options are {', '.join(sorted(_CHECKS))}"
        raise ConfigError(f"unknown option {where(option)}{hint}")
    try:
        return check(value)
    except _Unfit as unfit:
        raise ConfigError(f"{where(option)} {unfit}") from None


class _Unfit(Exception):
    """Why a value does not fit its option; the text follows the name of the option."""


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Unfit(f"must be true or false, not {_shown(value)}")
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise _Unfit(f"must be a list of strings, not {_shown(value)}")
    return tuple(value)


def _selectors(value: Any) -> tuple[str, ...]:
    for selector in _strings(value):
        try:
            rules.matching(selector)
        except rules.UnknownRule as unknown:
            raise _Unfit(f"is wrong: {unknown}") from None
    return tuple(value)


def _globs(value: Any) -> tuple[str, ...]:
    for glob in _strings(value):
        try:
            _spec((glob,))
        except ValueError:
            raise _Unfit(f"is wrong: {glob!r} is not a gitignore pattern") from None
    return tuple(value)


def _ignores(value: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, Mapping):
        raise _Unfit(f'must be a table such as {{"tests/" = ["JAX103"]}}, not {_shown(value)}')
    return tuple((_globs([glob])[0], _selectors(selectors)) for glob, selectors in value.items())


def _specifier(value: Any) -> str:
    if not isinstance(value, str):
        raise _Unfit(f'must be a release of jax such as "0.6.2", or a specifier such as ">=0.4.30,<0.8", not {_shown(value)}')
    try:
        target.admitted(value)
    except target.TargetError as error:
        raise _Unfit(str(error)) from None
    return value


def _format(value: Any) -> str:
    if value not in OUTPUT_FORMATS:
        raise _Unfit(f"must be one of {', '.join(OUTPUT_FORMATS)}, not {_shown(value)}")
    return value


def _length(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 40 <= value <= 1000:
        raise _Unfit(f"must be a number of columns from 40 to 1000, not {_shown(value)}")
    return value


def _path(value: Any) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise _Unfit(f"must be the path of a folder, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    kinds: dict[type, str] = {bool: "the boolean", str: "the string", int: "the number", float: "the number"}
    kind = kinds.get(type(value))
    if kind is None:
        return f"a {'table' if isinstance(value, Mapping) else type(value).__name__}"
    return f"{kind} {str(value).lower() if isinstance(value, bool) else repr(value)}"


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "select": _selectors,
    "extend-select": _selectors,
    "ignore": _selectors,
    "per-file-ignores": _ignores,
    "preview": _boolean,
    "exclude": _globs,
    "extend-exclude": _globs,
    "force-exclude": _boolean,
    "target-jax": _specifier,
    "test-files": _globs,
    "unsafe-fixes": _boolean,
    "fixable": _selectors,
    "unfixable": _selectors,
    "extend-safe-fixes": _selectors,
    "extend-unsafe-fixes": _selectors,
    "line-length": _length,
    "output-format": _format,
    "cache-dir": _path,
}
