"""Fixes that replace names and parameters which releases have removed."""
