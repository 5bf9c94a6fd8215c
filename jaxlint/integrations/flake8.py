"""The flake8 plugin: flake8 finds files and owns ``# noqa`` and the selection, jaxlint what is wrong.

``[tool.jaxlint]`` of the nearest ``pyproject.toml`` counts for what flake8 has no words for (preview
rules, ``target-jax``, ``per-file-ignores``), and so do the ``# jaxlint:`` comments. ``--jaxlint-isolated`` and
``--jaxlint-no-plugins`` are given on the command line alone: a file of the linted tree cannot take them back.
"""

from __future__ import annotations

import argparse
import ast
import gc
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from jaxlint import __version__
from jaxlint.source.relevance import touches_jax

if TYPE_CHECKING:
    from flake8.options.manager import OptionManager

    from jaxlint.configuration.config import Config, Configs
    from jaxlint.project.resolver import Loader
    from jaxlint.project.sources import Project
    from jaxlint.run.session import Session
    from jaxlint.source.text import Source

Report = tuple[int, int, str, type]


class Plugin:
    """One file, as flake8 hands it over. Columns that leave ``run`` count from 0, as flake8 wants them."""

    name = "flake8-jaxlint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        # flake8 calls a plugin once a file only if it asks for the tree.
        self.filename = filename
        self.lines = lines

    @staticmethod
    def add_options(manager: OptionManager) -> None:
        manager.add_option(
            "--jaxlint-isolated", action="store_true", help="ignore the table [tool.jaxlint] of every pyproject.toml"
        )
        manager.add_option("--jaxlint-no-plugins", action="store_true", help="load no plugin of jaxlint")

    @staticmethod
    def parse_options(options: argparse.Namespace) -> None:
        """Take over the options, once in each of flake8's processes, before the first file."""
        from jaxlint.configuration.config import Configs

        overrides: dict[str, list[str]] | None = {"plugins": []} if options.jaxlint_no_plugins else None
        _sessions.clear()
        _unselected[:] = [] if may_be_selected("JAX", options) else ["JAX"]
        _found[:] = [Configs(overrides, isolated=options.jaxlint_isolated)]

    def run(self) -> Iterator[Report]:
        from jaxlint.source.text import Source

        configs = _configs()
        config = configs.for_file(self.filename)
        if _unselected and not config.plugins:  # plugins have codes of their own
            return
        source = Source.from_text("".join(self.lines), self.filename)
        if not self._is_concerned(source, config):
            return
        from jaxlint.report.text import headline, visible  # flake8 prints a message as it is

        for problem in configs.problems:
            if problem.filename == config.path:
                yield 1, 0, f"JAX903 invalid-configuration: {visible(str(problem))}", Plugin
        found = _session().diagnostics(source)
        gc.freeze()  # collections of flake8's own objects need not look through what is kept of modules
        for each in found:
            yield each.start.row, each.start.column - 1, headline(each), Plugin

    def _is_concerned(self, source: Source, config: Config) -> bool:
        """Whether the file, what it imports or what imports it names JAX."""
        if touches_jax(source.text) or config.conventions.may_be_in(source.text):
            return True
        return _loader(config.project).leads_to_jax(source) or bool(_session().importers.of(self.filename))


def may_be_selected(prefix: str, options: argparse.Namespace) -> bool:
    """Whether flake8 reports any code that begins like this, by its rule that the longest prefix decides."""
    selected = [*(options.select or ()), *(options.extend_select or ())]
    matching = [each for each in selected if each.startswith(prefix) or prefix.startswith(each)]
    if options.select is not None and not matching:
        return False
    ignored = [
        len(each) for each in (*(options.ignore or ()), *(options.extend_ignore or ())) if prefix.startswith(each)
    ]
    return not ignored or any(len(each) > max(ignored) for each in matching)


_found: list[Configs] = []
_unselected: list[str] = []  # the prefix of jaxlint's codes, where flake8 reports none of them
_sessions: list[Session] = []


@cache
def _loader(project: Project) -> Loader:
    """What knows where a project's modules are, so that each is looked up once in this process."""
    from jaxlint.project.resolver import Loader

    return Loader(project)


def _configs() -> Configs:
    """The configurations read so far in this process; each pyproject.toml is read once."""
    if not _found:  # this module is used without flake8's options, as pylsp does
        from jaxlint.configuration.config import Configs

        _found.append(Configs())
    return _found[0]


def _session() -> Session:
    """What was found in this process so far."""
    if not _sessions:
        from jaxlint.run.session import Session  # a project without JAX does without what it loads

        _sessions.append(Session(_configs(), noqa=False))
    return _sessions[0]
