"""The page of a rule and the page of an error, as data and as text, with code from the rules' own fixtures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jaxlint.hazards.registry import UnknownRule, find
from jaxlint.hazards.resources import fixtures_root
from jaxlint.hazards.rule import Rule
from jaxlint.knowledge import errors
from jaxlint.knowledge.errors import Error
from jaxlint.report.terminal import console, grid
from jaxlint.verify import proven

if TYPE_CHECKING:
    from rich.console import Console


# Errors that JAX raises only where `jax_debug_key_reuse` asks for it; without it nothing is said.
_ASKED_FOR = ("KeyReuseError",)
# What a rule prevents by its category, where no error is meant.
_PREVENTED = {"fails": "an error", "wrong": "a wrong result", "slow": "slow code", "style": "unclear code"}


def prevented(rule: Rule) -> str:
    """What a rule prevents, in words: the error, or what else comes of the code."""
    return _PREVENTED[rule.category.value] if rule.error in (None, *_ASKED_FOR) else rule.error


def description(rule: Rule) -> dict[str, Any]:
    """What is known of a rule, as plain data."""
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "family": rule.family,
        "category": rule.category.value,
        "error": rule.error,
        "prevents": prevented(rule),
        "fixable": rule.fixable,
        "on": rule.on,
        "status": rule.status,
        "since": rule.since,
    }


def example(rule: Rule, part: str, *, plain: bool = False) -> str | None:
    """The first case of the rule's fixture ``bad.py`` or ``fixed.py``; None where it has none.

    ``plain`` leaves out the comments that say what to run and what it proves.
    """
    from jaxlint.verify.fixture import FixtureFile

    try:
        fixture = FixtureFile.read(fixtures_root() / rule.family / rule.name / f"{part}.py")
    except FileNotFoundError:
        return None
    case = fixture.cases[0]
    text = fixture.linted if plain else fixture.text
    code = "\n".join(text.split("\n")[case.start - 1 : case.end - 1]).strip() + "\n"
    if not plain:
        return code
    # Where the comments stood, empty lines are left.
    return re.sub(r"\n{4,}", "\n\n\n", re.sub(r"\A((?:#.*\n)+)\n+", r"\1", code))


def rules_of(error: Error | None) -> list[Rule]:
    """The rules that report code which raises the error, those that name it as theirs first."""
    rules = []
    for code in error.rules if error is not None else ():
        try:
            rules.append(find(code))
        except UnknownRule:
            continue
    return sorted(rules, key=lambda rule: (rule.error != (error and error.name), rule.on != "default", rule.code))


def rule_data(rule: Rule) -> dict[str, Any]:
    page = description(rule)
    page["docs"] = rule.docs
    page["example"] = _examples(rule)
    page["proven"] = proven.of_rule(rule.code)
    return page


def _examples(rule: Rule) -> dict[str, str | None]:
    return {"bad": example(rule, "bad"), "fixed": example(rule, "fixed")}


def markdown(rule: Rule) -> str:
    """The page of a rule as Markdown, with the first case of its fixtures and that case mended."""
    title, _, body = rule.docs.partition("\n")
    facts = [f"family: {rule.family}", f"{rule.status} since {rule.since}", f"on: {rule.on}", f"fix: {rule.fixable}"]
    prevents = prevented(rule)
    facts.append(f"prevents: `{prevents}`" if prevents == rule.error else f"prevents: {prevents}")
    parts = [f"# {rule.code} {rule.name}", title or rule.summary, " · ".join(facts)]
    if body.strip():
        parts.append(body.strip())
    said = proven.sentence(rule.code)
    if said is not None:
        parts += ["## Proven by running it", said]
    for heading, part in (("Fails, as its fixture shows", "bad"), ("Mended", "fixed")):
        code = example(rule, part, plain=True)
        if code is not None:
            parts += [f"## {heading}", f"```python\n{code.strip()}\n```"]
    return "\n\n".join(parts) + "\n"


def error_data(error: Error) -> dict[str, Any]:
    return {
        "error": error.name,
        "module": error.module,
        "meaning": error.meaning,
        "includes": list(error.includes),
        "reference": error.reference,
        "rules": [{**description(rule), "example": _examples(rule)} for rule in rules_of(error)],
    }


def print_rule(rule: Rule) -> None:
    from rich.markdown import Markdown

    out = console()
    out.print(f"{rule.code} {rule.name}", style="bold")
    facts = [f"family: {rule.family}", f"{rule.status} since {rule.since}", f"on: {rule.on}", f"fix: {rule.fixable}"]
    facts.append(f"prevents: {prevented(rule)}")
    out.print(" · ".join(facts), style="dim", soft_wrap=True)
    out.print()
    out.print(Markdown(rule.docs or rule.summary))
    said = proven.sentence(rule.code)
    if said is not None:
        out.print()
        out.print("Proven by running it", style="bold")
        out.print(said, soft_wrap=True)
    print_example(rule, out, plain=False)


def print_error(error: Error) -> None:
    out = console()
    out.print(error.path, style="bold")
    out.print()
    out.print(error.meaning)
    if error.reference is not None:
        out.print(f"Its own page: {error.reference}", style="dim", soft_wrap=True)
    rules = rules_of(error)
    out.print()
    if error.includes:
        _print_included([found for found in map(errors.error, error.includes) if found is not None], out)
        return
    if not rules:
        out.print("No rule of jaxlint reports code that raises it.")
        return
    print_rules("Rules that report code which raises it", rules, out)
    out.print()
    out.print(
        f"`jaxlint explain {rules[0].code}` has the page of a rule; `jaxlint explain -` reads a traceback, and says"
        " which of them it is and where."
    )
    if not error.says_little:
        print_example(rules[0], out)


def _print_included(included: Sequence[Error], out: Console) -> None:
    """The classes that an error is the base of, each with the rule that is most about it."""
    for each in included:
        out.print(each.path, style="bold")
        out.print(each.meaning)
        about = rules_of(each)[:1]
        if about:
            print_rules("Mostly", about, out)
            print_example(about[0], out)
        out.print(f"`jaxlint explain {each.name}` has more on it.", soft_wrap=True)
        out.print()


def print_rules(title: str, rules: Sequence[Rule], out: Console) -> None:
    out.print(title, style="bold")
    table = grid({"no_wrap": True}, {"no_wrap": True}, {"overflow": "fold"})
    for rule in rules:
        table.add_row(f"  {rule.code}", rule.name, rule.summary)
    out.print(table)


def print_example(rule: Rule, out: Console, *, plain: bool = True) -> None:
    """The rule's first case and its mended form."""
    from rich.syntax import Syntax

    whose = f"{rule.code}'s" if plain else "the rule's own"
    for title, part in ((f"Fails, as {whose} fixture shows", "bad"), ("Mended", "fixed")):
        code = example(rule, part, plain=plain)
        if code is not None:
            out.print()
            out.print(title, style="bold")
            out.print(Syntax(code, "python", background_color="default", word_wrap=True))
