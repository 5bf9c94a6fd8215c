"""What a test needs that replaces or inspects functions of the analysis, or counts their calls: an analysis that is not compiled."""

import pytest

from jaxlint.analysis import analyser

IS_COMPILED = not analyser.__file__.endswith(".py")

interpreted = pytest.mark.skipif(
    IS_COMPILED,
    reason="compiled functions call one another unseen, take values of their types alone, and cannot be inspected",
)
