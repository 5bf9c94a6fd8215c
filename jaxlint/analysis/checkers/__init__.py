"""Checkers: each finds the places of one kind of hazard while code is interpreted."""
