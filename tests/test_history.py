"""What happened to names, parameters and options over the releases of JAX and its libraries."""

from __future__ import annotations

import enum
import functools
import json
import sys
from pathlib import Path

import pytest

from jaxlint import knowledge
from jaxlint.knowledge.history import release
from jaxlint.knowledge.probe import merge, pairs, sources, walk

DATA = Path(knowledge.__file__).with_name("data")
MIGRATIONS = json.loads((DATA / "migrations.json").read_text(encoding="utf-8"))
HISTORY = json.loads((DATA / "history.json").read_text(encoding="utf-8"))


def test_a_name_that_moved() -> None:
    found = knowledge.history("jax.tree_map")
    assert found is not None and found.replacement is not None
    assert (found.package, found.kind, found.deprecated, found.removed) == ("jax", "function", "0.4.26", "0.6.0")
    assert (found.replacement.name, found.replacement.since, found.replacement.level) == (
        "jax.tree.map",
        "0.4.25",
        "safe",
    )
    assert [(other.name, other.since) for other in found.replacement.also] == [("jax.tree_util.tree_map", None)]


def test_names_gone_before_the_first_release_that_is_walked() -> None:
    for name, removed in (
        ("jax.tree_multimap", "0.3.17"),
        ("jax.ops.index_update", "0.3.2"),
        ("jax.numpy.DeviceArray", "0.4.14"),
        ("jax.api", "0.2.22"),
    ):
        found = knowledge.history(name)
        assert found is not None and found.removed == removed, name
        assert found.replacement is not None


# Names of old tutorials and code bases.
OFTEN_SEEN = """
jax.tree_map jax.tree_leaves jax.tree_flatten jax.tree_unflatten jax.tree_multimap jax.tree_util.tree_multimap
jax.experimental.pjit.pjit jax.experimental.shard_map.shard_map jax.experimental.maps jax.experimental.maps.xmap
jax.experimental.enable_x64 jax.experimental.disable_x64 jax.experimental.stax jax.experimental.optimizers.adam
jax.experimental.host_callback.call jax.experimental.PartitionSpec jax.experimental.loops jax.experimental.optix
jax.tools.colab_tpu.setup_tpu jax.device_put_replicated jax.device_put_sharded jax.config.config jax.numpy.DeviceArray
jax.interpreters.xla.DeviceArray jax.util.safe_map jax.util.unzip2 jax.random.KeyArray jax.random.shuffle
jax.core.Jaxpr jax.core.Var jax.core.Primitive jax.core.get_aval jax.core.raise_to_shaped jax.linear_util.wrap_init
jax.xla_computation jax.lib.xla_bridge.get_backend jax.ops.index_update jax.ops.index_add jax.ops.index
jax.numpy.trapz jax.numpy.in1d jax.numpy.row_stack jax.numpy.product jax.numpy.msort jax.numpy.alltrue jax.numpy.NaN
jax.numpy.round_ jax.numpy.fix jax.numpy.NINF jax.sharding.PositionalSharding jax.lax.pvary jax.lax.tie_in
jax.lax.zeros_like_array jax.nn.normalize jax.scipy.special.sph_harm jax.scipy.linalg.tril Array.device_buffer
jax.api.jit jax.abstract_arrays.ShapedArray jax.custom_transforms jax.mask jax.partial jax.host_id
flax.optim.Adam flax.nn.Module haiku.jit optax.additive_weight_decay optax.global_norm equinox.nn.MaxPool2D
chex.assert_tree_all_close
""".split()


@pytest.mark.parametrize("name", OFTEN_SEEN)
def test_names_often_seen_are_known_with_what_to_do(name: str) -> None:
    found = knowledge.history(name)
    assert found is not None and (found.removed or found.deprecated)
    assert found.replacement is not None and (found.replacement.name or found.replacement.advice)


def test_a_name_that_is_still_there_has_no_history() -> None:
    for name in ("jax.numpy.sin", "jax.config.update", "jax.vmap", "optax.adam", "numpy.product", "jax.no_such_name"):
        found = knowledge.history(name)
        assert found is None or found.removed is found.deprecated is None, name


def test_what_a_module_held_went_with_it_and_moves_with_it() -> None:
    found = knowledge.history("jax.experimental.stax.Dense")
    assert found is not None and found.removed == "0.3.17" and found.replacement is not None
    assert found.replacement.name == "jax.example_libraries.stax.Dense"


def test_an_attribute_of_arrays() -> None:
    found = knowledge.history("Array.device_buffer")
    assert found is not None and (found.package, found.deprecated) == ("jax", "0.4.23")


def test_a_parameter_that_was_renamed() -> None:
    found = knowledge.parameter_history("jax.numpy.clip", "a_min")
    assert found is not None
    assert (found.deprecated, found.removed, found.renamed_to, found.since) == ("0.4.27", "0.10.0", "min", "0.4.28")
    assert knowledge.parameter_history("jax.numpy.sum", "axis") is None


def test_signatures_of_two_releases() -> None:
    old, new = (knowledge.signature("jax.numpy.clip", version) for version in ("0.4.20", "0.10.2"))
    assert old is not None and new is not None
    assert [parameter.name for parameter in old] == ["a", "a_min", "a_max", "out"]
    assert [parameter.name for parameter in new] == ["arr", "min", "max"]
    assert knowledge.signature("jax.shard_map", "0.4.20") is None


def test_options_of_jax() -> None:
    assert knowledge.option("jax_enable_x64") == knowledge.History("jax_enable_x64", "jax", "option")
    assert knowledge.option("jax_no_such_option") is None
    gone = knowledge.option("jax_array")
    assert gone is None or gone.removed is not None


@pytest.mark.parametrize("section", ["gone", "replacements", "parameters", "options", "within"])
def test_every_row_by_hand_has_a_source(section: str) -> None:
    assert not [name for name, row in MIGRATIONS[section].items() if not row.get("source")]


def test_replacements_are_there_in_the_newest_release() -> None:
    """What is offered as an edit must not be gone itself."""
    gone = []
    for name, row in MIGRATIONS["replacements"].items():
        for offered in (row, *row.get("also", ())):
            found = knowledge.history(offered["name"]) if offered.get("name") else None
            if row["level"] != "display" and found is not None and found.removed is not None:
                gone.append((name, found.name, found.removed))
    assert gone == []


def test_what_has_a_replacement_is_gone_or_deprecated() -> None:
    """A row that can never be used is a mistake in the name."""
    useless = []
    for name in MIGRATIONS["replacements"]:
        found = knowledge.history(name)
        if found is None or (found.removed is None and found.deprecated is None):
            useless.append(name)
    assert useless == []


def test_releases_of_rows_are_in_order() -> None:
    wrong = []
    for name, row in HISTORY["names"].items():
        there = [release(row[field]) for field in ("added", "deprecated", "removed") if field in row]
        if there != sorted(there):
            wrong.append(name)
    assert wrong == []


def test_safe_replacements_are_the_same_in_the_installed_jax() -> None:
    """Of those pairs that both still exist."""
    pytest.importorskip("jax")
    differ = []
    for old, new in pairs.pairs():
        row = MIGRATIONS["replacements"][old]
        if old.startswith("jax.") and row["level"] == "safe" and row.get("rewrite", "alias") == "alias":
            found = pairs.compare(old, new)
            if found is not None and found.startswith("differs"):
                differ.append((old, new, found))
    assert differ == []


def released(version: str, names: dict[str, str], *, gone: dict[str, str] = {}, read: bool = False) -> merge.Release:
    rows = {name: {"kind": "function", **({"message": said} if said else {})} for name, said in names.items()}
    return merge.Release({"version": version, "names": rows, "gone": gone}, read=read)


def test_rows_tell_what_changed() -> None:
    rows = merge.names(
        [
            released("1.0", {"p.old": "", "p.always": "", "p.late": ""}),
            released("1.1", {"p.old": "p.old was deprecated in JAX v1.0.5", "p.always": "", "p.new": ""}),
            released(
                "1.4",
                {"p.always": "", "p.new": "", "p.late": ""},
                gone={"p.old": "p.old was removed in v1.3: use p.new"},
            ),
        ]
    )
    assert rows == {
        "p.old": {
            "kind": "function",
            "deprecated": "1.0.5",
            "removed": "1.3",
            "message": "p.old was removed in v1.3: use p.new",
        },
        "p.new": {"kind": "function", "added": "1.1"},
    }


def test_a_name_deprecated_once_and_then_kept_is_not_deprecated() -> None:
    assert (
        merge.names([released("1", {"p.f": ""}), released("2", {"p.f": "deprecated"}), released("3", {"p.f": ""})])
        == {}
    )


def test_an_object_in_the_place_of_a_module_says_nothing_of_its_names() -> None:
    there = released("1", {"p.m.f": ""})
    replaced = merge.Release({"version": "2", "names": {"p.m": {"kind": "constant"}}, "gone": {}}, read=False)
    assert "p.m.f" not in merge.names([there, replaced])


def test_a_module_that_cannot_be_imported_says_nothing_of_its_names() -> None:
    there, failing = (
        released("1", {"p.m.f": ""}),
        merge.Release({"version": "2", "names": {}, "failed": {"p.m": "error"}}),
    )
    assert merge.names([there, failing]) == {}


def test_names_are_read_from_sources(tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").write_text("import os\nfrom p._inner import *\nfrom functools import partial\nx = 1\n")
    (package / "_inner.py").write_text(
        "def f(): ...\ndef _g(): ...\nclass C: ...\ntry:\n    y = 2\nexcept Exception:\n    z = 3\ndel C\n"
    )
    found = sources.read(tmp_path, "p", "1.0")["names"]
    assert {name: row["kind"] for name, row in found.items()} == {
        "p": "module",
        "p.f": "function",
        "p.x": "constant",
        "p.y": "constant",
        "p.z": "constant",
    }


def test_names_are_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "walked_package"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import os, warnings\n"
        "from typing import Any\n"
        "from walked_package import _hidden\n"
        "def f(a, /, b=1, *, c): ...\n"
        "def old():\n"
        "    warnings.warn('old is deprecated', DeprecationWarning)\n"
        "def __getattr__(name):\n"
        "    if name == 'lazy':\n"
        "        warnings.warn('lazy is deprecated', DeprecationWarning)\n"
        "        return 1\n"
        "    if name == 'gone':\n"
        "        raise AttributeError('gone was removed in 2.0')\n"
        "    raise AttributeError(name)\n"
    )
    (package / "_hidden.py").write_text("")
    (package / "broken.py").write_text("import no_such_module_anywhere\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    walked = walk.Walk("walked_package")
    walked.run()
    for name in ("lazy", "gone", "never"):
        walked.ask(f"walked_package.{name}")
    for name in [name for name in sys.modules if name.startswith("walked_package")]:
        del sys.modules[name]
    assert walked.names == {
        "walked_package": {"kind": "module"},
        "walked_package.f": {"kind": "function", "signature": "a, /, b=, *, c"},
        "walked_package.old": {"kind": "function", "signature": "", "message": "old is deprecated"},
        "walked_package.lazy": {"kind": "constant", "message": "lazy is deprecated"},
    }
    assert walked.gone == {"walked_package.gone": "gone was removed in 2.0"}
    assert list(walked.failed) == ["walked_package.broken"]


class Space(enum.Enum):
    """As the memory spaces of Pallas are: members that are called."""

    FAST = "fast"

    def __call__(self, shape: object, dtype: object) -> object:
        return shape, dtype


def test_a_member_of_an_enumeration_is_called_as_its_class_says() -> None:
    """Python gives classes of enumerations a signature of its own, which members take for theirs from Python 3.12 on."""
    assert walk._row(Space.FAST, None)["signature"] == "shape, dtype"
    assert "signature" not in walk._row(Space, None)


def test_a_function_takes_the_keywords_of_what_is_around_it_as_well() -> None:
    def checked(x: object, *, low: object = 0, **kwargs: object) -> object:
        return x, low, kwargs

    @functools.wraps(checked)
    def with_message(*args: object, message: str = "", **kwargs: object) -> object:
        return checked(*args, **kwargs)

    assert walk._row(with_message, None)["signature"] == "x, *, low=, message=, **kwargs"


def test_no_signature_of_an_enumeration_is_in_the_data() -> None:
    signatures = json.loads((DATA / "signatures.json").read_text(encoding="utf-8"))["signatures"]
    assert "*values" not in {signature for rows in signatures.values() for _, signature in rows}
