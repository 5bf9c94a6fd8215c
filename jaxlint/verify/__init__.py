"""Proof under real JAX: fixtures are run, and what the rules say of them is compared with what happens.

The only part of the project that executes code, and the only code it executes are fixtures. jax is
imported by the modules that run things (``execute``, ``compare`` ...), never by importing the package.
"""

from jaxlint.verify.command import add_arguments, run

__all__ = ["add_arguments", "run"]
