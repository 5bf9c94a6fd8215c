import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from metrics import clear_sky_mse
from model import SeaSurfaceNet


def scenes(count, size=16, seed=0):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:size, 0:size] / size
    phase = rng.uniform(0, 6, size=(count, 1, 1))
    temperature = np.sin(4 * x + phase) + np.cos(3 * y - phase)
    wind = rng.normal(size=temperature.shape)
    microwave = temperature + 0.2 * wind
    infrared = np.where(rng.random(temperature.shape) < 0.4, np.nan, temperature)
    return tuple(a.astype(np.float32) for a in (microwave, wind, infrared, temperature))


@nnx.jit
def fit_step(model, optimizer, microwave, wind, infrared):
    def loss_fn(model):
        return clear_sky_mse(model(microwave, wind), infrared)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def full_error(model, microwave, wind, temperature):
    return jnp.sqrt(jnp.mean((model(microwave, wind) - temperature) ** 2))


def main():
    microwave, wind, infrared, temperature = scenes(24)
    model = SeaSurfaceNet(8, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(3e-3), wrt=nnx.Param)
    for step in range(60):
        loss = fit_step(model, optimizer, microwave, wind, infrared)
        if step % 20 == 0:
            print(step, loss)
    print("error under the clouds too", full_error(model, microwave, wind, temperature))


if __name__ == "__main__":
    main()
