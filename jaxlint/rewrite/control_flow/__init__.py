"""Fixes that write conditions of Python as those of JAX."""
