"""The libraries that are known, and what is known of each: what others list of them is taken from here.

It stands beside the package `knowledge`, whose facts take longer to load than most files take to be passed over.
"""

from __future__ import annotations

from typing import NamedTuple


class Library(NamedTuple):
    """A library, by the name under which it is imported."""

    name: str
    distribution: str = ""  # its name on a package index, where that is another one
    alias: str | None = None  # the name that its documentation gives it in code
    of_jax: bool = True  # it is JAX or takes functions to be traced, so that a file which names it is of interest
    imports_jax: bool = True  # whoever imports it has imported JAX
    measured: bool = False  # what its releases hold is in the data of `knowledge`
    modelled: bool = False  # its functions are known by their names, so that its sources are not read from outside
    read_at_home: str | None = None  # which modules are read in its own sources all the same: how their names begin
    leaves_x64: bool = False  # it does not switch `jax_enable_x64`
    layers: tuple[str, ...] = ()  # packages whose classes are layers of a network

    @property
    def distributed_as(self) -> str:
        return self.distribution or self.name


LIBRARIES = (
    Library("jax", measured=True, modelled=True, leaves_x64=True),
    Library("flax", measured=True, modelled=True, read_at_home="_", leaves_x64=True, layers=("flax.linen", "flax.nnx")),
    Library(
        "haiku", "dm-haiku", "hk", measured=True, modelled=True, read_at_home="_", leaves_x64=True, layers=("haiku",)
    ),
    Library(
        "equinox", alias="eqx", measured=True, modelled=True, read_at_home="_", leaves_x64=True, layers=("equinox.nn",)
    ),
    Library("optax", measured=True, modelled=True, read_at_home="", leaves_x64=True),
    Library("chex", measured=True, modelled=True, read_at_home="", leaves_x64=True),
    Library("distrax", leaves_x64=True),
    Library("numpyro"),
    Library("brax"),
    Library("rlax"),
    Library("mctx"),
    Library("jraph"),
    Library("diffrax"),
    Library("lineax"),
    Library("optimistix"),
    Library("penzai", imports_jax=False),
    Library("orbax", "orbax-checkpoint", imports_jax=False),  # a namespace, whose packages do
    Library("kfac_jax", "kfac-jax"),
    Library("jaxlib", of_jax=False, imports_jax=False, modelled=True, leaves_x64=True),
    Library("numpy", alias="np", of_jax=False, imports_jax=False, modelled=True, leaves_x64=True),
    Library("scipy", of_jax=False, imports_jax=False, modelled=True, leaves_x64=True),
    Library("torch", of_jax=False, imports_jax=False, modelled=True),
    Library("tensorflow", of_jax=False, imports_jax=False, modelled=True),
    Library("pytest", of_jax=False, imports_jax=False, modelled=True),
)

OF_JAX = tuple(each.name for each in LIBRARIES if each.of_jax)
"""JAX, and the libraries that take functions to be traced."""

MEASURED = tuple(each.name for each in LIBRARIES if each.measured)
"""The libraries whose releases are known."""

MODELLED = frozenset(each.name for each in LIBRARIES if each.modelled)
"""The libraries whose functions are known by their names."""
