"""Rules of others: modules of installed plugins, each with ``RULE`` and ``check``, or packages of such modules.

Importing them runs their code. Nothing else is imported: neither what is linted nor what else is installed.
"""

from __future__ import annotations

import inspect
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from types import ModuleType
from typing import Any

from jaxlint.hazards import installed, registry
from jaxlint.hazards.installed import Plugin, PluginError
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

CODE = re.compile(r"(?!JAX)[A-Z]{2,3}[0-9]{3}")  # what flake8 takes for a code, and no prefix of it
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")

Decided = tuple[tuple[str, ...], tuple[Plugin, ...]]


def load(name: str, linted: Iterable[str], of_user: bool = False) -> None:
    """Import an installed plugin and make its rules known. Raises PluginError.

    Nothing is imported from the folders ``linted``. ``of_user``: the name may be that of a module as well.
    """
    installed.keep_out(linted)
    with installed.lock:
        if name not in registry.added():
            _add(installed.find(name, of_user))


def decided(names: Iterable[str]) -> Decided:
    """What another process needs in order to load the same plugins, and no others."""
    return installed.linted(), tuple(_loaded[name] for name in names)


def load_decided(linted: Iterable[str], plugins: Iterable[Plugin]) -> None:
    """Import the plugins that another process has loaded. Raises PluginError."""
    installed.keep_out((*linted, os.getcwd()))
    with installed.lock:
        for plugin in plugins:
            if plugin.name not in registry.added():
                here = installed.find(plugin.name, of_user=plugin.distribution is None)
                if here[:3] != plugin[:3]:
                    raise PluginError(
                        f"the plugin `{plugin.name}` is not that of {plugin.distribution}; install the same distributions"
                    )
                _add(here)


_loaded: dict[str, Plugin] = {}
# Size and time of the files of plugins, and of what they import, when they were loaded.
_code: dict[str, tuple[int, int]] = {}


def _add(plugin: Plugin) -> None:
    known = set(sys.modules)
    with installed.apart(plugin):
        found = [_rule_of(module, plugin) for module in _modules(plugin)]
    _admit(plugin.name, found)
    _loaded[plugin.name] = plugin
    registry.add(plugin.name, tuple(found))
    others = [sys.modules[name] for name in sys.modules.keys() - known if name.split(".")[0] != "jaxlint"]
    for file in {*files([plugin.name]), *filter(None, (getattr(module, "__file__", None) for module in others))}:
        with suppress(OSError):
            status = os.stat(file)
            _code.setdefault(file, (status.st_size, status.st_mtime_ns))


def fingerprint(plugins: Iterable[str]) -> tuple[Any, ...]:
    """What changes when the code of a plugin does. What one plugin imports may serve others too, so that it is of all."""
    return tuple(sorted(_code.items())) if plugins else ()


def files(names: Iterable[str]) -> Iterator[str]:
    """The files of plugins that were imported."""
    for name in names:
        module = sys.modules.get(_loaded[name].module)
        for place in list(getattr(module, "__path__", ())) or [str(getattr(module, "__file__", ""))]:
            found = [
                os.path.join(folder, name)
                for folder, _, names in os.walk(place)
                for name in names
                if name.endswith(".py")
            ]
            yield from sorted(found) if os.path.isdir(place) else filter(os.path.isfile, [place])


def _modules(plugin: Plugin) -> Iterator[ModuleType]:
    """The modules of a plugin that hold a rule."""
    module = installed.import_module(plugin.module, plugin)
    if hasattr(module, "RULE"):
        yield module
        return
    found = False
    for entry in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{plugin.module}."):
        inner = installed.import_module(entry.name, plugin)
        if hasattr(inner, "RULE"):
            found = True
            yield inner
    if not found:
        raise PluginError(
            f"`{plugin.module}` has no `RULE`; a plugin holds `RULE = Rule(…)` and `check`, or is a package of such modules"
        )


def _rule_of(module: ModuleType, plugin: Plugin) -> Rule:
    """The rule that a module holds. Raises PluginError for one that cannot run."""
    name = module.__name__
    rule = module.RULE
    if not isinstance(rule, Rule):
        raise PluginError(f"`{name}.RULE` is a {type(rule).__name__}; make it a `jaxlint.plugins.Rule`")
    if not isinstance(rule.code, str) or not CODE.fullmatch(rule.code):
        raise PluginError(
            f"`{name}.RULE` has the code {rule.code!r}; a code is two or three capital letters, other than JAX, and three digits"
        )
    if not isinstance(rule.name, str) or not NAME.fullmatch(rule.name):
        raise PluginError(
            f"`{name}.RULE` has the name {rule.name!r}; a name is two or more words in small letters with hyphens between"
        )
    if not isinstance(rule.category, Category):
        raise PluginError(f"`{name}.RULE` has the category {rule.category!r}; take one of `jaxlint.plugins.Category`")
    from jaxlint.analysis.domain.hazards import Hazard  # not loaded for a project without plugins

    named = rule.hazards if isinstance(rule.hazards, tuple) else ()
    if not named or not all(isinstance(each, type) and issubclass(each, Hazard) for each in named):
        raise PluginError(
            f"`{name}.RULE` has the hazards {rule.hazards!r}; name one or more classes of `jaxlint.plugins.hazards`, in a tuple"
        )
    if rule.on not in ("default", "preview", "opt-in") or rule.fixable not in ("safe", "unsafe", "display", "none"):
        raise PluginError(
            f"`{name}.RULE` has on={rule.on!r} and fixable={rule.fixable!r}, of which one is no word that is known"
        )
    check = getattr(module, "check", None)
    if not callable(check):
        raise PluginError(f"`{name}` has no function `check(hazard, file)`")
    try:
        inspect.signature(check).bind(None, None)
    except TypeError:
        raise PluginError(
            f"`{name}.check` cannot be called with a hazard and a file; write `def check(hazard, file)`"
        ) from None
    return replace(rule.of_module(module), check=_apart(check, plugin))


def _apart(check: Callable[[Any, File], Iterable[Finding]], plugin: Plugin) -> Callable[[Any, File], Iterable[Finding]]:
    """``check``, which imports nothing from the code that is linted either."""

    def run(hazard: Any, file: File) -> Iterable[Finding]:
        with installed.apart(plugin):
            return tuple(check(hazard, file))

    return run


def _admit(plugin: str, found: list[Rule]) -> None:
    """See that no two rules have one code or name."""
    known = {key: "" for rule in registry.all_rules() for key in (rule.code, rule.name)}
    for rule in found:
        for key in (rule.code, rule.name):
            if key in known:
                raise PluginError(f"`{plugin}` has a rule called `{key}`, which another rule is called already")
            known[key] = plugin
