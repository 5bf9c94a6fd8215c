"""The knowledge base: what it answers, and that the answers are those of the installed JAX."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint import knowledge
from jaxlint.knowledge import Parameter, libraries, ranges
from jaxlint.knowledge.parameters import parameters as spelled

DATA = Path(knowledge.__file__).with_name("data")


def installed_versions():
    jax = pytest.importorskip("jax", reason="jax is not installed: the facts cannot be measured afresh")
    numpy = pytest.importorskip("numpy")
    return {"jax": jax.__version__, "numpy": numpy.__version__}


@pytest.fixture(scope="module")
def probe():
    installed = installed_versions()
    measured = knowledge.versions(installed["jax"])
    for package, version in installed.items():
        if measured.get(package) != version:
            pytest.skip(
                f"{package} {version} is installed, and not what facts of jax {installed['jax']} were measured with"
            )
    return importlib.import_module("jaxlint.knowledge.probe.run")


def rows(section):
    return json.loads((DATA / "jax.json").read_text(encoding="utf-8"))[section]


@pytest.fixture(scope="module")
def committed(probe):
    """What the data files say of the installed JAX."""
    from jaxlint.knowledge.probe import tables

    return tables.Tables.read().facts(installed_versions()["jax"])


# Look-ups.


def test_parameters_are_read_from_the_signature():
    found = knowledge.facts("jax.numpy.clip")
    assert found.parameters[0] == Parameter("arr", "positional-only", False)
    assert knowledge.facts("jax.numpy.unique").parameters[-1].kind == "keyword-only"
    assert knowledge.facts("jax.numpy.result_type").parameters[0] == Parameter("args", "star", False)
    assert knowledge.facts("jax.numpy.zeros").parameters[0] == Parameter("shape", "ordinary", True)


@pytest.mark.parametrize(
    "name, static",
    [
        ("jax.numpy.sum", {"axis", "keepdims", "promote_integers"}),
        ("jax.numpy.arange", {"start", "stop", "step"}),
        ("jax.random.normal", {"shape"}),
        ("jax.random.split", {"num"}),
        ("jax.lax.scan", {"length", "reverse", "unroll"}),
        ("jax.lax.top_k", {"k"}),
        ("jax.numpy.sin", set()),
    ],
)
def test_static_parameters(name, static):
    assert static <= knowledge.facts(name).static
    assert "a" not in knowledge.facts(name).static


def test_sizes_are_told_from_other_static_parameters():
    assert knowledge.facts("jax.numpy.arange").sizes == {"start", "stop", "step"}
    assert knowledge.facts("jax.numpy.linspace").sizes == {"num"}
    assert knowledge.facts("jax.numpy.sum").sizes == frozenset()
    assert knowledge.method("reshape").sizes == {"args"}


def test_a_parameter_may_be_free_as_an_array_alone():
    assert knowledge.facts("jax.random.choice").mixed == {"a"}
    assert knowledge.facts("jax.random.permutation").mixed == {"x"}


@pytest.mark.parametrize(
    "name, decides, ways_out",
    [
        ("jax.numpy.nonzero", ("a",), ("size",)),
        ("jax.numpy.repeat", ("repeats",), ("total_repeat_length",)),
        ("jax.numpy.bincount", ("x",), ("length",)),
        ("jax.numpy.trim_zeros", ("filt",), ()),
        ("jax.ops.segment_sum", ("segment_ids",), ("num_segments",)),
    ],
)
def test_data_dependent_shapes_and_their_ways_out(name, decides, ways_out):
    found = knowledge.facts(name)
    assert (found.data_dependent, found.decides, found.ways_out) == (True, decides, ways_out)


def test_where_depends_on_its_condition_with_one_argument_only():
    assert set(knowledge.facts("jax.numpy.where").ways_out) == {"size", "x", "y"}


@pytest.mark.parametrize(
    "name, result, count",
    [
        ("jax.numpy.sum", "array", None),
        ("jax.numpy.linalg.svd", "tuple", 3),
        ("jax.numpy.split", "list", None),
        ("jax.numpy.shape", "static", None),
        ("jax.jit", "function", None),
        ("jax.lax.scan", "tuple", 2),
        ("jax.numpy.where", "array", None),
        ("jax.lax.cond", "unknown", None),
    ],
)
def test_results(name, result, count):
    assert (knowledge.facts(name).result, knowledge.facts(name).length) == (result, count)


@pytest.mark.parametrize(
    "name, parameter, forms",
    [
        ("jax.numpy.sum", "a", {"list", "generator", "view"}),
        ("jax.numpy.stack", "arrays", {"generator"}),
        ("jax.numpy.array", "object", {"generator", "view"}),
        ("jax.numpy.einsum", "operands", {"generator", "view"}),  # it has a form with lists of axes
        ("jax.random.choice", "a", {"list", "generator", "view"}),
        ("jax.random.normal", "key", {"seed"}),
        ("jax.random.key", "seed", set()),
    ],
)
def test_forms_of_arguments_that_are_refused(name, parameter, forms):
    assert knowledge.facts(name).refuses.get(parameter, frozenset()) == forms


def test_methods_refuse_what_the_functions_of_their_names_refuse():
    assert "list" in knowledge.method("take").refuses["indices"]
    assert "list" in knowledge.method("dot").refuses["b"]


def test_empty_arrays_are_not_written_to_since_a_release():
    assert not knowledge.facts("jax.numpy.empty", "0.10.2").uninitialised
    assert knowledge.facts("jax.numpy.empty", "0.12.0.1").uninitialised
    assert not knowledge.facts("jax.numpy.zeros").uninitialised


def test_results_may_have_the_structure_of_an_argument():
    assert (knowledge.facts("jax.tree.map").result, knowledge.facts("jax.tree.map").like) == ("like", "tree")
    assert knowledge.facts("jax.lax.psum").like == "x"
    assert knowledge.facts("jax.lax.fori_loop").like == "init_val"


def test_results_without_a_tangent():
    for name in ("floor", "argmax", "sign", "greater", "zeros_like", "isnan"):
        assert not knowledge.facts(f"jax.numpy.{name}").tangent, name
    assert not knowledge.facts("jax.lax.stop_gradient").tangent
    for name in ("sin", "sum", "where", "asarray"):
        assert knowledge.facts(f"jax.numpy.{name}").tangent, name


def test_key_consumption():
    for name in ("normal", "split", "choice", "bits", "categorical"):
        assert knowledge.facts(f"jax.random.{name}").consumes == ("key",), name
    for name in ("fold_in", "clone", "key_data", "wrap_key_data", "key", "PRNGKey"):
        assert knowledge.facts(f"jax.random.{name}").consumes == (), name
    assert knowledge.facts("jax.nn.initializers.glorot_normal()").consumes == ("key",)
    assert knowledge.facts("jax.nn.initializers.zeros").consumes == ()


def test_canonical_names():
    assert knowledge.canonical("jax.numpy.ndarray") == "jax.Array"
    assert knowledge.canonical("jax.numpy.ndarray.at") == "jax.Array.at"
    assert knowledge.canonical("jax.scipy.special.logsumexp") == "jax.nn.logsumexp"
    for name in ("jax.numpy.sum", "jax.no_such_name", "numpy.absolute", "jaxtyping.Float", "f"):
        assert knowledge.canonical(name) == name
    assert knowledge.facts("jax.scipy.special.logsumexp") is not None


def test_known_and_exported_names():
    assert (
        knowledge.known("jax.numpy.linalg") and knowledge.known("jax.numpy.float32") and knowledge.known("jax.numpy.pi")
    )
    assert not knowledge.known("jax.numpy.relu") and not knowledge.known("numpy.sin")
    assert {"jit", "numpy", "Array"} <= set(knowledge.exported("jax"))
    assert "sin" in knowledge.exported("jax.numpy") and knowledge.exported("nowhere") == ()


def test_host_functions():
    assert knowledge.host("numpy.sin", "staged") == "fails"
    assert knowledge.host("numpy.sum", "batched") == "works"
    assert knowledge.host("builtins.int", "differentiated") == "static"
    assert knowledge.host("builtins.float", "differentiated") == "fails"
    assert knowledge.host("math.prod", "staged") == "works"
    assert knowledge.host("numpy.shape", "staged") == "static"
    assert knowledge.host("numpy.argsort", "staged") is None
    assert knowledge.host("mine.sin", "staged") is None


def test_a_host_verdict_may_depend_on_the_argument():
    assert knowledge.host("numpy.reshape", "staged") is None
    assert knowledge.host("numpy.reshape", "staged", 0) == "works"
    assert knowledge.host("numpy.reshape", "staged", "shape") == "fails"


def test_members():
    assert knowledge.member("shape", "staged") == "static"
    assert knowledge.member("T", "staged") == "array"
    assert knowledge.member("at", "staged") == "at"
    assert knowledge.member("sum", "staged") == "method"
    assert knowledge.member("nonzero", "staged") == "method"
    assert [knowledge.member("item", cls) for cls in ("staged", "batched", "differentiated")] == [
        "fails",
        "fails",
        "method",
    ]
    assert knowledge.member("block_until_ready", "staged") == "fails"
    assert knowledge.member("no_such_attribute", "staged") is None


def test_methods_leave_the_array_out():
    assert [parameter.name for parameter in knowledge.method("sum").parameters][:1] == ["axis"]
    assert "axis" in knowledge.method("sum").static
    assert knowledge.method("nonzero").decides == ("self",)
    assert knowledge.method("at.set").parameters[0].name == "values"
    assert knowledge.method("copy").parameters == ()
    assert knowledge.method("no_such_method") is None


def test_private_names_of_keys():
    assert "wrap_key_data" in knowledge.private_prng("jax._src.prng.random_wrap")
    assert "wrap_key_data" in knowledge.private_prng("jax._src.random.prng.random_wrap")
    assert knowledge.private_prng("jax._src.prng.whatever") is not None
    assert "key_data" in knowledge.private_prng("unsafe_raw_array")
    assert knowledge.private_prng("jax.random.key") is None and knowledge.private_prng("random_wrap") is None


def test_looking_up_needs_neither_jax_nor_numpy():
    look_up = "import sys; from jaxlint import knowledge; knowledge.facts('jax.numpy.sum')"
    code = f"{look_up}; print(*sorted({{'jax', 'numpy'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


# The data.


@pytest.mark.parametrize("file", ["jax.json", "names.json"])
def test_the_data_files_are_sorted_with_one_entry_a_line(file):
    lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    sections = json.loads("\n".join(lines))
    assert len(lines) == 2 + sum(2 + len(entries) for entries in sections.values())
    for entries in sections.values():
        assert list(entries) == sorted(entries)


def test_rows_by_hand_name_their_source():
    hand = json.loads((DATA / "hand.json").read_text(encoding="utf-8"))
    for section, entries in hand.items():
        tables = entries.values() if section == "sizes" else [entries]
        for table in tables:
            for name, row in table.items():
                assert row.get("source"), f"{section}: {name}"


def every_state(section):
    for name, entry in rows(section).items():
        yield from ((name, row) for _, row in ranges.states(entry) if row is not None)


def test_rows_name_parameters_that_exist():
    results = {"array", "tuple", "list", "static", "pytree", "like", "function", "unknown", None}
    for section in ("functions", "methods"):
        for name, row in every_state(section):
            assert row.get("result") in results, name
            own = {parameter.name for parameter in spelled(row.get("parameters", ""))} | {"self"}
            for field in ("static", "dynamic", "mixed", "decides", "out", "varies", "consumes"):
                assert set(row.get(field, ())) <= own, (name, field)


# Releases.

RELEASES = ("0.4.20", "0.4.30", "0.6.2", "0.12.0.1")


@pytest.mark.parametrize(
    "values, entry",
    [
        (["f", "f", "f", "f"], "f"),
        (["f", "f", None, None], {"until": {"0.4.30": "f"}}),
        ([None, "f", "g", "g"], {"now": "g", "until": {"0.4.30": "f", "0.4.20": None}}),
        (
            [{"a": 1}, {"a": 1}, {"a": 1, "b": 2}, {"b": 3}],
            {"b": 3, "until": {"0.6.2": {"a": 1, "b": 2}, "0.4.30": {"b": None}}},
        ),
        ([None, {"a": 1}, {"a": 1}, None], {"until": {"0.6.2": {"a": 1}, "0.4.20": None}}),
        ([{"a": 1}, "f", "f", "f"], {"now": "f", "until": {"0.4.20": {"a": 1}}}),
    ],
)
def test_an_entry_holds_what_differs_in_older_releases(values, entry):
    assert ranges.compress(list(zip(RELEASES, values))) == entry
    assert [ranges.at(entry, version) for version in RELEASES] == values
    assert ranges.at(entry) == [value for value in values if value is not None][-1]


def test_between_two_measured_releases_an_entry_is_that_of_the_later():
    entry = {"now": "g", "until": {"0.4.30": "f"}}
    assert [ranges.at(entry, version) for version in ("0.4.29", "0.4.31", "0.13.0", "0.4.1")] == ["f", "g", "g", "f"]


def test_a_release_in_which_nothing_changed_adds_one_line():
    from jaxlint.knowledge.probe import tables, write

    data = tables.Tables.read()
    before = write.text(data.sections()).splitlines()
    newest = max(data.releases, key=knowledge.release)
    data.add("99.0", {**data.releases[newest], "aliases": data.aliases, "hidden": data.hidden})
    after = write.text(data.sections()).splitlines()
    added = [line for line in after if line not in before and line.rstrip(",") not in before]
    assert len(added) == 1 and added[0].startswith('  "99.0": ')
    assert len(after) == len(before) + 1


def test_functions_that_are_the_same_before_and_after_a_release_are_known():
    from jaxlint.knowledge.probe import tables

    def functions(**rows):
        return {"functions": {f"jax.{name}": {"parameters": row} for name, row in rows.items()}, "versions": {}}

    releases = {
        "0.4.30": functions(same="x", changed="x", gone="x", renamed="x"),
        "0.10.2": functions(same="x", changed="x, y", added="x"),
        "0.12.0.1": functions(same="x", changed="x, y", added="x", name="x"),
        "0.11.2": {"names": {}, "versions": {}},
    }
    data = tables.Tables(releases, {"jax.renamed": "jax.name"}, {})
    assert data.neighbours("0.6.2") == ("0.4.30", "0.10.2")
    assert data.neighbours("0.10.2") == ("0.4.30", "0.12.0.1")
    assert data.neighbours("0.4.20") is data.neighbours("0.12.0.1") is None
    assert set(data.agreed("0.4.30", "0.10.2")) == {"jax.same"}
    assert set(data.agreed("0.4.30", "0.12.0.1")) == {"jax.same", "jax.name"}


def test_what_a_release_took_over_from_the_next_is_no_agreement():
    from jaxlint.knowledge.probe import tables

    row = {"parameters": "key", "result": "array"}
    old = {"functions": {"jax.f": row}, "versions": {"without": ["consumes"]}}
    data = tables.Tables({"0.4.20": old, "0.4.30": {"functions": {"jax.f": row}, "versions": {}}}, {}, {})
    assert set(data.agreed("0.4.20", "0.4.30")) == {"jax.f"}
    data.releases["0.4.30"]["functions"]["jax.f"] = {**row, "consumes": ["key"]}
    assert data.facts("0.4.20")["functions"] == data.facts("0.4.30")["functions"]
    assert data.agreed("0.4.20", "0.4.30") == {}


@pytest.mark.parametrize("parameters, measured", [("f, *args", False), ("f, args", True)])
def test_a_function_is_not_measured_if_it_is_known_with_the_parameters_it_has(probe, parameters, measured):
    import io

    from jaxlint.knowledge.probe.names import Name

    def same(f, *args):
        return f(*args)

    row = {"parameters": parameters, "result": "known"}
    between = probe.Between(("0.4.30", "0.12.0.1"), {"jax.now": row}, {"jax.same": "jax.now"}.get)
    found = probe.measure_functions([Name("jax.same", "function", same)], {}, io.StringIO(), "", between)["jax.same"]
    assert (found != row) is measured


def test_reading_and_writing_the_data_files_changes_nothing(tmp_path):
    from jaxlint.knowledge.probe import tables

    tables.Tables.read().write(tmp_path)
    for file in tables.FILES:
        assert (tmp_path / file).read_text(encoding="utf-8") == (DATA / file).read_text(encoding="utf-8"), file


# Fresh measurements, where the JAX the facts were measured on is installed.

SAMPLE = (
    "jax.numpy.sum",
    "jax.numpy.argmax",
    "jax.numpy.flatnonzero",
    "jax.random.normal",
    "jax.random.split",
    "jax.random.fold_in",
    "jax.lax.psum",
    "jax.nn.one_hot",
)


@pytest.mark.parametrize("name", SAMPLE)
def test_committed_facts_are_what_a_fresh_measurement_says(name, committed):
    from jaxlint.knowledge.probe import functions
    from jaxlint.knowledge.probe.names import Name

    parent, _, last = name.rpartition(".")
    value = getattr(importlib.import_module(parent), last)
    assert functions.row(Name(name, "function", value)) == committed["functions"][name]


def test_functions_with_derivative_rules_are_those_of_jax():
    from jaxlint.analysis.transforms.custom_rules import OF_JAX

    jax = pytest.importorskip("jax", reason="jax is not installed: its functions cannot be looked at")
    modules = [
        importlib.import_module(f"jax.{name}")
        for name in ("nn", "numpy", "lax", "scipy.special", "numpy.linalg", "scipy.linalg")
    ]
    found = {
        f"{module.__name__}.{name}"
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, jax.custom_jvp)
    }
    # The newest releases compute `expn` by loops that JAX differentiates itself.
    without = {"jax.scipy.special.expn"} if tuple(map(int, jax.__version__.split(".")[:2])) >= (0, 12) else set()
    assert found == OF_JAX - without


def test_committed_names_are_what_a_fresh_walk_finds(committed):
    from jaxlint.knowledge.probe import names

    walked = {name.path: name for name in names.names()}
    assert {path for path in committed["names"] if path not in walked} == set()
    # What else is installed decides which modules can be imported, and which scalar types there are.
    added = [
        path
        for path, name in walked.items()
        if path not in committed["names"]
        and path.rpartition(".")[0] in committed["names"]
        and name.kind != "module"
        and type(name.value).__name__ != "_ScalarMeta"
    ]
    assert added == []


def test_committed_host_verdicts_are_what_a_fresh_measurement_says(committed):
    import math

    import numpy

    from jaxlint.knowledge.probe import host

    for name, function in {
        "numpy.sin": numpy.sin,
        "numpy.sum": numpy.sum,
        "numpy.array_equal": numpy.array_equal,
        "math.sqrt": math.sqrt,
    }.items():
        verdicts = host.measure_one(name, function)
        assert set(verdicts.values()) == {committed["host"][name]}, name


def test_committed_members_are_what_a_fresh_measurement_says(committed):
    from jaxlint.knowledge.probe import members

    for name in ("shape", "T", "item", "sum", "sharding", "at"):
        assert {cls: members.attribute(name, cls) for cls in members.CLASSES} == committed["members"][name], name


def test_every_static_argument_jax_declares_is_measured_static(committed):
    """`@jit(static_argnames=...)` in JAX's own source says what it needs concrete."""
    from jaxlint.knowledge.probe import declared

    agreeing, disagreeing = declared.compare(committed["functions"])
    assert agreeing > 300
    assert disagreeing == []


def test_what_update_of_an_optimiser_needs_is_measured():
    assert libraries.needs("optax.adam") == {}
    assert libraries.needs("optax.adamw") == {"params": frozenset()}
    assert libraries.needs("optax.lbfgs")["value_fn"] == {"linesearch"}
    optax = pytest.importorskip("optax", reason="optax is not installed: what it needs cannot be measured afresh")
    probe = importlib.import_module("jaxlint.knowledge.probe.optimisers")
    assert probe.needs(optax.adam(0.1)) == []
    assert probe.needs(optax.adamw(0.1)) == ["params"]
    assert probe.needs(optax.lbfgs()) == ["grad", "params", "value", "value_fn"]


def test_attributes_of_objects_of_libraries_are_measured():
    assert {"features", "apply"} <= knowledge.attributes("flax.linen.Dense")
    assert "params" not in knowledge.attributes("flax.linen.Dense")
    assert {"weight", "bias"} <= knowledge.attributes("equinox.nn.Linear")
    assert knowledge.attributes("flax.linen.missing") == frozenset()
    pytest.importorskip("flax", reason="flax is not installed: what its objects have cannot be measured afresh")
    probe = importlib.import_module("jaxlint.knowledge.probe.attributes")
    for name in ("flax.nnx.Linear", "flax.training.train_state.TrainState"):
        shared = probe.members(probe.found("flax.nnx.Module"))
        assert probe.members(probe.found(name)) - shared <= knowledge.attributes(name)


def test_layers_that_a_metaclass_makes_have_the_parameters_of_init():
    for release in ("0.8.5", "0.12.10"):
        needed = [each.name for each in knowledge.signature("flax.nnx.Linear", release) if each.required]
        assert needed == ["in_features", "out_features", "rngs"]
    assert knowledge.signature("haiku.Linear", "0.0.17")[0].name == "output_size"


def test_names_of_flax_are_known_by_the_module_that_defines_them():
    assert knowledge.canonical("flax.linen.module.compact") == "flax.linen.compact"
    assert knowledge.canonical("flax.linen.recurrent.Shape") == "flax.linen.recurrent.Shape"  # which flax.linen lacks
