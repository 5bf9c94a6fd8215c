def default_config():
    return {
        "n_layers": 2,
        "width": 32,
        "beta": 0.5,
        "latent": 2,
    }
