from functools import partial

import jax
import jax.numpy as jnp


def score(x, t, center, spread=0.15):
    var = spread**2 + t**2
    return (center - x) / var


class GuidedSampler:
    def __init__(self, centers, n_steps=60, guidance_scale=1.0):
        self.centers = centers
        self.n_steps = n_steps
        self.guidance_scale = guidance_scale
        self.sigmas = jnp.geomspace(2.0, 0.02, n_steps)

    def unconditional_score(self, x, t):
        logits = -((x - self.centers) ** 2).sum(-1) / (2 * (0.15**2 + t**2))
        weights = jax.nn.softmax(logits)
        return weights @ jax.vmap(score, in_axes=(None, None, 0))(x, t, self.centers)

    def sample(self, key, label, n):
        return self._sample(key, label, n, self.guidance_scale)

    @partial(jax.jit, static_argnums=(0, 3))
    def _sample(self, key, label, n, guidance_scale):
        init_key, noise_key = jax.random.split(key)
        x = 2.0 * jax.random.normal(init_key, (n, self.centers.shape[1]))
        center = self.centers[label]

        def guided(x, t):
            free = self.unconditional_score(x, t)
            return free + guidance_scale * (score(x, t, center) - free)

        def body(x, inputs):
            t, step_key = inputs
            step = 0.5 * t**2
            noise = jax.random.normal(step_key, x.shape)
            drift = jax.vmap(guided, in_axes=(0, None))(x, t)
            return x + step * drift + jnp.sqrt(step) * t * noise, None

        keys = jax.random.split(noise_key, self.n_steps)
        x, _ = jax.lax.scan(body, x, (self.sigmas, keys))
        return x
