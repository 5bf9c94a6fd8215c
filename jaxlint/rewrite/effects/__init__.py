"""Fixes that move effects on the host out of traced code."""
