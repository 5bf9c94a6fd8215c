import jax
import jax.numpy as jnp
import optax

from network import network


def loss_fn(params, board, result):
    value = network.apply(params, board)
    return jnp.mean((value - result) ** 2)


def games(key, n):
    board = jax.random.randint(key, (n, 3, 3), -1, 2).astype(jnp.float32)
    lines = jnp.concatenate([board.sum(axis=1), board.sum(axis=2)], axis=1)
    return board, jnp.sign(lines.sum(axis=1))


def main():
    key_data, key_params = jax.random.split(jax.random.key(33))
    board, result = games(key_data, 200)
    params = network.init(key_params, board[:1])
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)

    @jax.jit
    def train_step(params, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(params, board, result)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(60):
        params, opt_state, loss = train_step(params, opt_state)
        if step % 20 == 19:
            print("step", step + 1, "loss", round(float(loss), 3))
    values = network.apply(params, board[:4])
    print("values", [round(value, 1) for value in values.tolist()])


if __name__ == "__main__":
    main()
