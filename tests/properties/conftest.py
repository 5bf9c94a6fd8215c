"""How much is tried: a few fixed programs of each kind, or with ``--hypothesis-profile=deep`` many random ones."""

from hypothesis import HealthCheck, settings

_QUIET = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
}

settings.register_profile("deep", max_examples=400, print_blob=True, **_QUIET)
