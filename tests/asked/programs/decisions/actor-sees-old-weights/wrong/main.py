"""Behaviour cloning of a PD controller, evaluated in closed loop after each epoch."""
import jax
import jax.numpy as jnp
import optax

DT = 0.1


def expert(obs):
    return -2.0 * obs[..., 0] - 1.2 * obs[..., 1]


def plant(obs, u):
    pos, vel = obs
    return jnp.stack([pos + DT * vel, vel + DT * jnp.clip(u, -3.0, 3.0)])


def policy(params, obs):
    h = jnp.tanh(obs @ params["w1"] + params["b1"])
    return h @ params["w2"]


def init_params(key, width=16):
    k1, k2 = jax.random.split(key)
    return {
        "w1": 0.7 * jax.random.normal(k1, (2, width)),
        "b1": jnp.zeros(width),
        "w2": 0.3 * jax.random.normal(k2, (width,)),
    }


def evaluate(act, start, steps=40):
    obs, cost = start, 0.0
    for _ in range(steps):
        obs = plant(obs, act(obs))
        cost += float(obs @ obs)
    return cost


def main():
    k_init, k_data = jax.random.split(jax.random.key(0))
    params = init_params(k_init)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(params)
    data = jax.random.uniform(k_data, (128, 2), minval=-1.5, maxval=1.5)
    labels = expert(data)

    @jax.jit
    def update(params, opt_state):
        loss, grads = jax.value_and_grad(
            lambda p: jnp.mean((policy(p, data) - labels) ** 2)
        )(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    @jax.jit
    def act(obs):
        return policy(params, obs)  # mistake

    start = jnp.array([1.0, 0.0])
    for epoch in range(4):
        print(f"epoch {epoch}: cost {evaluate(act, start):.1f}")  # mistake
        for _ in range(30):
            params, opt_state, loss = update(params, opt_state)
    print(f"imitation loss {loss:.3f}, expert cost {evaluate(jax.jit(expert), start):.1f}")


if __name__ == "__main__":
    main()
