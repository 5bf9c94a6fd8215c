"""Fixes that give each use of random numbers a key of its own."""
