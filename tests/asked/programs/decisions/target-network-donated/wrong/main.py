"""Small DQN on a chain, with a target network that is refreshed now and then."""
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

CHAIN = 6
GAMMA = 0.9


class QNetwork(nn.Module):
    width: int = 16

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.width)(x))
        return nn.Dense(2)(x)


network = QNetwork()
optimizer = optax.sgd(0.3)


@partial(jax.jit, static_argnums=1)
def transitions(key, n):
    k_state, k_action = jax.random.split(key)
    state = jax.random.randint(k_state, (n,), 0, CHAIN)
    action = jax.random.randint(k_action, (n,), 0, 2)
    nxt = jnp.clip(state + 2 * action - 1, 0, CHAIN - 1)
    return state, action, (nxt == CHAIN - 1).astype(jnp.float32), nxt


def td_loss(params, target_params, batch):
    state, action, reward, nxt = batch
    q = network.apply(params, jax.nn.one_hot(state, CHAIN))
    q = jnp.take_along_axis(q, action[:, None], axis=1)[:, 0]
    q_next = network.apply(target_params, jax.nn.one_hot(nxt, CHAIN)).max(axis=1)
    return jnp.mean((q - reward - GAMMA * q_next) ** 2)


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, opt_state, target_params, batch):
    loss, grads = jax.value_and_grad(td_loss)(params, target_params, batch)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def train(key, steps=60, refresh=20):
    key_init, key_data = jax.random.split(key)
    params = jax.jit(network.init)(key_init, jnp.zeros(CHAIN))
    opt_state = optimizer.init(params)
    for step in range(steps):
        if step % refresh == 0:
            target_params = params  # mistake
        batch = transitions(jax.random.fold_in(key_data, step), 32)
        params, opt_state, loss = train_step(params, opt_state, target_params, batch)  # mistake
    return params, loss


def main():
    params, loss = train(jax.random.key(0))
    q = network.apply(params, jnp.eye(CHAIN))
    print(f"loss {loss:.4f}")
    print("greedy actions", q.argmax(axis=1).tolist())


if __name__ == "__main__":
    main()
