"""Names of the project about which the configuration says what they are; it counts for more than their code."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import arguments
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.signatures import declared_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.transforms.wrap_and_call import WRAPPING
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.knowledge.transforms import Transform

_KEY = re.compile(r"(?:\w*_)?(?:key|rng|prng)\d*")
_FUNCTIONS = (v.FunctionValue, v.Transformed, v.Partial, v.BoundMethod, v.Api, v.ClassValue, v.Ref, v.Unknown)


class ProjectNames(Component):
    """Component of the interpreter."""

    # --- functions ----------------------------------------------------------------------------

    def at(self, file: str | None, name: str) -> v.Api | None:
        """What a name of one of the project's modules is, where the configuration says so."""
        said = self.i.conventions
        if file is None or self.i.loader is None or not (said.traced or said.key_consumers):
            return None
        for module in self.i.loader.dotted(file):
            if said.names(f"{module}.{name}"):
                return v.Api(f"{module}.{name}")
        return None

    def read(self, node: ir.Node, file: str | None, name: str) -> None:
        """A name of one of the project's modules is imported, or read as an attribute."""
        if file is not None and self.i.loader is not None and self.i.conventions.migrations:
            for module in self.i.loader.dotted(file):
                self.i.events.project_name_read(node, f"{module}.{name}")

    def read_beside(self, node: ir.Node, statement: ir.ImportFrom, name: str) -> None:
        """A name is imported from a module beside this one that is not there, such as one that has moved."""
        if self.i.loader is None or not self.i.conventions.migrations:
            return
        file = self.i.filenames[self.i.frame.top.scope.site]
        levels = statement.level - os.path.basename(file).startswith("__init__.")
        for module in self.i.loader.dotted(file):
            package = module.split(".")[: -levels or None]
            self.i.events.project_name_read(node, ".".join(filter(None, [*package, statement.module, name])))

    def call(self, name: str, call: Call) -> v.Value | None:
        """A call of such a function; None for any other."""
        if not (self.i.conventions.traced or self.i.conventions.key_consumers):
            return None
        transform = self.i.conventions.transform(name)
        if transform is not None:
            return self.transformed(name, transform, call)
        if not self.i.conventions.consumes(name):
            return None
        for key, node in list(self.keys(call)):
            self.i.keys.consume(key, name, call.node, node)
        return self.i.call_unknown(v.Api(name), call)

    def transformed(self, name: str, transform: Transform, call: Call) -> v.Value:
        if transform.behaviour not in WRAPPING:
            return self.i.transforms.apply(transform, call)
        # Of the arguments only the function is taken by position: the others mean what the project has them mean.
        options = {option: value for option, value in call.keywords.items() if option in transform.signature[1:]}
        function = next((value for value in call.args[:1] if type(value) in _FUNCTIONS), None)
        for option in ("fun", "fn", "func", "f", "function"):
            function = call.keywords.get(option, function)
        if function is None:
            return v.Partial(v.Api(name), (), options)
        inner = Call(call.node, [function], call.arg_nodes[:1] or [call.node], options, call.keyword_nodes)
        return self.i.transforms.apply(transform, inner)

    def keys(self, call: Call) -> Iterator[tuple[v.Value, ir.Node]]:
        """The keys among the arguments: those that are keys for certain, else the one that is called so."""
        certain = False
        perhaps = []
        for value, node in arguments(call):
            for leaf in self.i.leaves([value]):
                if type(leaf) is v.Array and leaf.aval.dtype in v.KEYS:
                    certain = True
                    yield leaf, node
            if type(value) in (v.Unknown, v.Undecided) and type(node) is ir.Name and _KEY.fullmatch(node.id):
                perhaps.append((value, node))
        if not certain and len(perhaps) == 1:
            yield perhaps[0]

    # --- attributes ---------------------------------------------------------------------------

    def is_static(self, node: ir.Node, base: v.Value, attr: str) -> bool:
        said = self.i.conventions
        return bool(said.static_attributes) and said.is_static(attr, self.owners(node, base))

    def owners(self, node: ir.Node, base: v.Value) -> Iterator[str]:
        """How the owner of an attribute may be called: as it is written, from any of its parts on, and its classes."""
        written = getattr(node, "value", None)
        parts = []
        inner = written
        while type(inner) is ir.Attribute:
            parts.append(inner.attr)
            inner = inner.value
        if type(inner) is ir.Name:
            parts.append(inner.id)
        parts.reverse()
        for start in range(len(parts)):
            yield ".".join(parts[start:])
        contents = self.i.contents(base)
        cls = contents.cls if type(contents) is Instance else base if type(base) is v.ClassValue else None
        for each in cls.mro() if cls is not None else ():
            yield each.definition.name
        declared = declared_class(written, self.i.frame.scope)
        if declared:
            yield declared

    def static(self, node: ir.Attribute, base: v.Value, attr: str) -> v.Value:
        """The value of a static attribute: what is known of it, if that is no tracer."""
        if type(base) in (v.Array, v.Undecided):
            return v.Static("", v.fresh())
        found = self.i.attribute(node, base, attr)
        if type(found) in (v.Array, v.Undecided, v.Unknown):
            return v.Static("", found.ident if found.ident is not None else v.fresh())
        return found
