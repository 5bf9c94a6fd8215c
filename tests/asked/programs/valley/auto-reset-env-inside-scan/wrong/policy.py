import jax
import jax.numpy as jnp


class LinearPolicy:
    @staticmethod
    def init(obs_dim: int, act_dim: int):
        gain = jnp.concatenate([-0.4 * jnp.eye(act_dim), -0.2 * jnp.eye(act_dim)])
        return {"gain": gain[:obs_dim], "log_std": jnp.full((act_dim,), -1.0)}

    @staticmethod
    def sample(params, obs, key):
        mean = obs @ params["gain"]
        noise = jax.random.normal(key, mean.shape)
        return mean + jnp.exp(params["log_std"]) * noise
