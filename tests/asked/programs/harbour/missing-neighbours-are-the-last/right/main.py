import jax
import jax.numpy as jnp
import numpy as np
import optax

from grid_graph import neighbour_table, ring_with_hub
from network import LoadNet, neighbour_mean

NUM_NODES = 48


def main():
    table, degree = neighbour_table(ring_with_hub(NUM_NODES), NUM_NODES, width=4)
    rng = np.random.default_rng(0)
    features = rng.normal(size=(NUM_NODES, 3)).astype(np.float32)
    features[-1] += 20.0
    averaged = neighbour_mean(jnp.asarray(features), table, degree)
    load = 2.0 * features[:, 0] - np.asarray(averaged)[:, 1]

    model = LoadNet()
    params = model.init(jax.random.key(0), features, table, degree)
    optimizer = optax.adam(5e-3)
    opt_state = optimizer.init(params)

    @jax.jit
    def train_step(params, opt_state):
        def loss_fn(params):
            return jnp.mean((model.apply(params, features, table, degree) - load) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(150):
        params, opt_state, loss = train_step(params, opt_state)
        if step % 50 == 0:
            print(step, loss)
    print("mean of the neighbours of node 3", averaged[3])
    print("loss", loss)


if __name__ == "__main__":
    main()
