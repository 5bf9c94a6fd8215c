"""Mistakes that users asked about: what is found of them, and that their corrected versions are silent."""

import sys
import zlib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "asked"))

import cases

EVERY = list(cases.cases())
MISSED = cases.missed()
# Corrected programs with a report, and why.
REPORTED = {
    "ema-starts-as-alias-of-donated-params": "two models are compared with one key on purpose",
    "elbo-noise-is-a-global-key": "a gradient and an estimate are taken with the noise of one step on purpose",
    "every-episode-starts-alike": "reset is called twice with one key to see the same start again",
    "chain-is-saved-with-its-key": "a chain is run whole and in halves with one key on purpose",
    "split-without-a-name": "fold_in(key, 1) is the second key that split(key) gives: two draws are made from it, against the intention",
    "counter-of-a-jitted-agent": "a list in traced code counts how often it is traced, on purpose",
    "penalty-made-for-each-step": "a number in traced code counts how often it is traced, on purpose",
    "jit-in-the-initialiser": "a number in traced code counts how often it is traced, on purpose",
    "state-becomes-a-batch": "a number in traced code counts how often it is traced, on purpose",
    "equinox-model-into-plain-jit": "the norm of what a network gives has no gradient where it is 0, which its author rules out",
    "drawn-moves-carry-no-gradient": "what was learnt is measured before and after with one key on purpose",
    "policy-samples-with-numpy": "the scan of a rollout is compiled anew in each pass, which its author takes",
    "rooms-in-a-list": "a loop of JAX is compiled anew in each pass, which its author takes",
}


def named(case):
    return case.name


@pytest.mark.parametrize("case", EVERY, ids=named)
def test_mistakes_are_reported_and_corrections_are_not(case, request):
    if case.name in MISSED:
        request.applymarker(pytest.mark.xfail(reason=MISSED[case.name], strict=True))
    judged = cases.judge(case)
    if case.name not in REPORTED:
        assert judged.false == ()
    assert judged.found != (), f"nothing is reported at the marked lines; elsewhere: {judged.elsewhere}"


def test_names_are_of_programs():
    names = [case.name for case in EVERY]
    assert len(names) == len(set(names))
    assert set(MISSED) | set(REPORTED) <= set(names)


@pytest.mark.parametrize("case", [case for case in EVERY if zlib.crc32(case.name.encode()) % 12 == 0], ids=named)
def test_programs_do_what_they_say(case):
    """Every twelfth; `tests/asked/run.py --execute` runs all."""
    for library in ("jax", "flax", "haiku", "equinox", "optax"):
        pytest.importorskip(library, reason=f"the programs run under real JAX, with {library}, which is not installed")
    assert cases.problem(case) is None


def test_a_case_that_does_not_hold_is_noticed(tmp_path):
    pytest.importorskip("jax", reason="the program runs under real JAX, which is not installed")
    for side, value in (("wrong", 1), ("right", 1)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "main.py").write_text(f"print({value})  # mistake\n")
    silent = cases.Case(tmp_path, "", "", "silent", None, "")
    assert cases.problem(silent) == "both versions print the same"
    assert cases.problem(cases.Case(tmp_path, "", "", "raises", "TypeError", "")) == "the program does not fail"
    (tmp_path / "right" / "main.py").write_text("raise ValueError\n")
    assert cases.problem(silent) == "the corrected program fails: ValueError"
