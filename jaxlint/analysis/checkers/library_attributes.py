"""Attributes that objects of libraries on top of JAX do not have: `opt.step`, `model.params` of a module of Linen."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from jaxlint import knowledge
from jaxlint.analysis.checkers.unknown_names import names_set_by
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

_OPTIMISER = "optax.GradientTransformationExtraArgs"
OPTIMISER_STATE = "optax.OptState"
_TRAIN_STATE = "flax.training.train_state.TrainState"
_FAMILIES = {"linen": "flax.linen.Module", "nnx": "flax.nnx.Module", "equinox": "equinox.Module"}
_TRANSFORMED = {
    "haiku.transform": "haiku.Transformed", "haiku.without_apply_rng": "haiku.Transformed",
    "haiku.transform_with_state": "haiku.TransformedWithState",
}  # fmt: skip
# By these a class gives attributes that nobody reads in it.
_DYNAMIC = frozenset({"__getattr__", "__getattribute__", "__dict__", "setattr", "vars"})


@hazard_class(of_plain_values=True)
class UnknownAttribute(Hazard):
    """An object of a library, or of a class that derives from one of its own, has no attribute of the name.

    Site: the attribute; operand: the object; api: ".step".
    """

    owner: str  # the class, as it is to be called
    base: str  # the class of the library that was measured


class LibraryAttributes(Checker):
    """Attributes of optimisers, modules, layers and training states."""

    def subscribe(self, events: Events) -> None:
        events.refuses_object_attribute.append(self.lacks)
        events.sequence_member_read.append(self.of_state)

    def of_state(self, node: ir.Attribute | ir.Subscript, base: v.Tuple | v.Ref, attr: str) -> None:
        """The state of an optimiser holds `hyperparams` where `inject_hyperparams` makes it: a tuple of states has none."""
        if attr == "hyperparams" and type(base) is v.Tuple and base.namedtuple is None and type(node) is ir.Attribute:
            self.i.report(UnknownAttribute("tuple", OPTIMISER_STATE), node, node.value, base, api=f".{attr}")

    def lacks(self, node: ir.Attribute, base: v.Value, attr: str) -> bool:
        """Whether no release has the attribute; recorded if so."""
        owner = "" if attr.startswith("_") else self.measured(base)
        if not owner or attr in knowledge.attributes(owner) or attr in names_set_by(self.i.unit):
            return False
        assert self.i.state is not None
        if base.ident is not None and (base.ident, attr) in self.i.state.fields:
            return False
        contents = self.i.contents(base)
        shown = owner.removesuffix("ExtraArgs").rpartition(".")[2]
        if type(contents) is Instance:
            if any(attr in given_by(each.definition) for each in contents.cls.mro()):
                return False
            if any(type(each) is ir.Constant and each.value == attr for each in self.i.unit.own):
                return False  # `sow` and `perturb` of NNX take the name of an attribute that they set
            shown = contents.cls.definition.name
        self.i.report(UnknownAttribute(shown, owner), node, node.value, base, api=f".{attr}")
        return True

    def measured(self, value: v.Value) -> str:
        """The class of a library that says what an object has, beside what classes of the project say; "" where that is not known."""
        if type(value) is v.OpaqueInstance:
            if self.i.libraries.is_optimiser(value):
                return _OPTIMISER
            dotted = value.class_name if value.name in v.LAYERS else ""
            return dotted if knowledge.attributes(dotted) else ""
        if type(value) is v.Transformed:
            return _TRANSFORMED.get(value.transform.name, "")
        contents = self.i.contents(value)
        if type(contents) is not Instance or type(value) is not v.Ref or value.made is None:
            return ""
        classes = contents.cls.mro()
        sources = [each for each in classes if self.i.is_in_source(each.definition.site)]
        if sources:
            own = [each for each in classes if each not in sources]
            given = all(type(base) is v.ClassValue for each in own for base in each.bases)
            plain = not any(each.definition.decorators or is_dynamic(each.definition) for each in own)
            is_one = sources[-1].definition.name == "TrainState"
            return _TRAIN_STATE if given and plain and is_one else ""
        roots = {base.name for each in classes for base in each.bases if type(base) is v.Api}
        owner = _FAMILIES.get(contents.cls.family, "")
        known = all(type(base) in (v.ClassValue, v.Api) for each in classes for base in each.bases)
        if roots != {owner} or not known or any(each.decorators or each.definition.decorators for each in classes):
            return ""
        if any(is_dynamic(each.definition) for each in classes):
            return ""
        return owner


@functools.lru_cache(maxsize=512)
def given_by(definition: ir.ClassDefinition) -> frozenset[str]:
    """The names that a class binds in its body, and the attributes that its methods set on anything."""
    found: set[str] = set()
    for node in ir.walk([definition]):
        if isinstance(node, (ir.Function, ir.ClassDefinition)):
            found.add(node.name)
        elif isinstance(node, (ir.Assign, ir.Delete)):
            found.update(_names(node.targets))
        elif isinstance(node, (ir.Annotate, ir.Augment, ir.For, ir.Walrus)):
            found.update(_names([node.target]))
        elif isinstance(node, ir.With):
            found.update(_names([item.target for item in node.items if item.target is not None]))
    return frozenset(found)


def _names(targets: Iterable[ir.Node]) -> Iterator[str]:
    for each in ir.walk(list(targets)):
        if isinstance(each, ir.Name):
            yield each.id
        elif isinstance(each, ir.Attribute):
            yield each.attr


@functools.lru_cache(maxsize=512)
def is_dynamic(definition: ir.ClassDefinition) -> bool:
    """Whether a class may give attributes that it does not name."""
    return any(
        (isinstance(each, ir.Name) and each.id in _DYNAMIC)
        or (isinstance(each, ir.Attribute) and each.attr in _DYNAMIC)
        or (isinstance(each, ir.Function) and each.name in _DYNAMIC)
        for each in ir.walk([definition])
    )
