"""From a source to the IR: by Python's own parser where it can say all, else by libCST."""

from __future__ import annotations

import functools

from jaxlint.ir import nodes as ir
from jaxlint.source.text import Source, Spans, deep_recursion, parse


def lower(source: Source) -> ir.Unit:
    """The IR of a source, with the positions of its nodes. Raises SourceError for a text that cannot be parsed."""
    from jaxlint.ir import from_ast  # a run that takes all from the cache does without

    reference = functools.cache(lambda: positions(by_libcst(source)))
    unit = from_ast.lower(source.text, source.filename, reference)
    return by_libcst(source) if unit is None else unit


def by_libcst(source: Source) -> ir.Unit:
    """The same by libCST, the reference: it reads whatever syntax is newer than the running Python. Raises SourceError."""
    from jaxlint.ir import from_libcst  # most runs do without

    with deep_recursion():
        return from_libcst.lower(parse(source), source)


def positions(unit: ir.Unit) -> Spans:
    """Where the nodes of a unit stand that was just lowered. Raises SourceError."""
    assert unit.positions is not None, "the unit comes from a cache"
    return unit.positions()
