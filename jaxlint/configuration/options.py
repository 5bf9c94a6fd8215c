"""The options of ``[tool.jaxlint]``: one entry for each says what it means, what it may hold, and what it is by default.

From here come the checking of values, the JSON schema, the reference of the configuration, and `jaxlint config`.
"""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from jaxlint.hazards.selectors import OF_PLUGINS, certainly_means_rules, may_mean_plugin
from jaxlint.project import custom_names
from jaxlint.source import patterns

OUTPUT_FORMATS = ("full", "concise", "grouped", "json", "json-lines", "sarif", "github", "gitlab", "junit", "html")

DEFAULT_EXCLUDE = tuple(
    f"{name}/"
    for name in (
        ".eggs", ".git", ".hg", ".svn", ".mypy_cache", ".nox", ".pytest_cache", ".ruff_cache", ".tox", ".venv",
        ".jaxlint_cache", ".ipynb_checkpoints", "__pycache__", "__pypackages__", "build", "dist", "node_modules", "site-packages", "venv",
    )
)  # fmt: skip

# Benchmarks are among them: they, too, make up data, and compile on purpose.
DEFAULT_TEST_FILES = (
    "test_*.py", "*_test.py", "tests/", "bench_*.py", "*_benchmark.py", "benchmark/", "benchmarks/",
)  # fmt: skip

LINE_LENGTH = 88  # that of Ruff and Black
MOST_REASONS = 50  # that are told of one file: to look for what was meant takes long, and anybody may have written it

# Folders at the root of file systems that hold other things than the folders of one project.
_OF_SYSTEMS = ("Users", "Volumes", "etc", "home", "mnt", "opt", "private", "root", "tmp", "usr", "var")


class Unfit(Exception):
    """Why a value does not fit its option: ``reasons`` are texts, each with the string in the value that it is about."""

    def __init__(self, *reasons: tuple[str, str | None]) -> None:
        super().__init__(*(text for text, _ in reasons))
        self.reasons = reasons


class Context(NamedTuple):
    """Where a value is given: ``root`` is the folder of the file, None on the command line.

    ``apart``: there are plugins that are not loaded, and the value may mean rules of theirs.
    """

    root: str | None = None
    apart: bool = False


class Kind(NamedTuple):
    """What a value may be: in words, as a JSON schema, and as a function that gives the value as ``Config`` keeps it."""

    words: str
    schema: Callable[[], dict[str, Any]]
    check: Callable[[Any, Context], Any]


class Option(NamedTuple):
    """One option. ``example`` is a line of TOML; ``absent`` says what holds where ``default`` is None or empty."""

    name: str
    group: str
    kind: Kind
    default: Any
    meaning: str
    example: str
    absent: str | None = None

    @property
    def field(self) -> str:
        """Its name in ``Config``."""
        return self.name.replace("-", "_")

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its values."""
        schema = {"description": self.meaning.replace("`", "")}
        if self.default is not None and not self.absent:
            schema["default"] = plain(self)
        return {**schema, **self.kind.schema()}


def plain(option: Option, *value: Any) -> Any:
    """A value as ``Config`` keeps it (the default, if none is given) in the form that TOML and JSON have for it."""
    kept = value[0] if value else option.default
    if option.kind in (IGNORES, TRANSFORMS, MIGRATIONS):
        return {name: list(held) if isinstance(held, tuple) else held for name, held in kept}
    return list(kept) if isinstance(kept, tuple) else kept


def checked(name: str, value: Any, shown_as: str, context: Context = Context()) -> Any:  # noqa: B008  immutable
    """The value of an option as ``Config`` keeps it. Raises Unfit, whose texts begin with the option as it is shown."""
    option = OPTIONS.get(name)
    if option is None:
        hint = _meant(name, OPTIONS) or f"the options are {', '.join(sorted(OPTIONS))}"
        raise _unfit(f"unknown option {shown_as}; {hint}")
    try:
        return option.kind.check(value, context)
    except Unfit as unfit:
        raise Unfit(*((f"{shown_as} {text}", part) for text, part in unfit.reasons)) from None


def default(name: str) -> Any:
    return OPTIONS[name].default


# --- what values may be ----------------------------------------------------------------------


def _unfit(text: str, part: str | None = None) -> Unfit:
    return Unfit((text, part))


def _meant(word: str, choices: Iterable[str]) -> str:
    """What is asked of somebody who wrote a word that is not known; empty where no choice is close to it."""
    from jaxlint.source.spelling import nearest  # only for those who mistype

    close = nearest(word, choices)
    return f"did you mean `{close}`?" if close else ""


def _each(values: Iterable[Any], check: Callable[[Any], Any]) -> tuple[Any, ...]:
    """What ``check`` gives for each of the values. Raises Unfit, with the reasons of those that do not fit."""
    found: list[Any] = []
    reasons: list[tuple[str, str | None]] = []
    for value in values:
        try:
            found.append(check(value))
        except Unfit as unfit:
            reasons += unfit.reasons
            if len(reasons) >= MOST_REASONS:
                break
    if reasons:
        raise Unfit(*reasons)
    return tuple(found)


def _boolean(value: Any, _: Context) -> bool:
    if not isinstance(value, bool):
        raise _unfit(f"must be true or false, not {shown(value)}")
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise _unfit(f"must be a list of strings, not {shown(value)}")
    others = [item for item in value if not isinstance(item, str)]
    if others:
        raise _unfit(f"must be a list of strings, not one with {shown(others[0])}")
    return tuple(value)


def _each_string(check: Callable[[str], str]) -> Callable[[Any, Context], tuple[str, ...]]:
    return lambda value, _: _each(_strings(value), check)


def _selectors(value: Any, context: Context) -> tuple[str, ...]:
    return _each(_strings(value), partial(_selector, context=context))


def _selector(selector: str, context: Context) -> str:
    if not certainly_means_rules(selector) and not (context.apart and may_mean_plugin(selector)):
        from jaxlint.hazards import registry  # which imports all rules

        try:
            registry.matching(selector)
        except registry.UnknownRule as unknown:
            raise _unfit(f"is wrong: {unknown}", selector) from None
    return selector


def _globs(value: Any, context: Context) -> tuple[str, ...]:
    return _each(_strings(value), partial(_glob, context=context))


def _glob(glob: str, context: Context) -> str:
    try:
        parsed = patterns.parse(glob)
    except patterns.PatternError:
        raise _unfit(f"is wrong: {glob!r} is not a gitignore pattern", glob) from None
    why = "it is empty or a comment; leave it out" if parsed is None else _matches_nothing(glob, context.root)
    if why:
        raise _unfit(f"is wrong: {glob!r} matches nothing: {why}", glob)
    return glob


def _matches_nothing(glob: str, root: str | None) -> str | None:
    """Why no path of a project can match a pattern, and what to write; None where one may."""
    body = glob.removeprefix("!")
    names = body.strip("/ ").split("/")
    if ".." in names:
        return "paths are relative to the folder of the pyproject.toml and never lead out of it, as `..` does"
    if "." in names:
        return f"no part of a path is `.`; write {'/'.join(name for name in names if name != '.') or '**'!r}"
    if names[0] == "~":
        return "`~` is not expanded; write a path relative to the folder of the pyproject.toml"
    if root is None:  # files of no project are matched by their whole paths
        return None
    inside = root.replace(os.sep, "/")
    if (body + "/").startswith(inside + "/") and inside.count("/") > 1:
        return f"it is an absolute path; write {body[len(inside) :] or '**'!r}, from the folder of the pyproject.toml"
    if re.match("[A-Za-z]:", body) or (
        body.startswith("/") and len(names) > 1 and names[0] in _OF_SYSTEMS and not os.path.exists(f"{root}/{names[0]}")
    ):
        return "it is an absolute path outside of the project; write one relative to the folder of the pyproject.toml"
    return None


def _table(value: Any, example: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _unfit(f"must be a table such as {example}, not {shown(value)}")
    return value


def _ignores(value: Any, context: Context) -> tuple[tuple[str, tuple[str, ...]], ...]:
    table = _table(value, '{"tests/" = ["JAX103"]}')
    checks: list[Callable[[], Any]] = [partial(_glob, glob, context) for glob in table]
    checks += [partial(_ignored, glob, selectors, context) for glob, selectors in table.items()]
    _each(checks, lambda check: check())
    return tuple((glob, tuple(selectors)) for glob, selectors in table.items())


def _ignored(glob: str, value: Any, context: Context) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise _unfit(f'must say for {glob!r} a list of rules such as ["JAX103"], not {shown(value)}', glob)
    return _selectors(value, context)


def _specifier(value: Any, _: Context) -> str:
    if not isinstance(value, str):
        raise _unfit(
            f'must be a release of jax such as "0.6.2", or a specifier such as ">=0.4.30,<0.8", not {shown(value)}'
        )
    from jaxlint.project import target

    try:
        target.chosen(value)
    except target.TargetError as error:
        raise _unfit(str(error)) from None
    return value


def _format(value: Any, _: Context) -> str:
    if not isinstance(value, str) or value not in OUTPUT_FORMATS:
        hint = _meant(value, OUTPUT_FORMATS) if isinstance(value, str) else ""
        raise _unfit(f"must be one of {', '.join(OUTPUT_FORMATS)}, not {shown(value)}{f'; {hint}' if hint else ''}")
    return value


def _length(value: Any, _: Context) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 40 <= value <= 1000:
        raise _unfit(f"must be a number of columns from 40 to 1000, not {shown(value)}")
    return value


def _path(value: Any, _: Context) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise _unfit(f"must be the path of a folder, not {shown(value)}")
    return value


def _name(name: str) -> str:
    if not custom_names.is_pattern(name):
        raise _unfit(
            f'is wrong: {name!r} is not a dotted name such as "mylib.sampling.draw", in which `*` may stand', name
        )
    return name


def _transforms(value: Any, _: Context) -> tuple[tuple[str, str], ...]:
    return _each(_table(value, '{"mylib.compile" = "jax.jit"}').items(), _transform)


def _transform(item: tuple[str, Any]) -> tuple[str, str]:
    name, stands_for = _name(item[0]), item[1]
    if not isinstance(stands_for, str):
        raise _unfit(f'must say for `{name}` which transform it is, such as "jax.jit", not {shown(stands_for)}', name)
    transform = custom_names.find_transform(stands_for)
    if transform is None:
        hint = _meant(stands_for, custom_names.transform_names()) or "name one of JAX, Flax, Equinox or Haiku"
        raise _unfit(
            f"is wrong: `{name}` cannot stand for `{stands_for}`, which is no transform that is known; {hint}", name
        )
    return name, transform


def _migrations(value: Any, _: Context) -> tuple[tuple[str, str], ...]:
    table = _table(value, '{"mylib.old_name" = "mylib.new_name"}')
    return _each(table.items(), partial(_migration, olds=[name for name in table if _is_dotted(name)]))


def _migration(item: tuple[str, Any], olds: Iterable[str]) -> tuple[str, str]:
    old, new = item
    if not _is_dotted(old):
        raise _unfit(f'is wrong: {old!r} is not a dotted name such as "mylib.old_name"', old)
    if not isinstance(new, str) or not _is_dotted(new):
        quoted = "; a dotted name before `=` stands in quotes" if isinstance(new, Mapping) else ""
        given = repr(new) if isinstance(new, str) else shown(new)
        raise _unfit(f'must say for `{old}` a dotted name such as "mylib.new_name", not {given}{quoted}', old)
    again = next((each for each in olds if custom_names.is_below(new, each)), None)
    if again is not None:
        why = (
            "leads back to it"
            if custom_names.is_below(new, old)
            else f"`{again}` is replaced itself; name what replaces it"
        )
        raise _unfit(f"is wrong: `{old}` cannot become `{new}`: {'that ' if again == old else ''}{why}", old)
    return old, new


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split("."))


def _plugin(name: str) -> str:
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise _unfit(f'is wrong: {name!r} is not the name of a plugin such as "lab_rules"', name)
    return name


def _convention(name: str) -> str:
    if name not in custom_names.PRESUMABLE:
        raise _unfit(
            f"is wrong: {name!r} is not a convention; the conventions are {', '.join(custom_names.PRESUMABLE)}", name
        )
    return name


def shown(value: Any) -> str:
    kinds: dict[type, str] = {bool: "the boolean", str: "the string", int: "the number", float: "the number"}
    kind = kinds.get(type(value))
    if kind is None:
        return f"a {'table' if isinstance(value, Mapping) else type(value).__name__}"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number that is too large"
    return f"{kind} {str(value).lower() if isinstance(value, bool) else repr(value)}"


def definitions() -> dict[str, Any]:
    """What schemas refer to."""
    return {"rule": _rule_schema(), "transform": {"enum": custom_names.transform_names()}}


def _selector_schema() -> dict[str, Any]:
    return {"$ref": "#/definitions/rule"}


def _rule_schema() -> dict[str, Any]:
    from jaxlint.hazards import registry

    own = [rule for rule in registry.all_rules() if rule.code.startswith("JAX")]
    codes = {rule.code[:length] for rule in own for length in (3, 4, 5, 6)}
    of_plugins = {"description": "a rule of a plugin", "pattern": f"^{OF_PLUGINS}$"}
    return {"type": "string", "anyOf": [{"enum": sorted(codes) + sorted(rule.name for rule in own)}, of_plugins]}


def _glob_schema() -> dict[str, Any]:
    nothing = r"^(#| *$|! *$|!?~/|(!?|.*/)\.\.?(/| *$))"
    return {"type": "string", "not": {"pattern": nothing}}


def _list_of(items: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    return lambda: {"type": "array", "items": items()}


def _dotted() -> dict[str, Any]:
    return {"type": "string", "pattern": r"^[\w*]+(\.[\w*]+)*$"}


def _plain_name() -> dict[str, Any]:
    return {"type": "string", "pattern": r"^[^\W\d]\w*(\.[^\W\d]\w*)*$"}


BOOLEAN = Kind("true or false", lambda: {"type": "boolean"}, _boolean)
SELECTORS = Kind("list of rules: codes, beginnings of codes, names", _list_of(_selector_schema), _selectors)
GLOBS = Kind("list of gitignore patterns", _list_of(_glob_schema), _globs)
IGNORES = Kind(
    "table of gitignore patterns, each with a list of rules",
    lambda: {"type": "object", "propertyNames": _glob_schema(), "additionalProperties": {"type": "array", "items": _selector_schema()}}, _ignores,
)  # fmt: skip
SPECIFIER = Kind(
    "a release, or a specifier of releases",
    lambda: {"type": "string", "pattern": r"^[\s0-9.,<>=!~*]*[0-9][\s0-9.,<>=!~*]*$"},
    _specifier,
)
FORMAT = Kind(
    "one of " + ", ".join(f"`{each}`" for each in OUTPUT_FORMATS), lambda: {"enum": list(OUTPUT_FORMATS)}, _format
)
LENGTH = Kind("a number from 40 to 1000", lambda: {"type": "integer", "minimum": 40, "maximum": 1000}, _length)
FOLDER = Kind("the path of a folder", lambda: {"type": "string", "minLength": 1, "pattern": r"^[^\u0000]+$"}, _path)
NAMES = Kind("list of dotted names, in which `*` may stand", _list_of(_dotted), _each_string(_name))
TRANSFORMS = Kind(
    "table of dotted names, in which `*` may stand, each with a transform",
    lambda: {
        "type": "object", "propertyNames": _dotted(),
        "additionalProperties": {"$ref": "#/definitions/transform"},
    },
    _transforms,
)  # fmt: skip
MIGRATIONS = Kind(
    "table of dotted names, each with the dotted name that replaces it",
    lambda: {"type": "object", "propertyNames": _plain_name(), "additionalProperties": _plain_name()},
    _migrations,
)
PLUGINS = Kind(
    "list of names of installed plugins",
    _list_of(lambda: {"type": "string", "pattern": r"^\w[\w.-]*$"}),
    _each_string(_plugin),
)
CONVENTIONS = Kind(
    "list of " + ", ".join(f"`{name}`" for name in custom_names.PRESUMABLE),
    _list_of(lambda: {"enum": list(custom_names.PRESUMABLE)}), _each_string(_convention),
)  # fmt: skip

# --- the options -----------------------------------------------------------------------------

_RULES, _FIXES, _FILES = "Which rules run", "Which fixes are applied", "Which files are read"
_CODE, _OUTPUT = "What the code is", "Where results go"

_LISTED = (
    Option("select", _RULES, SELECTORS, (), "The rules to run, instead of those that run by default.", 'select = ["JAX1", "key-reuse"]', "the default set"),
    Option("extend-select", _RULES, SELECTORS, (), "Rules to run as well.", 'extend-select = ["JAX312"]'),
    Option("ignore", _RULES, SELECTORS, (), "Rules not to run. A more exact selector outranks a less exact one.", 'ignore = ["JAX7"]'),
    Option("per-file-ignores", _RULES, IGNORES, (), "Rules not to run in the files that a pattern fits.", 'per-file-ignores = {"examples/" = ["JAX4"]}'),
    Option("preview", _RULES, BOOLEAN, False, "Run the rules in preview as well.", "preview = true"),
    Option(
        "plugins", _RULES, PLUGINS, (),
        "Plugins with rules of others, by the names that installed distributions declare them under (entry points of the"
        " group `jaxlint.plugins`). They are named in the file that governs the working directory, and nowhere else.",
        'plugins = ["lab_rules"]',
    ),
    Option(
        "target-jax", _CODE, SPECIFIER, None,
        "The releases of JAX that the code must run on.", 'target-jax = ">=0.4.30,<0.8"',
        "the releases that the project declares, else the newest known one",
    ),
    Option(
        "traced-decorators", _CODE, TRANSFORMS, (),
        "Decorators and wrappers of the project that stand for a transform of JAX. They are called with a function, or"
        " with options and then a function; options that the transform has too mean the same.",
        'traced-decorators = {"mylib.compile" = "jax.jit"}',
    ),
    Option(
        "key-consumers", _CODE, NAMES, (),
        "Functions of the project that consume each random key they are passed, as the samplers of jax.random do. Where no argument is"
        " known to be a key, the variable that is called `key`, `rng` or `prng` is one, as in `sample_key` or `rng1`.",
        'key-consumers = ["mylib.sampling.draw"]',
    ),
    Option(
        "static-attributes", _CODE, NAMES, (),
        "Attributes that are plain Python while the code is traced, whatever object they are of: a name, or the name of a"
        " class or variable and one of an attribute.",
        'static-attributes = ["num_layers", "config.*", "Model.depth"]',
    ),
    Option(
        "presume", _CODE, CONVENTIONS, custom_names.PRESUMED,
        "The conventions by which code without a visible caller is presumed to run under a transform; an empty list"
        " reports only what a visible transform makes certain.",
        "presume = []",
    ),
    Option(
        "migrations", _CODE, MIGRATIONS, (),
        "Names of functions, classes and modules that have moved or have another name now, each with the new one. Uses are reported"
        " as JAX801, and its fix writes the new name and imports it; what a name holds moves with it.",
        'migrations = {"mylib.old_name" = "mylib.new_name"}',
    ),
    Option("test-files", _CODE, GLOBS, DEFAULT_TEST_FILES, "Tests and benchmarks, in which rules that only make sense for other code are off.", 'test-files = ["tests/", "check_*.py"]'),
    Option("exclude", _FILES, GLOBS, DEFAULT_EXCLUDE, "What walking a folder leaves out.", 'exclude = ["build/", "third_party/"]'),
    Option("extend-exclude", _FILES, GLOBS, (), "What walking a folder leaves out as well.", 'extend-exclude = ["third_party/"]'),
    Option("force-exclude", _FILES, BOOLEAN, False, "Leave out what is excluded even where it is named on the command line.", "force-exclude = true"),
    Option("unsafe-fixes", _FIXES, BOOLEAN, False, "Apply unsafe fixes as well where fixes are applied.", "unsafe-fixes = true"),
    Option("fixable", _FIXES, SELECTORS, None, "The rules whose fixes are applied.", 'fixable = ["JAX1", "JAX8"]', "all rules"),
    Option("unfixable", _FIXES, SELECTORS, (), "Rules whose fixes are not applied.", 'unfixable = ["JAX802"]'),
    Option("extend-safe-fixes", _FIXES, SELECTORS, (), "Rules whose unsafe fixes count as safe.", 'extend-safe-fixes = ["JAX103"]'),
    Option("extend-unsafe-fixes", _FIXES, SELECTORS, (), "Rules whose safe fixes count as unsafe.", 'extend-unsafe-fixes = ["JAX801"]'),
    Option("line-length", _FIXES, LENGTH, None, "The length from which on lines that a fix writes are broken.", "line-length = 100", f"that of the nearest settings of Ruff or Black, else `{LINE_LENGTH}`"),
    Option("output-format", _OUTPUT, FORMAT, "full", "How findings are reported.", 'output-format = "concise"'),
    Option("cache-dir", _OUTPUT, FOLDER, ".jaxlint_cache", "Where results of earlier runs are kept, relative to the folder of this file. The path is taken as it is written: neither `~` nor `$NAME` is expanded. A folder outside the project is named on the command line, by `--cache-dir`.", 'cache-dir = ".cache/jaxlint"'),
)  # fmt: skip

OPTIONS: dict[str, Option] = {option.name: option for option in _LISTED}
