"""Which selectors mean rules of jaxlint, told from the files of the rules without loading one of them.

A configuration that names rules is to be checked on every run, also on one that has nothing to lint. To load all rules
takes longer than that whole run.
"""

from __future__ import annotations

import os
import re

# The digit of the code of a rule -> the folder that holds the rule.
FAMILIES = {
    "1": "concretization",
    "2": "shapes",
    "3": "host",
    "4": "keys",
    "5": "transforms",
    "6": "frameworks",
    "7": "debugging",
    "8": "migration",
    "9": "tool",
}
# What the rules of a family are about, as a heading.
TITLES = {
    "concretization": "A tracer where Python needs a value",
    "shapes": "Shapes",
    "host": "The host inside traced code",
    "keys": "Random keys",
    "transforms": "Using the transforms",
    "frameworks": "Haiku, Flax and Equinox",
    "debugging": "Debugging, callbacks and export",
    "migration": "Moving between releases",
    "tool": "The tool itself",
    "plugin": "Rules of plugins",
}
OF_PLUGINS = r"(?!JAX)([A-Z]{2,3}[0-9]{0,3}|[a-z0-9]+(-[a-z0-9]+)+)"
_RULES = os.path.dirname(os.path.abspath(__file__))


def certainly_means_rules(selector: str) -> bool:
    """Whether a selector is a code, the beginning of codes or a name of rules here; False where that takes a closer look."""
    if re.fullmatch("JAX[1-9]?", selector):
        return True  # no family is empty
    if re.fullmatch("JAX[1-9][0-9]{1,2}", selector):
        return any(code.startswith(selector) for code in _codes(FAMILIES[selector[3]]))
    if re.fullmatch("[a-z0-9-]+", selector):
        file = selector.replace("-", "_") + ".py"
        return any(_rule(os.path.join(_RULES, family, file)) for family in FAMILIES.values())
    return False


def may_mean_plugin(selector: str) -> bool:
    """Whether a selector has the form of a code, the beginning of codes or a name of rules of a plugin."""
    return re.fullmatch(OF_PLUGINS, selector) is not None or re.fullmatch(OF_PLUGINS, selector.upper()) is not None


def _codes(family: str) -> set[str]:
    """The codes that the rules of a family give themselves."""
    folder = os.path.join(_RULES, family)
    try:
        texts = [_rule(os.path.join(folder, name)) for name in os.listdir(folder)]
    except OSError:
        return set()
    return {code for text in texts for code in re.findall(r'^    code="(JAX[0-9]{3})"', text, re.MULTILINE)}


def _rule(file: str) -> str:
    """The description of the rule that a file holds; empty where it holds none."""
    if not file.endswith(".py"):
        return ""
    try:
        with open(file, encoding="utf-8") as module:
            _, _, text = module.read().partition("\nRULE = Rule(\n")
    except (OSError, UnicodeDecodeError):
        return ""
    return text.partition("\n)")[0]
