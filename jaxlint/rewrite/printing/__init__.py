"""Fixes that print values when the compiled program runs."""
