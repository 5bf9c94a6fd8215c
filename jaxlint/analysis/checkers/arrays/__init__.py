"""Checkers of the shapes of arrays, and of arguments that are read as something else."""
