"""Fixtures in other releases of JAX: values that travel, what is claimed where, and what is kept of it."""

import json
from pathlib import Path

import pytest

from jaxlint.hazards.registry import all_rules
from jaxlint.hazards.resources import fixtures_root
from jaxlint.verify import pages, releases
from jaxlint.verify.bless import bad_files
from jaxlint.verify.fixture import FixtureFile, parse_proof
from jaxlint.verify.folders import folder_of
from jaxlint.verify.releases import Moved

jax = pytest.importorskip("jax", reason="programs run under real JAX, which is not installed")

import jax.numpy as jnp
import numpy as np

from jaxlint.verify import compare, place, portable, programs

CASE = """\
import jax
import jax.numpy as jnp


# run: double({"a": jnp.arange(3)})
# proves: raises AttributeError
# before: jax==PREVIOUS
def double(tree):
    return jax.no_such_name(tree)  # expect: JAX801 @12 safe
"""
FIXED = CASE.replace(
    "jax.no_such_name(tree)  # expect: JAX801 @12 safe", "jax.tree_util.tree_map(lambda x: 2 * x, tree)"
)


def through_json(value):
    return portable.decode(json.loads(json.dumps(portable.encode(value))))


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, "text", 0.1, float("nan"), 1 + 2j,
        [1, (2.0, None)], {"b": [1], "a": ()},
        np.arange(6, dtype=np.int8).reshape(2, 3), np.float32(0.1), jnp.arange(3.0), jnp.ones((2, 0), jnp.bfloat16),
    ],
)  # fmt: skip
def test_values_travel_to_the_bit(value):
    assert compare.difference(through_json(value), value) is None
    leaves = jax.tree_util.tree_leaves(through_json(value)), jax.tree_util.tree_leaves(value)
    assert all(np.asarray(left).tobytes() == np.asarray(right).tobytes() for left, right in zip(*leaves))


def test_different_values_stay_different():
    key = jax.random.key(0)
    values = [
        1, 1.0, True, "1", None, [1], (1,), {"a": 1}, np.int32(1), np.int16(1), np.ones(1), np.zeros(1), np.ones((1, 1)),
        key, jax.random.key(1), jax.random.key_data(key), np.dtype("int8"), jnp.sin, jnp.cos,
        jax.tree_util.Partial(jnp.sin, 1),
    ]  # fmt: skip
    texts = [json.dumps(portable.encode(value)) for value in values]
    assert len(set(texts)) == len(texts)


def test_nothing_is_claimed_of_the_release_in_which_the_old_code_runs(tmp_path):
    def speaks(before: str, proof: str = "leaks") -> bool:
        fixture = FixtureFile.parse(CASE.replace("PREVIOUS", before), tmp_path / "bad.py")
        return place.speaks(fixture.cases[0], parse_proof(proof, 1, tmp_path / "bad.py"))

    assert speaks("0.2.0")
    assert not speaks(jax.__version__) and not speaks("99.0")
    assert not speaks("0.2.0", "leaks jax>=99")


def answer(folder: Path, before: str, bad: str = CASE, fixed: str = FIXED):
    (folder / "bad.py").write_text(bad.replace("PREVIOUS", before))
    (folder / "fixed.py").write_text(fixed.replace("PREVIOUS", before))
    request = {"bad": str(folder / "bad.py"), "fixed": str(folder / "fixed.py"), "code": "JAX801"}
    (case,) = programs.answer(request)["cases"]
    return case


def test_old_code_has_to_run_in_its_release(tmp_path):
    here = answer(tmp_path, jax.__version__)
    assert "should run, as `# before:` says" in here["proof"][0] and "value" not in here
    ran = answer(tmp_path, jax.__version__, bad=FIXED)
    assert ran["proof"] == [] and portable.decode(ran["value"]["is"])["a"].tolist() == [0, 2, 4]


def test_in_a_later_release_old_code_fails_and_fixed_code_gives_a_value(tmp_path):
    later = answer(tmp_path, "0.2.0")
    assert (later["proof"], later["fixed"]) == ([], [])
    assert portable.decode(later["value"]["is"])["a"].tolist() == [0, 2, 4]
    wrong = answer(tmp_path, "0.2.0", bad=FIXED, fixed=CASE)
    assert "should raise AttributeError" in wrong["proof"][0] and "should run" in wrong["fixed"][0]


def test_a_package_that_is_missing_is_no_failure(tmp_path):
    bad = CASE.replace("import jax\n", "import jax\nimport no_such_package\n", 1)
    assert answer(tmp_path, "0.2.0", bad=bad)["skipped"] == "no_such_package is not installed there"


def test_values_of_two_releases_are_compared(tmp_path):
    from jaxlint.verify.results import Report

    answer(tmp_path, "0.2.0")
    fixture = FixtureFile.read(tmp_path / "bad.py")

    def moved(new, old) -> tuple[Moved, list[str]]:
        said = {release: {"value": {"is": portable.encode(value)}} for release, value in (("0.2.0", old), ("9.0", new))}
        reports = {release: Report("JAX801", "removed-api", problems={"fixed": []}) for release in said}
        return releases._moved("JAX801", fixture, fixture.cases[0], "0.2.0", said, reports), reports["9.0"].problems[
            "fixed"
        ]

    same, none = moved(jnp.ones(2), np.ones(2, np.float32))
    assert same.same == {"9.0": True} and none == []
    other, problem = moved(jnp.ones(2), jnp.zeros(2))
    assert other.same == {"9.0": False} and "gives another value than the old code in jax 0.2.0" in problem[0]


def test_the_digest_follows_the_code_and_not_its_place(tmp_path):
    def digest(bad: str, fixed: str) -> str:
        (tmp_path / "bad.py").write_text(bad)
        (tmp_path / "fixed.py").write_text(fixed)
        fixture = FixtureFile.read(tmp_path / "bad.py")
        return releases.digest(fixture, fixture.cases[-1])

    case, fixed = CASE.replace("PREVIOUS", "0.4.20"), FIXED.replace("PREVIOUS", "0.4.20")
    first = digest(case, fixed)
    above = case.replace("# run: double", "# run: 1\n# proves: leaks\n\n\n# run: double", 1)
    assert digest(above, fixed) == first
    assert digest(case.replace("no_such_name", "other_name"), fixed) != first
    assert digest(case, fixed.replace("2 * x", "3 * x")) != first


def test_what_is_recorded_replaces_only_rules_that_ran(tmp_path):
    path = tmp_path / "moved.json"
    rows = [Moved("JAX801", "bad.py", "f(x)", "f(1)", "0.4.20", "a", True, {"0.10.2": True}),
            Moved("JAX803", "bad.py", "g|x", "g(1)", "0.4.30", "b", True, {"0.9.2": False, "0.10.2": True})]  # fmt: skip
    releases.record(rows, ["JAX801", "JAX803"], path)
    assert releases.recorded(path) == rows
    releases.record([], ["JAX801"], path)
    assert releases.recorded(path) == rows[1:]
    assert releases.markdown(rows).splitlines() == [
        "| rule | old code | ran on | same values on 0.9.2 | same values on 0.10.2 |",
        "|---|---|---|---|---|",
        "| JAX801 | `f(x)` | 0.4.20 |  | yes |",
        "| JAX803 | `g\\|x` | 0.4.30 | no | yes |",
    ]


# --- what is committed ----------------------------------------------------------------------------


def test_every_case_with_an_older_release_is_recorded_as_it_is_now():
    root = fixtures_root()
    now = {
        (rule.code, bad.name, case.before, releases.digest(fixture, case))
        for rule in all_rules()
        for bad in bad_files(folder_of(root, rule))
        for fixture in [FixtureFile.read(bad)]
        for case in fixture.cases
        if case.before is not None
    }
    kept = {(row.rule, row.file, row.before, row.digest) for row in releases.recorded()}
    assert now == kept, "run `jaxlint verify --jax ... JAX8 --record`, as docs/migrations.md says"


def test_every_recorded_case_ran_and_gave_the_same_values():
    assert [row for row in releases.recorded() if not (row.ran and row.same and all(row.same.values()))] == []


def test_the_table_of_the_documentation_is_the_recorded_one():
    if not pages.MIGRATIONS.exists():
        pytest.skip("only the package is installed, without its pages")
    page = pages.MIGRATIONS.read_text(encoding="utf-8")
    assert pages.part(page, "moved") == pages.moved_part(releases.recorded())
