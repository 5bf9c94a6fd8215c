"""Measures the installed JAX and NumPy, and writes what `jaxlint.knowledge` looks up.

Run as ``python -m jaxlint.knowledge.probe --out jaxlint/knowledge/data/jax.json``. This package is
the only part of jaxlint's knowledge that imports JAX, and linting never imports it.

=================  =====================================================================
module             measures
=================  =====================================================================
``names``          public dotted names, and which of them are the same object
``calls``          a working call of a function: which values its parameters accept
``examples``       values by the names of parameters
``calls_by_hand``  calls that cannot be guessed (``calls_numpy``: of `jax.numpy` and of array methods)
``facts``          concrete parameters, data-dependent shapes, results, tangents, keys
``functions``      which functions are measured
``results``        what a function returns, traced and not
``refusals``       parameters that refuse lists, generators, dict views and seeds
``members``        attributes and methods of arrays
``host``           functions of ``host_modules`` called with a tracer, as ``host_calls`` says
``declared``       what JAX's own source says about static arguments, to compare with
``operations``     the outcomes of one-line operations under every transform
``run``            all of it, and how much of JAX it covers
``write``          the data file
=================  =====================================================================
"""
