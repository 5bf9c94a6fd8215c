"""Experiment settings."""
import copy

DEFAULTS = {
    "model": {"emb_dim": 16, "num_heads": 2, "num_layers": 1, "mlp_dim": 32, "vocab_size": 40},
    "optimizer": {"learning_rate": 3e-3, "b2": 0.98},
    "batch": {"size": 4, "length": 10},
}


def get_config(**overrides):
    config = copy.deepcopy(DEFAULTS)
    for dotted, value in overrides.items():
        section, name = dotted.split("__")
        config[section][name] = value
    return config
