"""Fixes that keep traced and symbolic sizes out of shapes."""
