import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from gnn import SolubilityGNN
from graphs import batched_molecules


@eqx.filter_value_and_grad
def loss_and_grad(model, graph, targets):
    return jnp.mean((model(graph) - targets) ** 2)


@eqx.filter_jit
def train_step(model, opt_state, tx, graph, targets):
    loss, grads = loss_and_grad(model, graph, targets)
    updates, opt_state = tx.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss


def main():
    model = SolubilityGNN(n_features=5, width=16, rounds=2, key=jax.random.key(2))
    tx = optax.adam(5e-3)
    opt_state = tx.init(eqx.filter(model, eqx.is_inexact_array))
    for step in range(60):
        graph, targets = batched_molecules(n_graphs=12, n_nodes=96, seed=step)
        model, opt_state, loss = train_step(model, opt_state, tx, graph, targets)
        if step % 20 == 0:
            print(f"step {step:3d} mse {float(loss):.3f}")
    print(f"final mse {float(loss):.3f}")


if __name__ == "__main__":
    main()
