"""jaxlint: a linter that knows which values are JAX tracers."""

__version__ = "0.1.0"
