def get_config():
    return {
        "seed": 0,
        "kernel": 5,
        "channels": (2, 16, 16, 32),
        "strides": (2, 2, 4),
    }
