import numpy as np

from features import fit_ridge, standardise
from settings import load_settings


def building_log(hours=24 * 40, seed=5):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    table = {
        "temperature": 15 + 8 * np.sin(2 * np.pi * t / 24) + rng.normal(size=hours),
        "humidity": rng.uniform(20, 90, hours),
        "is_weekend": (t // 24 % 7 >= 5).astype(float),
        "hour_sin": np.sin(2 * np.pi * t / 24),
    }
    table["energy"] = 50 - 1.2 * table["temperature"] - 9 * table["is_weekend"] + rng.normal(size=hours)
    return {k: v.astype(np.float32) for k, v in table.items()}


def main():
    settings = load_settings()
    table = building_log()
    x = standardise(table, columns=tuple(settings["features"]))
    y = table[settings["target"]]
    split = int(len(y) * (1 - settings["holdout"]))
    weights, intercept = fit_ridge(x[:split], y[:split], settings["penalty"])
    error = np.asarray(x[split:] @ weights + intercept) - y[split:]
    print(dict(zip(settings["features"], np.round(np.asarray(weights), 2).tolist())))
    print(f"holdout rmse {np.sqrt(np.mean(error**2)):.3f}")


main()
