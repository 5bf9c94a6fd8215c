"""Fixes that write operations of NumPy and masks as operations of JAX."""
