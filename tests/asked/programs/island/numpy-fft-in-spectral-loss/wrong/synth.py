from dataclasses import dataclass

import jax.numpy as jnp


@dataclass(frozen=True)
class HarmonicSynth:
    sample_rate: int
    num_samples: int
    f0: float
    num_harmonics: int

    def render(self, params):
        t = jnp.arange(self.num_samples) / self.sample_rate
        harmonics = jnp.arange(1, self.num_harmonics + 1)
        waves = jnp.sin(2 * jnp.pi * self.f0 * harmonics[:, None] * t)
        envelope = jnp.exp(-params["decay"] * t)
        return envelope * jnp.sum(jnp.exp(params["log_amps"])[:, None] * waves, axis=0)


def init_params(num_harmonics):
    return {"log_amps": jnp.full(num_harmonics, -1.5), "decay": jnp.asarray(1.0)}
