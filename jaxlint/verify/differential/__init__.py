"""Programs made at random, run under real JAX and linted: what fails is to be reported where it fails.

``grammar`` says what a program may be made of, ``keys`` the same for random keys, ``oracle`` runs a program, ``linter``
lints it, ``shrink`` takes away what a disagreement does not need. ``python -m jaxlint.verify.differential`` does all of it.
"""
