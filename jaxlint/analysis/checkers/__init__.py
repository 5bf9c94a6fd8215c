"""Checkers: each subscribes to events of the interpreter and finds the places of one kind of hazard."""
