"""The options of ``[tool.jaxlint]``: one entry for each says what it means, what it may hold, and what it is by default.

From here come the checking of values, the JSON schema, the reference of the configuration, and `jaxlint config`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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

LINE_LENGTH = 120


class Unfit(Exception):
    """Why a value does not fit its option; the text follows the name of the option."""


class Kind(NamedTuple):
    """What a value may be: in words, as a JSON schema, and as a function that gives the value as ``Config`` keeps it.

    ``check_apart`` is that function where plugins are named and not loaded, for values that may mean rules of theirs.
    """

    words: str
    schema: Callable[[], dict[str, Any]]
    check: Callable[[Any], Any]
    check_apart: Callable[[Any], Any] | None = None


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
    if option.kind in (IGNORES, TRANSFORMS):
        return {name: list(held) if isinstance(held, tuple) else held for name, held in kept}
    return list(kept) if isinstance(kept, tuple) else kept


def find(name: str) -> Option:
    """The option with this name. Raises Unfit, which names the nearest one."""
    option = OPTIONS.get(name)
    if option is None:
        import difflib  # only for those who mistype

        nearest = difflib.get_close_matches(name, OPTIONS, n=1, cutoff=0.5)
        raise Unfit(f"; did you mean `{nearest[0]}`?" if nearest else f"; the options are {', '.join(sorted(OPTIONS))}")
    return option


def default(name: str) -> Any:
    return OPTIONS[name].default


# --- what values may be ----------------------------------------------------------------------


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit(f"must be true or false, not {shown(value)}")
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise Unfit(f"must be a list of strings, not {shown(value)}")
    return tuple(value)


def _selectors(value: Any, apart: bool = False) -> tuple[str, ...]:
    for selector in _strings(value):
        if not certainly_means_rules(selector) and not (apart and may_mean_plugin(selector)):
            _look_up(selector)
    return tuple(value)


def _look_up(selector: str) -> None:
    """Look for the rules that a selector means. Raises Unfit, which names the nearest one."""
    from jaxlint.hazards import registry  # which imports all of them

    try:
        registry.matching(selector)
    except registry.UnknownRule as unknown:
        raise Unfit(f"is wrong: {unknown}") from None


def _globs(value: Any) -> tuple[str, ...]:
    for glob in _strings(value):
        try:
            patterns.parse(glob)
        except patterns.PatternError:
            raise Unfit(f"is wrong: {glob!r} is not a gitignore pattern") from None
    return tuple(value)


def _ignores(value: Any, apart: bool = False) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, Mapping):
        raise Unfit(f'must be a table such as {{"tests/" = ["JAX103"]}}, not {shown(value)}')
    return tuple((_globs([glob])[0], _selectors(selectors, apart)) for glob, selectors in value.items())


def _specifier(value: Any) -> str:
    if not isinstance(value, str):
        raise Unfit(
            f'must be a release of jax such as "0.6.2", or a specifier such as ">=0.4.30,<0.8", not {shown(value)}'
        )
    from jaxlint.project import target

    try:
        target.admitted(value)
    except target.TargetError as error:
        raise Unfit(str(error)) from None
    return value


def _format(value: Any) -> str:
    if not isinstance(value, str) or value not in OUTPUT_FORMATS:
        raise Unfit(f"must be one of {', '.join(OUTPUT_FORMATS)}, not {shown(value)}")
    return value


def _length(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 40 <= value <= 1000:
        raise Unfit(f"must be a number of columns from 40 to 1000, not {shown(value)}")
    return value


def _path(value: Any) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise Unfit(f"must be the path of a folder, not {shown(value)}")
    return value


def _names(value: Any) -> tuple[str, ...]:
    for name in _strings(value):
        if not custom_names.is_pattern(name):
            raise Unfit(
                f'is wrong: {name!r} is not a dotted name such as "mylib.sampling.draw", in which `*` may stand'
            )
    return tuple(value)


def _transforms(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        raise Unfit(f'must be a table such as {{"mylib.compile" = "jax.jit"}}, not {shown(value)}')
    found = []
    for name, stands_for in value.items():
        _names([name])
        if not isinstance(stands_for, str):
            raise Unfit(f'must say for `{name}` which transform it is, such as "jax.jit", not {shown(stands_for)}')
        transform = custom_names.find_transform(stands_for)
        if transform is None:
            import difflib

            nearest = difflib.get_close_matches(stands_for, custom_names.transform_names(), n=1, cutoff=0.5)
            hint = f"did you mean `{nearest[0]}`?" if nearest else "name one of JAX, Flax, Equinox or Haiku"
            raise Unfit(
                f"is wrong: `{name}` cannot stand for `{stands_for}`, which is no transform that is known; {hint}"
            )
        found.append((name, transform))
    return tuple(found)


def _plugins(value: Any) -> tuple[str, ...]:
    for name in _strings(value):
        if not re.fullmatch(r"\w[\w.-]*", name):
            raise Unfit(f'is wrong: {name!r} is not the name of a plugin such as "lab_rules"')
    return tuple(value)


def _presumable(value: Any) -> tuple[str, ...]:
    for name in _strings(value):
        if name not in custom_names.PRESUMABLE:
            raise Unfit(
                f"is wrong: {name!r} is not a convention; the conventions are {', '.join(custom_names.PRESUMABLE)}"
            )
    return tuple(value)


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


def _list_of(items: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    return lambda: {"type": "array", "items": items()}


def _dotted() -> dict[str, Any]:
    return {"type": "string", "pattern": r"^[\w*]+(\.[\w*]+)*$"}


BOOLEAN = Kind("true or false", lambda: {"type": "boolean"}, _boolean)
SELECTORS = Kind(
    "list of rules: codes, beginnings of codes, names",
    _list_of(_selector_schema),
    _selectors,
    partial(_selectors, apart=True),
)
GLOBS = Kind("list of gitignore patterns", _list_of(lambda: {"type": "string", "not": {"enum": ["!"]}}), _globs)
IGNORES = Kind(
    "table of gitignore patterns, each with a list of rules",
    lambda: {"type": "object", "additionalProperties": {"type": "array", "items": _selector_schema()}}, _ignores, partial(_ignores, apart=True),
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
NAMES = Kind("list of dotted names, in which `*` may stand", _list_of(_dotted), _names)
TRANSFORMS = Kind(
    "table of dotted names, in which `*` may stand, each with a transform",
    lambda: {
        "type": "object", "propertyNames": _dotted(),
        "additionalProperties": {"$ref": "#/definitions/transform"},
    },
    _transforms,
)  # fmt: skip
PLUGINS = Kind(
    "list of names of installed plugins", _list_of(lambda: {"type": "string", "pattern": r"^\w[\w.-]*$"}), _plugins
)
CONVENTIONS = Kind(
    "list of " + ", ".join(f"`{name}`" for name in custom_names.PRESUMABLE),
    _list_of(lambda: {"enum": list(custom_names.PRESUMABLE)}), _presumable,
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
    Option("test-files", _CODE, GLOBS, DEFAULT_TEST_FILES, "Tests and benchmarks, in which rules that only make sense for other code are off.", 'test-files = ["tests/", "check_*.py"]'),
    Option("exclude", _FILES, GLOBS, DEFAULT_EXCLUDE, "What walking a folder leaves out.", 'exclude = ["build/", "third_party/"]'),
    Option("extend-exclude", _FILES, GLOBS, (), "What walking a folder leaves out as well.", 'extend-exclude = ["third_party/"]'),
    Option("force-exclude", _FILES, BOOLEAN, False, "Leave out what is excluded even where it is named on the command line.", "force-exclude = true"),
    Option("unsafe-fixes", _FIXES, BOOLEAN, False, "Apply unsafe fixes as well where fixes are applied.", "unsafe-fixes = true"),
    Option("fixable", _FIXES, SELECTORS, None, "The rules whose fixes are applied.", 'fixable = ["JAX1", "JAX8"]', "all rules"),
    Option("unfixable", _FIXES, SELECTORS, (), "Rules whose fixes are not applied.", 'unfixable = ["JAX802"]'),
    Option("extend-safe-fixes", _FIXES, SELECTORS, (), "Rules whose unsafe fixes count as safe.", 'extend-safe-fixes = ["JAX103"]'),
    Option("extend-unsafe-fixes", _FIXES, SELECTORS, (), "Rules whose safe fixes count as unsafe.", 'extend-unsafe-fixes = ["JAX801"]'),
    Option("line-length", _FIXES, LENGTH, LINE_LENGTH, "The length from which on lines that a fix writes are broken; that of Ruff or Black where the file has theirs.", "line-length = 100"),
    Option("output-format", _OUTPUT, FORMAT, "full", "How findings are reported.", 'output-format = "concise"'),
    Option("cache-dir", _OUTPUT, FOLDER, ".jaxlint_cache", "Where results of earlier runs are kept, relative to the folder of this file. The path is taken as it is written: neither `~` nor `$NAME` is expanded. A folder outside the project is named on the command line, by `--cache-dir`.", 'cache-dir = ".cache/jaxlint"'),
)  # fmt: skip

OPTIONS: dict[str, Option] = {option.name: option for option in _LISTED}
