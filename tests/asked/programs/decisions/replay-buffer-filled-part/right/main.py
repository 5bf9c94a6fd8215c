import jax
import jax.numpy as jnp
import optax

from replay import Transition, UniformReplay


def q_values(params, obs):
    return obs @ params["w"] + params["b"]


def make_update(buffer, optimizer, gamma=0.9):
    def loss_fn(params, batch):
        q = jnp.take_along_axis(q_values(params, batch.obs), batch.action[:, None], axis=1)[:, 0]
        target = batch.reward + gamma * q_values(params, batch.next_obs).max(axis=1)
        return jnp.mean((q - jax.lax.stop_gradient(target)) ** 2)

    @jax.jit
    def update(params, opt_state, buffer_state, key):
        batch = buffer.sample(buffer_state, key)
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    return update


def main():
    buffer = UniformReplay(capacity=32, batch_size=8)
    obs = jnp.zeros(3)
    state = buffer.init(Transition(obs, jnp.array(0), jnp.array(0.0), obs))
    key = jax.random.key(0)
    params = {"w": jnp.zeros((3, 2)), "b": jnp.zeros(2)}
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)
    update = make_update(buffer, optimizer)
    for step in range(20):
        key, k_obs, k_sample = jax.random.split(key, 3)
        nxt = obs * 0.5 + jax.random.normal(k_obs, (3,))
        state = buffer.add(state, Transition(obs, jnp.array(step % 2), nxt.sum(), nxt))
        obs = nxt
        if step >= 8:
            params, opt_state, loss = update(params, opt_state, state, k_sample)
    recent = state.data.reward[: int(state.size)]
    print(f"loss {loss:.3f}  mean reward {recent.mean():.3f}")


if __name__ == "__main__":
    main()
