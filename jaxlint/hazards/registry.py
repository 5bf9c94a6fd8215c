"""The registry of rules: every module below a family folder that has a ``RULE`` is a rule.

Nothing lists the rules by hand. A rule has the name of its module, whose docstring is its page; the module's
``check`` is its function (rules of the tool itself have none).
"""

from __future__ import annotations

import functools
import importlib
import os
import pkgutil
import re
from collections.abc import Iterable
from dataclasses import replace

import jaxlint.hazards
from jaxlint.hazards.rule import Rule
from jaxlint.hazards.selectors import FAMILIES, may_mean_plugin
from jaxlint.source import spelling


class UnknownRule(LookupError):
    """A selector that means no rule. The text of the exception says so and names the nearest one."""


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """All rules, sorted by code, those of plugins among them. The first call imports the rule modules."""
    return tuple(
        sorted((*_own_rules(), *(rule for found in _added.values() for rule in found)), key=lambda rule: rule.code)
    )


_added: dict[str, tuple[Rule, ...]] = {}  # the rules of each plugin that was imported


def add(plugin: str, found: tuple[Rule, ...]) -> None:
    """Make the rules of a plugin known."""
    _added[plugin] = found
    all_rules.cache_clear()
    _by_selector.cache_clear()


def added() -> dict[str, tuple[Rule, ...]]:
    """The plugins that were imported, with their rules."""
    return dict(_added)


def codes_of_others(plugins: Iterable[str]) -> frozenset[str]:
    """Codes of the rules of the plugins that were imported and are not among ``plugins``."""
    wanted = frozenset(plugins)
    return frozenset(rule.code for plugin, found in _added.items() if plugin not in wanted for rule in found)


@functools.cache
def _own_rules() -> tuple[Rule, ...]:
    rules: dict[str, Rule] = {}
    names: dict[str, str] = {}
    for family in FAMILIES.values():
        folders = [os.path.join(folder, family) for folder in jaxlint.hazards.__path__]
        for entry in pkgutil.iter_modules(folders, f"{jaxlint.hazards.__name__}.{family}."):
            module = importlib.import_module(entry.name)
            rule = module.RULE.of_module(module)
            if rule.code in rules or rule.name in names:
                raise ValueError(f"{entry.name}: the code {rule.code} or the name {rule.name} is already taken")
            names[rule.name] = rule.code
            rules[rule.code] = replace(rule, check=getattr(module, "check", None))
    return tuple(rules[code] for code in sorted(rules))


@functools.cache
def _by_selector() -> dict[str, Rule]:
    return {key: rule for rule in all_rules() for key in (rule.code, rule.name)}


def find(selector: str) -> Rule:
    """The rule with this exact code or name. Raises UnknownRule."""
    rule = _by_selector().get(selector) or _by_selector().get(selector.upper())
    if rule is None:
        raise UnknownRule(_unknown(selector))
    return rule


def matching(selector: str) -> tuple[Rule, ...]:
    """The rules that a code, a prefix of codes or a name selects. Raises UnknownRule if there is none."""
    exact = _by_selector().get(selector) or _by_selector().get(selector.upper())
    if exact is not None:
        return (exact,)
    prefix = selector.upper()
    enough = 2 if any(rule.code[:-3] == prefix for rule in all_rules()) else 3
    found = tuple(rule for rule in all_rules() if len(prefix) >= enough and rule.code.startswith(prefix))
    if not found:
        raise UnknownRule(_unknown(selector))
    return found


def meant(selector: str) -> tuple[Rule, ...]:
    """The rules that a selector of a configuration means; none where it can only mean rules of a plugin that is not loaded."""
    try:
        return matching(selector)
    except UnknownRule:
        if not may_mean_plugin(selector):
            raise
        return ()


def select(
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    extend_select: Iterable[str] = (),
    preview: bool = False,
) -> frozenset[str]:
    """Codes of the rules that are on. An empty ``select`` means the default set.

    The rules about the tool itself (JAX9) are on whatever is selected, and off where they are ignored.
    A more exact selector outranks a less exact one (``--select JAX103 --ignore JAX1`` leaves JAX103
    on); of two that are equally exact ``ignore`` wins. A rule that is not in the default set comes
    on by its exact code or name, a preview rule also by a prefix where ``preview`` is set.
    Raises UnknownRule.
    """
    verdicts: dict[str, tuple[int, bool]] = {}

    def judge(selectors: Iterable[str], on: bool) -> None:
        for selector in selectors:
            rules = meant(selector)
            if not rules:
                continue
            exact = selector in (rules[0].name, rules[0].code) or selector.upper() == rules[0].code
            strength = 100 if exact else len(selector)
            for rule in rules:
                if on and not exact and not in_default_set(rule, preview):
                    continue
                if strength >= verdicts.get(rule.code, (-1, False))[0]:
                    verdicts[rule.code] = (strength, on)

    chosen = tuple(select)
    for rule in all_rules():
        # What the tool says about itself is on unless it is turned off: a file that was not read is no clean file.
        if rule.family == "tool" or (not chosen and in_default_set(rule, preview)):
            verdicts[rule.code] = (0, True)
    judge(chosen, True)
    judge(extend_select, True)
    judge(ignore, False)
    return frozenset(code for code, (_, on) in verdicts.items() if on)


def in_default_set(rule: Rule, preview: bool) -> bool:
    """Whether the rule runs when nobody names it."""
    if rule.status == "removed":
        return False
    return rule.on == "default" or (preview and rule.on == "preview")


def _unknown(selector: str) -> str:
    if selector.upper() == "ALL":
        return f"no rule is called `{selector}`; `JAX` means all of them"
    begun = [f"`{rule.code}`" for rule in all_rules() if rule.code.startswith(selector.upper())] if selector else []
    if begun:
        return f"no rule is called `{selector}`; the codes {', '.join(begun[:4])}{' and others' if begun[4:] else ''} begin so"
    close = nearest(selector)
    hint = f"did you mean `{close}`?" if close else "`jaxlint rules` lists them all"
    return f"no rule is called `{selector}`; {hint}"


def is_code(selector: str) -> bool:
    """Whether a selector has the form of a code."""
    return re.fullmatch("[A-Za-z]{2,4}[0-9][0-9A-Za-z]{0,3}", selector) is not None


_DIGITS = str.maketrans("OIL", "011")  # letters that look like digits


def nearest(selector: str) -> str | None:
    """The code or name that a selector is a misspelling of, a code for a code; None where none is close."""
    if not is_code(selector):
        return spelling.nearest(selector, (rule.name for rule in all_rules()))
    codes = [rule.code for rule in all_rules() if abs(len(rule.code) - len(selector)) < 2]
    family = [code for code in codes if code[:4] == selector[:4].upper()]
    word = selector[:3].upper() + selector[3:].upper().translate(_DIGITS)
    return word if word in codes else spelling.nearest(word, family) or spelling.nearest(word, codes)
