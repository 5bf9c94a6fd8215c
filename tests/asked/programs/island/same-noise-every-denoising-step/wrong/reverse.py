import jax
import jax.numpy as jnp


class LangevinSampler:
    def __init__(self, score_fn, sigmas, steps_per_level: int, eps: float = 0.1):
        self.score_fn = score_fn
        self.sigmas = sigmas
        self.steps_per_level = steps_per_level
        self.eps = eps

    def level(self, x, inputs):
        sigma, key = inputs
        step_size = self.eps * (sigma**2 + 0.05)

        def body(i, x):
            noise = jax.random.normal(key, x.shape)  # mistake
            return x + step_size * self.score_fn(x, sigma) + jnp.sqrt(2 * step_size) * noise

        x = jax.lax.fori_loop(0, self.steps_per_level, body, x)
        return x, None

    def sample(self, key, num_samples: int, dim: int):
        init_key, level_key = jax.random.split(key)
        x = self.sigmas[0] * jax.random.normal(init_key, (num_samples, dim))
        level_keys = jax.random.split(level_key, self.sigmas.shape[0])
        x, _ = jax.lax.scan(self.level, x, (self.sigmas, level_keys))
        return x
