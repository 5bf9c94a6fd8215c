"""What other programs call: lint a text, files and folders, or mend a text.

``import jaxlint`` gives these names; nothing else that can be imported is promised to stay.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover
from jaxlint.configuration.table import ConfigError, complain
from jaxlint.fixing.apply import fix_source
from jaxlint.project.resolver import Loader
from jaxlint.run.importers import Importers
from jaxlint.run.job import Job
from jaxlint.run.on_trial import OnTrial
from jaxlint.run.runner import run
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic, Edit, Fix, Related
from jaxlint.source.text import Position, Source, SourceError

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Applicability", "Category", "ConfigError", "Diagnostic", "Edit", "Fix", "Options", "Position", "Related", "SourceError",
    "check", "check_paths", "fix",
]  # fmt: skip


class Options(TypedDict, total=False):
    """The options of the configuration, with underscores; docs/configuration.md says what each does."""

    select: Sequence[str]
    extend_select: Sequence[str]
    ignore: Sequence[str]
    per_file_ignores: Mapping[str, Sequence[str]]
    preview: bool
    plugins: Sequence[str]
    target_jax: str
    traced_decorators: Mapping[str, str]
    key_consumers: Sequence[str]
    static_attributes: Sequence[str]
    presume: Sequence[str]
    migrations: Mapping[str, str]
    test_files: Sequence[str]
    exclude: Sequence[str]
    extend_exclude: Sequence[str]
    force_exclude: bool
    unsafe_fixes: bool
    fixable: Sequence[str]
    unfixable: Sequence[str]
    extend_safe_fixes: Sequence[str]
    extend_unsafe_fixes: Sequence[str]
    line_length: int
    output_format: str
    cache_dir: str


def check(source: str, filename: str = "<string>.py", **options: Unpack[Options]) -> list[Diagnostic]:
    """The findings in a text of Python, sorted by place.

    ``filename`` decides which ``pyproject.toml`` counts, where imports are looked for, and whether the text is
    that of a test; the file need not exist. ``options`` are those of the configuration, with underscores:
    ``select``, ``extend_select``, ``ignore`` (sequences of codes, prefixes or names), ``preview``, ``target_jax``.
    Offsets in fixes count code points of ``source``. A text that does not parse has one finding, JAX900.

    Raises ConfigError for options, or settings of a ``pyproject.toml``, that cannot be used: its text has a line for each, and
    ``problems`` holds them, each with ``message``, ``filename``, ``row`` and ``column``.
    """
    configs = _configs(filename, options)
    job = Job(filename, configs.for_file(filename), source=Source.from_text(source, filename))
    return run([job], importers=Importers(configs, cached=False))[0].diagnostics


def check_paths(*paths: str | os.PathLike[str], jobs: int = 1, **options: Unpack[Options]) -> list[Diagnostic]:
    """The findings in files and folders, sorted by place, as ``jaxlint check`` reports them.

    ``jobs`` is the number of processes; ``options`` as for ``check``. Nothing is read from the cache, and nothing
    written to it. Raises ConfigError as ``check`` does, and SourceError for a path that is not there.
    """
    names = [os.fspath(path) for path in paths]
    configs = Configs(_given(options))
    found = discover(names, configs)
    for problem in found.problems:
        raise SourceError(problem.message, problem.path)
    work = [Job(path, configs.for_file(path)) for path in found.files]
    complain(configs.problems)
    importers = Importers(configs, names, cached=False)
    diagnostics = [each for outcome in run(work, jobs, importers=importers) for each in outcome.diagnostics]
    return sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)


def fix(source: str, filename: str = "<string>.py", *, unsafe: bool = False, **options: Unpack[Options]) -> str:
    """A text with the safe fixes applied, and the unsafe ones if asked for.

    What cannot be fixed stays as it is. ``filename`` and ``options`` as for ``check``. Raises ConfigError.
    """
    config = _configs(filename, options).for_file(filename)
    allow = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    text, texts = Source.from_text(source, filename), OnTrial(config, Loader(config.project), calls=True)
    done = fix_source(text, texts.check, allow, line_length=config.width, judge=texts.judge, values=texts.values)
    return done.source.text if done.source is not text else source


def _configs(filename: str, options: Options) -> Configs:
    configs = Configs(_given(options))
    configs.for_file(filename)
    complain(configs.problems)
    return configs


def _given(options: Options) -> dict[str, Any]:
    return {name: _listed(value) for name, value in options.items()}


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes, dict)) else value
