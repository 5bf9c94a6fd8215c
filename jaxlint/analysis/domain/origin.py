"""Why a value is traced: a chain of steps from the value back to the transform.

Origins never take part in comparing contexts; they only explain.
"""

from __future__ import annotations

from collections.abc import Iterator

MADE_OF_CONSTANTS = "every jax operation in traced code gives a tracer"  # of values none of which is traced
MADE_IN_TRACED_CODE = f"{MADE_OF_CONSTANTS}, whatever goes into it"  # of values that are not known


class Origin:
    """One step. ``text`` reads as a sentence part: "`x` is a parameter of `step`".

    ``transform`` is the canonical name of the transform at ``site`` where the step is one, ``convention`` the name of
    the convention by which a transform is presumed there.
    """

    __slots__ = ("text", "site", "parent", "transform", "convention")

    def __init__(
        self,
        text: str,
        site: int,
        parent: Origin | None = None,
        transform: str | None = None,
        convention: str = "",
    ) -> None:
        self.convention: str = convention
        self.text: str = text
        self.site: int = site
        self.parent: Origin | None = parent
        self.transform: str | None = transform

    def convention_within(self, around: str) -> str:
        """The convention on which this chain rests: none where a transform comes first, ``around`` where it has neither."""
        step: Origin | None = self
        while step is not None:
            if step.transform is not None:
                return ""
            if step.convention:
                return step.convention
            step = step.parent
        return around

    def steps(self, limit: int = 12) -> Iterator[Origin]:
        """The steps from the value to the transform; a place that says the same again is left out."""
        seen: set[tuple[int, str]] = set()
        step: Origin | None = self
        while step is not None and len(seen) < limit:
            if (step.site, step.text) not in seen:
                seen.add((step.site, step.text))
                yield step
            step = step.parent
