"""The abstract interpreter: statements, expressions, calls, imports, and what conditions imply."""
