"""What a test needs that replaces a part of the analysis: one that is not compiled."""

import pytest

from jaxlint.analysis import analyser

interpreted = pytest.mark.skipif(
    not analyser.__file__.endswith(".py"),
    reason="compiled code calls its own functions, whatever a test puts in their place",
)
