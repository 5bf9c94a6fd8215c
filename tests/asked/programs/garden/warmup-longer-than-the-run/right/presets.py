BASE = {
    "lr": 3e-3,
    "warmup_steps": 100,
    "total_steps": 2000,
    "batch_size": 64,
    "clip": 1.0,
    "weight_decay": 1e-4,
    "seed": 0,
}

PRESETS = {
    "base": BASE,
    "large": {**BASE, "total_steps": 20_000, "lr": 1e-3},
    "debug": {**BASE, "total_steps": 60, "warmup_steps": 10, "batch_size": 16},
}
