"""The parts of which the interpreter is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter


class Component:
    """A part of the interpreter that owns the state of one subject. ``i`` is the interpreter, until it is closed."""

    __deletable__ = ("i",)  # mypyc lets `Interpreter.close` delete no other attribute

    def __init__(self, interpreter: Interpreter) -> None:
        self.i = interpreter
        interpreter.components.append(self)
