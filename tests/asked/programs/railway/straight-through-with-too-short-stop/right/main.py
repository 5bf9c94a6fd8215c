import jax
import jax.numpy as jnp
import numpy as np

from plant import TankConfig, episode_cost
from quantise import quantise
from train import train


def main():
    config = TankConfig(levels=8, setpoint=1.5, dt=0.2, n_steps=60)
    gains = jnp.array([0.1, 0.0, 0.2])
    starts = jnp.linspace(0.2, 1.2, 8)
    grads = jax.jit(jax.grad(lambda g: episode_cost(g, starts, config)))(gains)
    print("gradient at the start", np.round(np.asarray(grads), 4).tolist())
    trained, costs = train(gains, starts, config, n_iter=150)
    print("cost", round(float(costs[0]), 4), "->", round(float(costs[-1]), 4))
    print("gains", np.round(np.asarray(trained), 3).tolist())
    print("positions", quantise(jnp.linspace(0.0, 1.0, 5), config.levels).round(3).tolist())


if __name__ == "__main__":
    main()
