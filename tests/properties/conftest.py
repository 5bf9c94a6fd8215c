"""How much is tried: a few fixed programs of each kind, or with ``--hypothesis-profile=deep`` many random ones."""

import os

from hypothesis import HealthCheck, settings

# Read when the first program is compiled. Each runs once, so that optimising it is most of the time that it takes.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")

_QUIET = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
}

settings.register_profile("deep", max_examples=400, print_blob=True, **_QUIET)
