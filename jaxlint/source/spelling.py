"""What a word that is not known was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable

# Above what two different words of the same kind have in common: one wrong letter in a code of six, not two.
_LIKENESS = 0.75


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that ``word`` is a misspelling of; None where none is close."""
    import difflib  # only for those who mistype

    close = difflib.get_close_matches(word, list(choices), n=1, cutoff=_LIKENESS)
    return close[0] if close else None
