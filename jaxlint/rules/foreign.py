"""Rules of others: modules that the configuration names, each with ``RULE`` and ``check`` or a package of such modules.

Importing them runs their code. Nothing else is imported: neither what is installed nor what lies about.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import re
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from types import ModuleType
from typing import Any, Iterable, Iterator

from jaxlint import rules
from jaxlint.diagnostic import Category
from jaxlint.rule import Rule

CODE = re.compile(r"(?!JAX)[A-Z]{2,3}[0-9]{3}")  # what flake8 takes for a code, and no prefix of it
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


class PluginError(Exception):
    """A plugin that cannot be used. The text names the module and says what is wrong with it."""


def load(plugins: Iterable[str], folder: str) -> None:
    """Import plugins and make their rules known; ``folder`` is searched after everything else. Raises PluginError."""
    with _loading:
        _load(plugins, folder)


_loading = threading.RLock()  # the language server reads the configuration in two threads


def _load(plugins: Iterable[str], folder: str) -> None:
    for plugin in plugins:
        if plugin not in rules.added():
            if folder not in sys.path:
                sys.path.append(folder)
                importlib.invalidate_caches()
            known = set(sys.modules)
            found = [_rule_of(module) for module in _modules(plugin)]
            _admit(plugin, found)
            rules.add(plugin, tuple(found))
            others = [sys.modules[name] for name in sys.modules.keys() - known if name.split(".")[0] != "jaxlint"]
            for file in {*files([plugin]), *filter(None, (getattr(module, "__file__", None) for module in others))}:
                with suppress(OSError):
                    status = os.stat(file)
                    _code.setdefault(file, (status.st_size, status.st_mtime_ns))


_code: dict[str, tuple[int, int]] = {}  # size and time of the files of plugins, and of what they import, when they were loaded


def codes_but(plugins: Iterable[str]) -> frozenset[str]:
    """Codes of the rules of plugins that were imported for other projects."""
    wanted = frozenset(plugins)
    return frozenset(rule.code for plugin, found in rules.added().items() if plugin not in wanted for rule in found)


def fingerprint(plugins: Iterable[str]) -> tuple[Any, ...]:
    """What changes when the code of a plugin does. What one plugin imports may serve others too, so that it is of all."""
    return tuple(sorted(_code.items())) if plugins else ()


def files(plugins: Iterable[str]) -> Iterator[str]:
    """The files of plugins that were imported."""
    for plugin in plugins:
        module = sys.modules.get(plugin)
        for place in list(getattr(module, "__path__", ())) or [str(getattr(module, "__file__", ""))]:
            found = [os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names if name.endswith(".py")]
            yield from sorted(found) if os.path.isdir(place) else filter(os.path.isfile, [place])


def _modules(plugin: str) -> Iterator[ModuleType]:
    """The modules of a plugin that hold a rule."""
    module = _import(plugin)
    if hasattr(module, "RULE"):
        yield module
        return
    found = False
    for entry in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{plugin}."):
        inner = _import(entry.name)
        if hasattr(inner, "RULE"):
            found = True
            yield inner
    if not found:
        raise PluginError(f"`{plugin}` has no `RULE`; a plugin holds `RULE = Rule(…)` and `check`, or is a package of such modules")


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise PluginError(
                f"there is no module `{name}`; install it where jaxlint is installed, or put it beside the pyproject.toml"
            ) from error
        raise PluginError(f"importing `{name}` fails: {_said(error)}") from error
    except (Exception, SystemExit) as error:
        raise PluginError(f"importing `{name}` fails: {_said(error)}") from error


def _said(error: BaseException) -> str:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def _rule_of(module: ModuleType) -> Rule:
    """The rule that a module holds. Raises PluginError for one that cannot run."""
    from jaxlint.semantics.model import Kind  # not loaded for a project without plugins

    kinds = {value for name, value in vars(Kind).items() if name.isupper()}
    name = module.__name__
    rule = module.RULE
    if not isinstance(rule, Rule):
        raise PluginError(f"`{name}.RULE` is a {type(rule).__name__}; make it a `jaxlint.plugins.Rule`")
    if not isinstance(rule.code, str) or not CODE.fullmatch(rule.code):
        raise PluginError(f"`{name}.RULE` has the code {rule.code!r}; a code is two or three capital letters, other than JAX, and three digits")
    if not isinstance(rule.name, str) or not NAME.fullmatch(rule.name):
        raise PluginError(f"`{name}.RULE` has the name {rule.name!r}; a name is two or more words in small letters with hyphens between")
    if not isinstance(rule.category, Category):
        raise PluginError(f"`{name}.RULE` has the category {rule.category!r}; take one of `jaxlint.plugins.Category`")
    unknown = [kind for kind in rule.kinds if kind not in kinds]
    if unknown or isinstance(rule.kinds, str) or not rule.kinds:
        raise PluginError(f"`{name}.RULE` has the kinds {rule.kinds!r}; name one or more of `jaxlint.plugins.Kind`, in a tuple")
    if rule.on not in ("default", "preview", "opt-in") or rule.fixable not in ("safe", "unsafe", "display", "none"):
        raise PluginError(f"`{name}.RULE` has on={rule.on!r} and fixable={rule.fixable!r}, of which one is no word that is known")
    check = getattr(module, "check", None)
    if not callable(check):
        raise PluginError(f"`{name}` has no function `check(demand, file)`")
    try:
        inspect.signature(check).bind(None, None)
    except TypeError:
        raise PluginError(f"`{name}.check` cannot be called with a demand and a file; write `def check(demand, file)`") from None
    return replace(rule, docs=inspect.cleandoc(module.__doc__ or rule.summary), check=check)


def _admit(plugin: str, found: list[Rule]) -> None:
    """See that no two rules have one code or name."""
    known = {key: "" for rule in rules.all_rules() for key in (rule.code, rule.name)}
    for rule in found:
        for key in (rule.code, rule.name):
            if key in known:
                raise PluginError(f"`{plugin}` has a rule called `{key}`, which another rule is called already")
            known[key] = plugin
