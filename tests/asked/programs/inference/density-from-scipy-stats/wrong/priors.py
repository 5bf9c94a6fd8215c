"""Priors of a pharmacokinetic model."""
from scipy import stats


def log_prior(log_ka, log_ke):
    return stats.norm.logpdf(log_ka, 0.0, 1.0) + stats.norm.logpdf(log_ke, -1.0, 0.5)  # mistake
