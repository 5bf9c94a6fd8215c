"""Measures JAX and NumPy, release by release, and writes what `jaxlint.knowledge` looks up.

Run as ``python -m jaxlint.knowledge.probe``; ``docs/knowledge.md`` says how facts are measured. This package
is the only part of jaxlint's knowledge that imports JAX, and linting never imports it.

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
``misuse``         ``typed_keys``: operations on random keys; ``host_arrays``: what NumPy writes into, and misjudges
``environments``   environments of JAX's releases
``run``            all facts of one release
``coverage``       how much of JAX they cover
``tables``         the data files as one table for each release, and back
``write``          the data files
=================  =====================================================================
"""
