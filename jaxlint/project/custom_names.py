"""What a project says of its own names, where the model cannot see through them.

A name of the project may stand for a transform of JAX, consume the keys it is given, or be an attribute that
is no part of what is traced. In the patterns ``*`` stands for any characters, dots included.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jaxlint.knowledge.transforms import Transform


# Conventions by which a function without a visible caller is presumed to run under a transform.
PRESUMABLE = {
    "modules": "`__call__` and `@nn.compact` methods of modules of Flax, Haiku and Equinox run under `jit`",
    "beliefs": "what a function gives to `lax.cond`, `lax.switch`, a collective, `checkify.check` or `jax.debug.print` is traced",
    "environments": "`reset` and `step` of environments that are given their state run under `jit`",
    "callbacks": "functions that are given to a library made for JAX run under `jit`",
    "arrays": "functions with an annotated array that call what `beliefs` names run under `jit`",
}
PRESUMED = ("modules",)  # those that are on by default


class Conventions(NamedTuple):
    """``traced`` pairs a pattern of dotted names with the canonical name of a transform."""

    traced: tuple[tuple[str, str], ...] = ()
    key_consumers: tuple[str, ...] = ()
    static_attributes: tuple[str, ...] = ()
    presumed: tuple[str, ...] = PRESUMED  # names of the conventions that are switched on
    migrations: tuple[tuple[str, str], ...] = ()  # old and new dotted names

    def moved(self, name: str) -> str | None:
        """The dotted name in the place of one that has moved, or of one below it; of several the longest counts."""
        fitting = [pair for pair in self.migrations if is_below(name, pair[0])]
        if not fitting:
            return None
        old, new = max(fitting, key=lambda pair: len(pair[0]))
        return new + name[len(old) :]

    def transform(self, name: str) -> Transform | None:
        """The transform that a dotted name stands for; of several patterns the longest counts."""
        if not self.traced:
            return None
        fitting = [(pattern, stands_for) for pattern, stands_for in self.traced if _fits(name, pattern)]
        if not fitting:
            return None
        from jaxlint.knowledge.transforms import transform

        _, stands_for = max(fitting, key=lambda pair: (pair[0] == name, len(pair[0])))
        return transform(stands_for)

    def consumes(self, name: str) -> bool:
        """Whether the function of this dotted name consumes each key that it is passed."""
        return any(_fits(name, pattern) for pattern in self.key_consumers)

    def names(self, name: str) -> bool:
        """Whether anything is said of a dotted name."""
        return self.consumes(name) or self.transform(name) is not None

    def is_static(self, attribute: str, owners: Iterable[str]) -> bool:
        """Whether an attribute is static on any of its owners: dotted expressions, and names of classes."""
        full = [attribute, *(f"{owner}.{attribute}" for owner in owners)]
        return any(_fits(each, pattern) for pattern in self.static_attributes for each in full)

    def may_be_in(self, text: str) -> bool:
        """Whether code with this text can say a name that is traced or consumes keys."""
        names = [pattern for pattern, _ in self.traced] + list(self.key_consumers)
        names += [old for old, _ in self.migrations]
        return any(word in text for word in _words(tuple(names)))


def is_below(name: str, other: str) -> bool:
    """Whether a dotted name is another one, or is in what that one names."""
    return name == other or name.startswith(f"{other}.")


def _fits(name: str, pattern: str) -> bool:
    import fnmatch  # most projects say nothing of their names

    return fnmatch.fnmatchcase(name, pattern)


NOTHING = Conventions()


@functools.lru_cache
def _words(names: tuple[str, ...]) -> frozenset[str]:
    """For each name, what code must hold to say it: its last part without a star."""
    plain = ([part for part in name.split(".") if "*" not in part] for name in names)
    return frozenset(parts[-1] if parts else "" for parts in plain)


def is_pattern(name: str) -> bool:
    """Whether a text can be a dotted name, perhaps with stars."""
    return re.fullmatch(r"[\w*]+(\.[\w*]+)*", name) is not None


def find_transform(name: str) -> str | None:
    """The canonical name of a transform that is named as people say it: `jit`, `lax.scan`, `eqx.filter_jit`, in full."""
    from jaxlint.knowledge.transforms import ALIASES, transform

    for full in (name, f"jax.{name}", f"jax.lax.{name}"):
        if transform(full) is not None:
            return ALIASES.get(full, full)
    return _by_short_name().get(name)


def transform_names() -> list[str]:
    """Every way to name a transform."""
    from jaxlint.knowledge.transforms import ALIASES, TRANSFORMS, transform

    names = [*TRANSFORMS, *(name for name in ALIASES if transform(name) is not None), *_by_short_name()]
    return sorted(
        {
            *names,
            *(
                name.removeprefix(prefix)
                for name in names
                for prefix in ("jax.", "jax.lax.")
                if name.startswith(prefix)
            ),
        }
    )


@functools.cache
def _by_short_name() -> dict[str, str]:
    from jaxlint.knowledge.transforms import TRANSFORMS

    return {each.short: each.name for each in TRANSFORMS.values()}
