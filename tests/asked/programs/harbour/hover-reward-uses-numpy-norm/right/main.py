import jax
import jax.numpy as jnp
import optax

from drone import HOVER_POINT, HoverEnv

NUM_ENVS = 16
HORIZON = 100


def thrust(params, state):
    error = HOVER_POINT - state.position
    return params["kp"] * error - params["kd"] * state.velocity + params["bias"]


def episode_return(env, params, key):
    def body(state, _):
        return env.step(state, thrust(params, state))

    _, rewards = jax.lax.scan(body, env.reset(key), None, length=HORIZON)
    return jnp.sum(rewards)


def objective(params, env, keys):
    returns = jax.vmap(lambda key: episode_return(env, params, key))(keys)
    return -jnp.mean(returns)


def main():
    env = HoverEnv()
    optimizer = optax.adam(0.1)
    params = {"kp": jnp.ones(3), "kd": jnp.ones(3), "bias": jnp.array([0.0, 0.0, 7.0])}
    opt_state = optimizer.init(params)

    @jax.jit
    def improve(params, opt_state, key):
        keys = jax.random.split(key, NUM_ENVS)
        loss, grads = jax.value_and_grad(objective)(params, env, keys)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, -loss

    for step, key in enumerate(jax.random.split(jax.random.key(0), 60)):
        params, opt_state, mean_return = improve(params, opt_state, key)
        if step % 20 == 0:
            print(step, mean_return)
    print("gains", params, "return", mean_return)


if __name__ == "__main__":
    main()
