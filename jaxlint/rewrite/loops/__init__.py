"""Fixes that write loops of Python as those of JAX, and move code out of loops."""
