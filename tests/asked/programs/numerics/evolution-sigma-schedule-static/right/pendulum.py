import jax
import jax.numpy as jnp

HORIZON = 100
DT = 0.05


def act(params, state):
    obs = jnp.array([jnp.cos(state[0]), jnp.sin(state[0]), state[1]])
    return 2.0 * jnp.tanh(jnp.tanh(obs @ params["w1"] + params["b1"]) @ params["w2"])


def episode_return(params, state):
    def body(s, _):
        th, thdot = s
        u = act(params, s)
        wrapped = jnp.mod(th + jnp.pi, 2 * jnp.pi) - jnp.pi
        cost = wrapped**2 + 0.1 * thdot**2 + 0.001 * u**2
        thdot = jnp.clip(thdot + (15.0 * jnp.sin(th) + 3.0 * u) * DT, -8.0, 8.0)
        return jnp.stack([th + thdot * DT, thdot]), -cost

    _, rewards = jax.lax.scan(body, state, None, length=HORIZON)
    return rewards.sum()
