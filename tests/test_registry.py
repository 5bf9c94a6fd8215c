"""The registry: what counts as a rule, how it is named and selected, and that each describes itself in full."""

import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import jaxlint.hazards.registry
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.hazards.registry import UnknownRule, all_rules, find, matching, select
from jaxlint.hazards.rule import Rule
from jaxlint.hazards.selectors import FAMILIES, certainly_means_rules
from jaxlint.knowledge import errors
from jaxlint.plugins import hazards
from jaxlint.source.diagnostic import Category

SECTIONS = ["What it does", "Why is this bad", "Example", "Use instead", "When to ignore", "Fix safety", "References"]
FOLDER = Path(jaxlint.hazards.registry.__file__).parent

every_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)


def test_rules_are_called_as_their_modules_are():
    modules = [
        path for path in FOLDER.glob("*/*.py") if re.search("^RULE = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert {path.stem for path in modules} == {rule.name.replace("-", "_") for rule in all_rules()}
    for path in modules:
        assert find(path.stem.replace("_", "-")).family == path.parent.name


def _below(cls):
    return {cls}.union(*map(_below, cls.__subclasses__()))


def test_every_hazard_is_listed_and_reported_by_a_rule():
    classes = {getattr(hazards, name) for name in hazards.__all__}
    reported = {each for rule in all_rules() for each in rule.hazards}
    assert {each for each in _below(Hazard) if not each.__subclasses__()} == classes
    assert classes - reported == {hazards.UnsupportedOperation}  # which only the matrix reads


def test_a_hazard_has_fields_of_its_own():
    common = set(Hazard.__slots__)
    for name in hazards.__all__:
        cls = getattr(hazards, name)
        assert common.isdisjoint(each.name for each in fields(cls)) if is_dataclass(cls) else cls.__doc__


@every_rule
def test_description_is_complete(rule):
    assert re.fullmatch(r"JAX\d{3}", rule.code) and rule.code[3] in FAMILIES
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", rule.name)
    assert rule.summary.endswith(".") and "\n" not in rule.summary
    assert rule.fixable in ("none", "display", "unsafe", "safe")
    assert rule.on in ("default", "preview", "opt-in")
    assert rule.status in ("preview", "stable", "deprecated", "removed")
    assert all(issubclass(each, Hazard) for each in rule.hazards)
    assert (rule.check is None) == (rule.family == "tool") == (not rule.hazards)


@every_rule
def test_page_has_its_sections(rule):
    assert re.findall(r"^## (.+)$", rule.docs, re.MULTILINE) == SECTIONS
    for section in re.split(r"^## .+$", rule.docs, flags=re.MULTILINE):
        assert section.strip() and "TODO" not in section


@every_rule
def test_a_rule_of_code_that_fails_names_the_exception(rule):
    """And what is said of an exception leads to the rules that name it."""
    if rule.category is Category.FAILS and rule.family != "tool":
        assert rule.error
    known = errors.error(rule.error) if rule.error else None
    assert known is None or rule.code in known.rules


def test_order_does_not_depend_on_the_hash_seed():
    code = "from jaxlint.hazards.registry import all_rules; print(*[rule.code for rule in all_rules()])"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(FOLDER.parents[1])},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_find():
    assert find("JAX103") is find("jax103") is find("branch-on-tracer")
    with pytest.raises(UnknownRule, match="did you mean `branch-on-tracer`"):
        find("branch-on-traced")
    with pytest.raises(UnknownRule, match="`jaxlint rules` lists them all"):
        find("W291")


def test_matching():
    assert [rule.code for rule in matching("branch-on-tracer")] == ["JAX103"]
    assert {rule.family for rule in matching("JAX1")} == {"concretization"}
    assert matching("JAX") == all_rules()
    for wrong in ("J", "", "JAX6666", "JAX1O3"):
        with pytest.raises(UnknownRule):
            matching(wrong)


TOOL = {"JAX900", "JAX901", "JAX902", "JAX903", "JAX904"}


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"select": ["JAX103"]}, {"JAX103"}),
        ({"select": ["JAX103", "print-of-tracer"]}, {"JAX103", "JAX303"}),
        ({"select": ["JAX1"], "ignore": ["JAX10"]}, {"JAX110", "JAX111", "JAX112", "JAX113", "JAX114"}),
        (
            {"select": ["JAX10"], "ignore": ["JAX1", "JAX101"], "extend_select": ["JAX303"]},
            {"JAX102", "JAX103", "JAX104", "JAX105", "JAX106", "JAX107", "JAX108", "JAX109", "JAX303"},
        ),
        ({"select": ["JAX103"], "ignore": ["JAX103"]}, set()),
        (
            {"select": ["JAX7"], "ignore": ["branch-on-tracer"]},
            {r.code for r in all_rules() if r.family == "debugging" and r.on == "default"},
        ),
    ],
)
def test_select(options, expected):
    assert select(**options) - TOOL == expected


def test_what_the_tool_says_of_itself_is_on_unless_it_is_turned_off():
    assert select(select=["JAX103"]) >= TOOL
    assert "JAX900" not in select(ignore=["syntax-error"])


def test_preview_and_opt_in_rules_come_on_by_their_exact_name():
    for rule in all_rules():
        if rule.on != "default":
            assert rule.code not in select() | select(select=[rule.code[:4]])
            assert rule.code in select(select=[rule.code]) & select(extend_select=[rule.name])
            assert (rule.code in select(preview=True)) == (rule.on == "preview")


def test_preview_and_opt_in_by_rules_made_for_it(monkeypatch):
    made = [
        Rule("JAX198", "made-preview", "Made.", Category.FAILS, on="preview"),
        Rule("JAX199", "made-opt-in", "Made.", Category.FAILS, on="opt-in"),
    ]
    monkeypatch.setattr(jaxlint.hazards.registry, "all_rules", lambda: tuple(made))
    jaxlint.hazards.registry._by_selector.cache_clear()
    try:
        assert select() == select(select=["JAX1"]) == frozenset()
        assert select(preview=True) == select(select=["JAX1"], preview=True) == {"JAX198"}
        assert select(select=["JAX198", "made-opt-in"]) == {"JAX198", "JAX199"}
    finally:
        monkeypatch.undo()
        jaxlint.hazards.registry._by_selector.cache_clear()


def test_selectors_are_known_without_the_rules():
    own = [rule for rule in all_rules() if rule.code.startswith("JAX")]
    meant = {word for rule in own for word in (rule.name, *(rule.code[:length] for length in (3, 4, 5, 6)))}
    assert [word for word in sorted(meant) if not certainly_means_rules(word)] == []


@pytest.mark.parametrize(
    "selector",
    ["", "JA", "JAX0", "JAX999", "JAX1234", "jax103", "branch", "choice", "__init__", "ABC001", "../keys/key-reuse"],
)
def test_other_selectors_are_looked_up(selector):
    assert not certainly_means_rules(selector)


@every_rule
def test_a_rule_about_code_that_fails_names_the_error(rule: Rule) -> None:
    assert rule.error or rule.category is not Category.FAILS or not rule.hazards
