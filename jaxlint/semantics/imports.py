"""Imports: what a name that is imported stands for."""

from __future__ import annotations

from typing import Any

from jaxlint import knowledge
from jaxlint.semantics import values as v


class Imports:
    """Mixin of the interpreter: import statements, of libraries and of the project's own modules."""

    def on_import(self: Any, node: Any) -> None:
        for dotted, alias in node.names:
            self.note_name(node, dotted)
            if self.is_analysed(dotted) and (alias is not None or "." not in dotted):
                self.bind(alias or dotted, v.ModuleValue(self.module_frame))
            elif alias is not None:
                self.bind(alias, v.Api(knowledge.canonical(dotted)))
            else:
                top = dotted.partition(".")[0]
                self.bind(top, v.Api(top))

    def on_import_from(self: Any, node: Any) -> None:
        module = node.module
        if self.frame is not self.module_frame and self.import_analysed(node):
            return
        if node.level:  # a module of the project
            for name, alias in node.names:
                if name != "*":
                    self.bind(alias or name, v.Unknown(v.fresh()))
            return
        for name, alias in node.names:
            if name == "*":
                for public in knowledge.exported(module):
                    self.bind(public, v.Api(knowledge.canonical(f"{module}.{public}")))
            else:
                dotted = f"{module}.{name}"
                self.note_name(node, dotted)
                self.bind(alias or name, self.imported(dotted))

    def is_analysed(self: Any, dotted: str) -> bool:
        """Whether a root names the file that is analysed: their paths end alike."""
        if self.root is None or not dotted:
            return False
        path = self.unit.filename.replace("\\", "/").removesuffix(".py").removesuffix("/__init__")
        return f"/{path}".endswith("/" + dotted.replace(".", "/"))

    def import_analysed(self: Any, node: Any) -> bool:
        """Bind what a root imports from the file that is analysed. True when that is all it imports."""
        names = self.state.frames[self.module_frame.serial]
        whole = self.is_analysed(node.module)
        for name, alias in node.names:
            inner = f"{node.module}.{name}" if node.module else name
            if whole and name == "*":
                for public, value in names.items():
                    self.bind(public, value)
            elif whole:
                self.bind(alias or name, names.get(name, v.Unknown(v.fresh())))
            elif self.is_analysed(inner) and len(node.names) == 1:
                self.bind(alias or name, v.ModuleValue(self.module_frame))
                return True
        return whole
