"""Models of library functions and classes: builtins, pytrees, Flax, Haiku, Equinox, test runners."""
