"""Applying fixes: edits, imports, and the layout of changed lines."""
