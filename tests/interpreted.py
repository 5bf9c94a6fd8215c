"""What a test needs that replaces a function of the analysis, or counts its calls: an analysis that is not compiled."""

import pytest

from jaxlint.analysis import analyser

interpreted = pytest.mark.skipif(
    not analyser.__file__.endswith(".py"),
    reason="compiled functions call one another unseen, whatever a test puts in their place",
)
