import jax
import numpy as np

from data import spiral_paths
from model import NeuralODE
from train import fit, predict

CONFIG = {"epochs": 12, "batch_size": 16, "learning_rate": 5e-3, "hidden": 24}


def main(config):
    times, paths = spiral_paths(np.random.default_rng(5), n_paths=128, n_times=15)
    model = NeuralODE(config["hidden"], jax.random.key(0))
    model, history = fit(model, times, paths, config)
    print("first epoch", round(history[0], 4))
    print("third epoch", round(history[2], 4))
    print("last epoch", round(history[-1], 4))
    prediction = predict(model, paths[:4, 0], times)
    print("end of a path", np.round(np.asarray(prediction[0, -1] - paths[0, -1]), 3).tolist())


if __name__ == "__main__":
    main(CONFIG)
