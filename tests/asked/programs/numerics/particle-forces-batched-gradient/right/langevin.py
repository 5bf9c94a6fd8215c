import jax
import jax.numpy as jnp


class LangevinSampler:
    def __init__(self, potential, temperature: float, dt: float):
        self.potential = potential
        self.temperature = temperature
        self.dt = dt
        self.grad_fn = jax.vmap(jax.grad(potential))

    def step(self, x, key):
        noise = jax.random.normal(key, x.shape)
        drift = -self.grad_fn(x) * self.dt
        x = x + drift + jnp.sqrt(2.0 * self.temperature * self.dt) * noise
        return x, self.potential(x).mean()

    def run(self, key, x0, n_steps: int):
        @jax.jit
        def go(x, keys):
            return jax.lax.scan(self.step, x, keys)

        return go(x0, jax.random.split(key, n_steps))
