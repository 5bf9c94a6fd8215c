"""Text from linted files made fit for a terminal, and paths as people type them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.source.diagnostic import Diagnostic

TAB = "    "
NAMED = 5  # places that are listed

# C0 and C1 controls and DEL drive a terminal; the bidirectional controls make code read as what it is not;
# lone surrogates (undecodable bytes of file names) cannot be encoded.
_HARMFUL = "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"


def visible(text: str) -> str:
    """``text`` with every control character replaced by a visible stand-in, on one line, tabs expanded."""
    if text.isprintable():
        return text
    return re.sub(_HARMFUL, _stand_in, text).replace("\t", TAB)


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def counted(number: int, noun: str) -> str:
    """A number of things: `1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(places: Sequence[str], more: str) -> str:
    """Some places on one line; of many the first ones, and how many ``more`` there are."""
    left = len(places) - NAMED
    return visible("; ".join([*places[:NAMED], *([f"{left} {more}"] if left > 0 else [])]))


def shown_path(filename: str) -> str:
    """``filename`` relative to the working directory where it lies below it, fit for a terminal."""
    if os.path.isabs(filename):
        filename = relative_path(filename) or filename
    return visible(filename)


def relative_path(filename: str, folder: str | None = None) -> str | None:
    """``filename`` relative to ``folder`` (default: the working directory); None where it does not lie below it."""
    try:
        relative = os.path.relpath(filename, folder)
    except (ValueError, OSError):  # another drive, or no working directory any more
        return None
    return None if relative == os.pardir or relative.startswith(os.pardir + os.sep) else relative


def slashed(path: str) -> str:
    """``path`` with forward slashes, which is how other tools than this system's name it."""
    return path.replace(os.sep, "/")


def headline(diagnostic: Diagnostic, mark: str = "") -> str:
    """``CODE name: message``, with a mark in front of the message."""
    return f"{diagnostic.code} {diagnostic.name}: {mark}{visible(diagnostic.message)}"
