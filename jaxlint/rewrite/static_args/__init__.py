"""Fixes that make arguments static, or leave them out of what is traced."""
