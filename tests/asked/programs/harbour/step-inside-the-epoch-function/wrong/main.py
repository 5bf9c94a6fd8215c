import time

import numpy as np
import optax
from flax import nnx

from fitting import train_epoch
from surrogate import PressureSurrogate

EPOCHS = 3


def station_pressure(days, stations, seed=0):
    rng = np.random.default_rng(seed)
    time_of_year = np.arange(days)[:, None] / 9.0
    phase = np.linspace(0, np.pi, stations)
    waves = np.sin(time_of_year + phase) + 0.5 * np.cos(2.3 * time_of_year - phase)
    return (waves + 0.05 * rng.normal(size=waves.shape)).astype(np.float32)


def main():
    pressure = station_pressure(400, 10)
    model = PressureSurrogate(10, 32, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-3), wrt=nnx.Param)
    seconds = []
    for epoch in range(EPOCHS):
        began = time.perf_counter()
        loss = train_epoch(model, optimizer, pressure, 32, epoch)
        print("epoch", epoch, "loss", float(loss))
        seconds.append(time.perf_counter() - began)
    print("first epoch", round(seconds[0], 2), "s, later", round(float(np.mean(seconds[1:])), 2), "s")


if __name__ == "__main__":
    main()
