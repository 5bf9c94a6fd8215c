import jax
import jax.numpy as jnp
import optax

from dataset import FEATURES, molecules
from message_passing import init_params, predict_energy


def make_update(tx):
    def loss_fn(params, graph, energy):
        return (predict_energy(params, graph) - energy) ** 2

    @jax.jit
    def update(params, opt_state, graph, energy):
        loss, grads = jax.value_and_grad(loss_fn)(params, graph, energy)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    return update


def main():
    params = init_params(jax.random.key(0), FEATURES, width=8)
    tx = optax.adam(1e-2)
    opt_state = tx.init(params)
    update = make_update(tx)
    losses = []
    for graph, energy in molecules(12, seed=0):
        params, opt_state, loss = update(params, opt_state, graph, energy)  # mistake
        losses.append(loss)
    print(f"mean loss {float(jnp.stack(losses).mean()):.3f}")
    print("compiled versions of update:", update._cache_size())


if __name__ == "__main__":
    main()
