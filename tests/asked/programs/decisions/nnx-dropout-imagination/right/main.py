"""Ranks candidate plans by imagined return under a dropout world model."""
import jax.numpy as jnp
from flax import nnx

OBS_DIM = 2


class WorldModel(nnx.Module):
    def __init__(self, hidden: int, rngs: nnx.Rngs, rate: float = 0.2):
        self.inner = nnx.Linear(OBS_DIM + 1, hidden, rngs=rngs)
        self.outer = nnx.Linear(hidden, OBS_DIM + 1, rngs=rngs)
        self.dropout = nnx.Dropout(rate, rngs=rngs)

    def __call__(self, obs, action):
        x = jnp.concatenate([obs, action[..., None]], axis=-1)
        x = self.dropout(nnx.tanh(self.inner(x)))
        out = self.outer(x)
        return obs + 0.1 * out[..., :-1], out[..., -1]


@nnx.jit
def imagine(model: WorldModel, obs, actions):
    @nnx.scan(in_axes=(nnx.StateAxes({nnx.RngState: nnx.Carry, ...: None}), nnx.Carry, 0))
    def step(model, obs, action):
        return model(obs, action)

    _, rewards = step(model, obs, actions)
    return rewards.sum()


def make_plans(horizon):
    t = jnp.linspace(0.0, 1.0, horizon)
    return {"push": jnp.ones(horizon), "brake": -t, "sweep": jnp.sin(6.0 * t)}


def main():
    model = WorldModel(hidden=16, rngs=nnx.Rngs(0))
    start = jnp.zeros(OBS_DIM)
    for name, plan in make_plans(6).items():
        returns = [float(imagine(model, start, plan)) for _ in range(5)]
        print(f"{name}: distinct returns {len(set(returns))}")


if __name__ == "__main__":
    main()
