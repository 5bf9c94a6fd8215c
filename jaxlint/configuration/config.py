"""Configuration: the options of ``[tool.jaxlint]`` and of the command line, checked and merged.

The configuration of a file is that of the nearest ``pyproject.toml`` above it that has the table.
Globs are those of gitignore, and relative to the folder of that ``pyproject.toml``.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.configuration import formatters, options, requirements
from jaxlint.configuration.discovery import project_files, project_folder
from jaxlint.configuration.formatters import Length
from jaxlint.configuration.lookup import Lookup
from jaxlint.configuration.options import default
from jaxlint.configuration.requirements import Pairs
from jaxlint.configuration.table import ConfigError, complain, parse_toml, place_of, read_table
from jaxlint.configuration.trust import Trust
from jaxlint.project.custom_names import Conventions
from jaxlint.project.sources import Packages, Project, Sources, packages
from jaxlint.source import toml
from jaxlint.source.files import leads_out, read_regular
from jaxlint.source.patterns import Patterns

if TYPE_CHECKING:
    from jaxlint.configuration.safety import Safety
    from jaxlint.project.target import Target


class _Fields(NamedTuple):
    root: str  # absolute folder that globs are relative to
    dependencies: Lookup[Pairs] = Lookup.told(())  # of the project: package -> specifier
    formatter: Lookup[Length | None] = Lookup.told(None)  # the length of lines that its formatter is set to
    sources: Sources = Sources()  # the folders of its packages
    path: str | None = None  # the pyproject.toml; None where there is none
    select: tuple[str, ...] = default("select")  # empty: the default set
    extend_select: tuple[str, ...] = default("extend-select")
    ignore: tuple[str, ...] = default("ignore")
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = default("per-file-ignores")
    preview: bool = default("preview")
    plugins: tuple[str, ...] = default("plugins")
    exclude: tuple[str, ...] = default("exclude")
    extend_exclude: tuple[str, ...] = default("extend-exclude")
    force_exclude: bool = default("force-exclude")
    target_jax: str | None = default("target-jax")  # None: what the project declares, else the newest known release
    traced_decorators: tuple[tuple[str, str], ...] = default("traced-decorators")  # pattern -> canonical name
    key_consumers: tuple[str, ...] = default("key-consumers")
    static_attributes: tuple[str, ...] = default("static-attributes")
    presume: tuple[str, ...] = default("presume")
    migrations: tuple[tuple[str, str], ...] = default("migrations")  # old name -> new name
    test_files: tuple[str, ...] = default("test-files")
    unsafe_fixes: bool = default("unsafe-fixes")
    fixable: tuple[str, ...] | None = default("fixable")  # None: every rule
    unfixable: tuple[str, ...] = default("unfixable")
    extend_safe_fixes: tuple[str, ...] = default("extend-safe-fixes")
    extend_unsafe_fixes: tuple[str, ...] = default("extend-unsafe-fixes")
    line_length: int | None = default("line-length")  # of what fixes write; None: that of the formatter
    output_format: str = default("output-format")
    cache_dir: str = default("cache-dir")  # relative to ``root``


class Config(_Fields):
    """The options that govern a file. Fields below ``path`` are the options, with ``_`` for ``-``.

    Beside the fields it keeps what follows from them, once that has been asked for: to know the rules, and the
    releases of JAX, takes longer than to see that a file does not concern them.
    """

    def __new__(cls, root: str | None = None, *args: Any, **given: Any) -> Config:
        return super().__new__(cls, os.getcwd() if root is None else root, *args, **given)

    @property
    def declared(self) -> tuple[tuple[str, str], ...]:
        """Package -> specifier, from the project's dependencies."""
        return self.dependencies.found

    @property
    def width(self) -> int:
        """The length from which on lines that a fix writes are broken."""
        if self.line_length is not None:
            return self.line_length
        length = self.formatter.found
        return options.LINE_LENGTH if length is None else length.columns

    @property
    def project(self) -> Project:
        """Where modules are looked for."""
        return Project(self.root, self.sources)

    @property
    def decisive(self) -> tuple[Any, ...]:
        """What decides about the findings in a file and their fixes, beside its text and its name."""
        code: tuple[Any, ...] = ()
        if self.plugins:
            from jaxlint.hazards import foreign

            code = foreign.fingerprint(self.plugins)
        return (
            self.root, self.declared, self.select, self.extend_select, self.ignore, self.per_file_ignores, self.preview,
            self.target_jax, self.test_files, self.fixable, self.unfixable, self.extend_safe_fixes,
            self.extend_unsafe_fixes, self.conventions, self.plugins, code,
        )  # fmt: skip

    @property
    def cache(self) -> str:
        """The folder of results of earlier runs."""
        return os.path.join(self.root, self.cache_dir)

    @functools.cached_property
    def codes(self) -> frozenset[str]:
        """Codes of the rules that are on, before per-file ignores."""
        from jaxlint.hazards import registry

        on = registry.select(self.select, self.ignore, self.extend_select, self.preview)
        return on - registry.codes_of_others(self.plugins)

    @functools.cached_property
    def conventions(self) -> Conventions:
        """What the project says of its own names."""
        return Conventions(
            self.traced_decorators, self.key_consumers, self.static_attributes, self.presume, self.migrations
        )

    @functools.cached_property
    def safety(self) -> Safety:
        """How far fixes are trusted."""
        from jaxlint.configuration.safety import Safety

        return Safety(self.extend_safe_fixes, self.extend_unsafe_fixes, self.fixable, self.unfixable)

    @functools.cached_property
    def target(self) -> Target:
        """The releases of JAX and its libraries that the code must run on."""
        from jaxlint.project import target

        found = target.of(dict(self.declared))
        return found if self.target_jax is None else found.but(target.admitted(self.target_jax))

    def codes_for(self, path: str) -> frozenset[str]:
        """Codes of the rules that are on in the file ``path``."""
        off: set[str] = set()
        for patterns, codes in self._ignored:
            if patterns.match(relative(path, self.root)):
                off |= codes
        if self._off_in_tests and self.is_test(path):
            off |= self._off_in_tests
        return self.codes - off

    def is_test(self, path: str) -> bool:
        """Whether ``path`` holds tests or benchmarks, which draw from one key twice on purpose more often than not."""
        return self._test_patterns.match(relative(path, self.root))

    @functools.cached_property
    def exclude_patterns(self) -> Patterns:
        """What walking a folder leaves out."""
        return Patterns.of(self.exclude + self.extend_exclude)

    @functools.cached_property
    def _test_patterns(self) -> Patterns:
        return Patterns.of(self.test_files)

    @functools.cached_property
    def _ignored(self) -> tuple[tuple[Patterns, frozenset[str]], ...]:
        from jaxlint.hazards import registry

        return tuple(
            (Patterns.of((glob,)), frozenset(rule.code for selector in selectors for rule in registry.meant(selector)))
            for glob, selectors in self.per_file_ignores
        )

    @functools.cached_property
    def _off_in_tests(self) -> frozenset[str]:
        from jaxlint.hazards import registry

        named = {selector.lower() for selector in self.select + self.extend_select}
        return frozenset(
            rule.code
            for rule in registry.all_rules()
            if not rule.in_tests and rule.code in self.codes and not named & {rule.code.lower(), rule.name}
        )

    def __reduce__(self) -> Any:
        # What is derived is derived again in a worker; compiled globs need not travel.
        if not self.plugins:
            return Config, tuple(self)
        from jaxlint.hazards import foreign

        return _received, (foreign.decided(self.plugins), *self)


def _received(decided: Any, *fields: Any) -> Config:
    """A configuration that another process has sent, with the plugins that it has loaded. Raises PluginError."""
    from jaxlint.hazards import foreign

    foreign.load_decided(*decided)
    return Config(*fields)


def relative(path: str, root: str) -> str:
    """``path`` relative to ``root`` with forward slashes; the whole path where it is not below it."""
    absolute = os.path.abspath(path)
    try:
        inside = os.path.commonpath([absolute, root]) == root
    except ValueError:  # different drives
        inside = False
    return (os.path.relpath(absolute, root) if inside else absolute).replace(os.sep, "/")


class Configs:
    """Finds the configuration of files, from each file upwards. Every pyproject.toml is read once.

    ``overrides`` are options given on the command line, by their name in ``Config``; None stands
    for one that is not given. They outrank every file: ``select`` replaces the file's ``select``,
    ``extend-select`` and ``ignore``, and ``fixable`` its ``fixable`` and ``unfixable``; ``extend_select``,
    ``ignore``, ``extend_exclude`` and ``unfixable`` add to the file's; the others replace. Raises
    ConfigError for an override that cannot be used.

    What cannot be used in a file is added to ``problems`` once, each option by itself, and its default stands in. The
    defaults stand in for all of a file that cannot be read, and of one that belongs to neither this user, nor root, nor
    the owner of the working directory.

    ``isolated``: no file counts. ``trust`` says whose files do, and which may name plugins; those of ``overrides`` stand
    in the place of all that are named in files.
    """

    def __init__(
        self, overrides: Mapping[str, Any] | None = None, *, isolated: bool = False, trust: Trust | None = None
    ) -> None:
        given = {name: value for name, value in (overrides or {}).items() if value is not None}
        self.overrides: dict[str, Any] = {}
        self.problems: list[ConfigError] = []
        self._isolated = isolated
        self._trust = trust or Trust()
        self._by_folder: dict[str, Config] = {}
        self._declared: dict[str, Pairs] = {}
        self._lengths: dict[str, Length | None] = {}
        self._packages: dict[str, Packages] = {}
        self._files: dict[str, list[str]] = {}
        # The other options may mean rules of plugins, and what is wrong with a file is said where it is used.
        if "plugins" in given:
            self._trust.load_given(_options_given({"plugins": given["plugins"]})["plugins"])
        elif given:
            for home in self._trust.homes:
                self.for_folder(home)
            self._by_folder.clear()
            self.problems.clear()
        self.overrides = _options_given(given)

    def quiet(self) -> Configs:
        """The same configurations, with problems of their own: for files that were not asked about."""
        other = Configs(isolated=self._isolated, trust=self._trust)
        other.overrides = self.overrides
        return other

    def _load(self, path: str, names: tuple[str, ...], row: int) -> tuple[str, ...]:
        """The plugins that are loaded, of those that a pyproject.toml names."""
        return () if "plugins" in self.overrides else self._trust.load(path, names, row, self.problems)

    def for_file(self, path: str) -> Config:
        """The configuration of a file, which need not exist."""
        return self.for_folder(os.path.dirname(os.path.abspath(path)))

    def for_folder(self, folder: str) -> Config:
        """The configuration of the files directly in ``folder``."""
        folder = os.path.abspath(folder)
        if folder not in self._by_folder:
            unknown, config = [folder], self._find(folder)
            while config is None:  # folders can be deeper in one another than calls can
                above = os.path.dirname(unknown[-1])
                config = self._by_folder.get(above) or self._find(above)
                unknown.append(above)
            for each in unknown:
                dependencies = Lookup(functools.partial(requirements.around, each, self._declared, self._trust))
                formatter = Lookup(functools.partial(formatters.around, each, self._lengths, self._trust))
                sources = Sources(functools.partial(project_folder, each, config), self._packages_in)
                known = config._replace(dependencies=dependencies, formatter=formatter, sources=sources)
                self._by_folder.setdefault(each, known)
        return self._by_folder[folder]

    def files_of(self, project: str) -> list[str]:
        """The files of the project in a folder, which is walked once."""
        if project not in self._files:
            self._files[project] = project_files(project, self)
        return self._files[project]

    def _packages_in(self, project: str) -> Packages:
        if project not in self._packages:
            self._packages[project] = packages(project, self.files_of(project))
        return self._packages[project]

    def _find(self, folder: str) -> Config | None:
        """The configuration that is in a folder; None where the one above holds."""
        path = os.path.join(folder, "pyproject.toml")
        if not self._isolated and os.path.isfile(path):
            owner = self._trust.strange_owner(path)
            known = len(self.problems)
            try:
                found = read(path, self._load, self.problems) if owner is None else read(path, problems=[])
                if owner is not None and found is not None:
                    raise ConfigError(
                        f"[tool.jaxlint] does not count: the file belongs to another user (UID {owner}), who is neither root nor"
                        " the owner of the working directory; write a table of your own into a pyproject.toml nearer to the"
                        " code, or use --isolated",
                        path,
                    )
            except ConfigError as error:
                self.problems.append(error)
                found = {}
            if found is not None:
                config = self._merge(Config(root=folder if owner is None else os.getcwd(), path=path, **found))
                self.problems[known:] = sorted(self.problems[known:], key=lambda each: (each.row, each.column))
                return config
        if self._isolated or os.path.dirname(folder) == folder:
            return self._merge(Config(root=self._trust.homes[0]))
        return None

    def _merge(self, config: Config) -> Config:
        given = dict(self.overrides)
        if "select" in given:
            config = config._replace(extend_select=(), ignore=())
        if "fixable" in given:
            config = config._replace(unfixable=())
        for name in ("extend_select", "ignore", "extend_exclude", "unfixable"):
            if name in given:
                given[name] = getattr(config, name) + given[name]
        return self._inside(config._replace(**given))

    def _inside(self, config: Config) -> Config:
        """``config`` with a cache in its project, unless the command line has said where: a project is not trusted."""
        is_plain = not config.cache_dir.startswith("~") and "$" not in config.cache_dir
        if "cache_dir" in self.overrides or (is_plain and not leads_out(config.cache, config.root)):
            return config
        place = 1, 1
        if config.path is not None:
            place = place_of(read_regular(config.path, toml.MAX_BYTES).decode("utf-8", "replace"), "cache-dir")
        if is_plain:
            message = (
                f"`cache-dir` leads out of the project: {config.cache_dir}; name a folder outside with --cache-dir"
            )
        else:
            message = f"`cache-dir` is taken as it is written, and {config.cache_dir} is not expanded; write the path without `~` and `$`"
        self.problems.append(ConfigError(message, config.path or config.cache, *place))
        return config._replace(cache_dir=os.devnull)  # where nothing can be kept


def read(
    path: str,
    load: Callable[[str, tuple[str, ...], int], tuple[str, ...]] | None = None,
    problems: list[ConfigError] | None = None,
) -> dict[str, Any] | None:
    """Options of the ``[tool.jaxlint]`` table of a pyproject.toml; None where it has no such table.

    ``load`` is given the file, the plugins that it names and their row, and gives those that are loaded; selectors may then mean
    rules of the others. Without it none is loaded. Options that cannot be used are left out, and added to ``problems`` in
    the order of the file. Raises ConfigError for a file that cannot be read and, without ``problems``, for the first of these.
    """
    read = read_table(path)
    if read is None:
        return None
    text, table = read
    found: dict[str, Any] = {}
    wrong: list[ConfigError] = []
    context = options.Context(os.path.dirname(os.path.abspath(path)))
    # Plugins come first: what others select may be theirs.
    for name, value in sorted(table.items(), key=lambda item: item[0] != "plugins"):
        if len(wrong) >= options.MOST_REASONS:
            break
        try:
            kept = options.checked(name, value, f"`{name}` in [tool.jaxlint]", context)
        except options.Unfit as unfit:
            reasons = unfit.reasons[: options.MOST_REASONS - len(wrong)]
            wrong += [ConfigError(said, path, *place_of(text, name, part)) for said, part in reasons]
            if name == "plugins":
                context = context._replace(apart=True)
            continue
        if name == "plugins" and kept:
            named, kept = kept, () if load is None else load(path, kept, place_of(text, name)[0])
            context = context._replace(apart=kept != named)
        found[name.replace("-", "_")] = kept
    wrong.sort(key=lambda problem: (problem.row, problem.column))
    if len(wrong) >= options.MOST_REASONS:
        wrong[-1].message += "; there may be more that cannot be used: correct these first"
    if wrong and problems is None:
        raise wrong[0]
    if problems is not None:
        problems += wrong
    return found


def rows(path: str) -> dict[str, int]:
    """The options that a pyproject.toml sets, by name, each with its row. Raises ConfigError."""
    text, document = parse_toml(read_regular(path, toml.MAX_BYTES), path)
    tool = document.get("tool", {})
    return {name: place_of(text, name)[0] for name in tool.get("jaxlint", {})}


def _options_given(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of options of the command line. Raises ConfigError."""
    found, problems = {}, []
    for name, value in given.items():
        option = name.replace("_", "-")
        try:
            found[name] = options.checked(option, value, f"--{option}")
        except options.Unfit as unfit:
            problems += [ConfigError(reason) for reason, _ in unfit.reasons]
    complain(problems)
    return found
