"""Fixes of modules and transforms of Haiku and Flax."""
