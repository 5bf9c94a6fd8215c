"""Fixes of calls of transforms, and of the functions that they are given."""
