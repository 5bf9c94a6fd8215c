"""Measures the installed JAX and NumPy, and writes what `jaxlint.knowledge` looks up.

Run as ``python -m jaxlint.knowledge.probe --out jaxlint/knowledge/data/jax.json``. This package is
the only part of jaxlint's knowledge that imports JAX, and linting never imports it.

=============  =====================================================================
module         measures
=============  =====================================================================
``names``      public dotted names, and which of them are the same object
``calls``      a working call of a function: which values its parameters accept
``examples``   calls that cannot be guessed from parameter names
``facts``      concrete parameters, data-dependent shapes, results, tangents, keys
``functions``  which functions are measured
``results``    what a function returns, traced and not
``members``    attributes and methods of arrays
``host``       NumPy, SciPy and Python functions called with a tracer
``declared``   what JAX's own source says about static arguments, to compare with
``write``      the data file
=============  =====================================================================
"""
