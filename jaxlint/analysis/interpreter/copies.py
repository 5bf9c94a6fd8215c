"""Dicts and lists that functions make of others, of the fields of an object, and of texts that a program writes out itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.state import DictObject, Instance
from jaxlint.source import toml

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_PARSERS: dict[str, Callable[[str], object]] = {
    "json.loads": json.loads,
    "tomllib.loads": toml.parse,
    "tomli.loads": toml.parse,
}
FUNCTIONS = frozenset({"copy.copy", "copy.deepcopy", "dataclasses.asdict", *_PARSERS})
_MAX_TEXT = 10_000  # characters of a text that is parsed


def made(i: Interpreter, name: str, value: v.Value) -> v.Value | None:
    """What such a function gives; None where that is not known."""
    return _parsed(i, name, value) if name in _PARSERS else _copied(i, name, value)


def _copied(i: Interpreter, name: str, value: v.Value) -> v.Value | None:
    """A dict that a function makes of the fields of an object, or of another dict; None for a copy of anything else."""
    contents = i.contents(value)
    if type(contents) is DictObject:
        held, rest = contents.items, contents.rest
    elif name == "dataclasses.asdict":
        held, rest = contents.fields if type(contents) is Instance else {}, v.Unknown(v.fresh())
    else:
        return None
    items = {key: _part_of_copy(i, name, each) for key, each in held.items()}
    return i.new_object(DictObject(items, i.another(rest) if rest is not None else None))


def _part_of_copy(i: Interpreter, name: str, value: v.Value) -> v.Value:
    """What a copy of a dict holds: what is in it is copied as well, but for a shallow copy."""
    if name == "copy.copy" or type(value) is not v.Ref:
        return value
    nested = name == "copy.deepcopy" and type(i.contents(value)) is DictObject
    return (_copied(i, name, value) if nested else None) or v.Unknown(v.fresh())


def _parsed(i: Interpreter, name: str, text: v.Value) -> v.Value | None:
    """What a text holds that is known."""
    if type(text) is not v.Const or not isinstance(text.value, str) or len(text.value) > _MAX_TEXT:
        return None
    try:
        return _of_python(i, _PARSERS[name](text.value))
    except (ValueError, RecursionError, toml.TomlError):
        return None


def _of_python(i: Interpreter, value: object, depth: int = 0) -> v.Value:
    """The value of an object that a parser has made."""
    if depth < v.MAX_NESTING and isinstance(value, dict):
        return i.new_object(DictObject({key: _of_python(i, each, depth + 1) for key, each in value.items()}))
    if depth < v.MAX_NESTING and isinstance(value, list):
        return i.new_list(tuple(_of_python(i, each, depth + 1) for each in value))
    plain = value is None or isinstance(value, (str, int, float))
    return v.cache(value) if plain else v.Unknown(v.fresh())
