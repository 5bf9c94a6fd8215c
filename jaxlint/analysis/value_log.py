"""What the analysis took each expression for: what it recorded, or else what a second analysis of the root records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis import analyse
from jaxlint.ir.nodes import Unit

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import Value
    from jaxlint.analysis.model import Model
    from jaxlint.project.resolver import Loader

# The values of an expression, by its site.
Recorded = dict[int, list["Value"]]


def alone(model: Model) -> Recorded:
    """The values in a file, whatever the modules hold that it imports."""
    return _by_site(model if model.values else _again(model))


def called_with(model: Model) -> Recorded:
    """The values in a file and in the modules it imports, as it calls them."""
    if model.called_with is None:
        again = model if model.values else _again(model, model.loader)
        unchanged = again.parts == model.parts  # between the two readings
        model.called_with = _by_site(again) if unchanged else {}
    return model.called_with


def _again(model: Model, loader: Loader | None = None) -> Model:
    own = Unit(model.unit.tree, model.unit.filename)  # the modules are added once more
    again = analyse(own, record=True, loader=loader, conventions=model.conventions)
    known = {each.site for each in model.failures}
    model.failures += [each for each in again.failures if each.site not in known]
    return again


def _by_site(model: Model) -> Recorded:
    found: Recorded = {}
    for site, value, _ in model.values:
        found.setdefault(site, []).append(value)
    return found
