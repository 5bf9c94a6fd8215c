"""Train a network with batch norm and a flax TrainState."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class Network(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.relu(nn.BatchNorm(use_running_average=not train)(nn.Dense(8)(x)))
        return nn.Dense(1)(x)[:, 0]


def create(key, x):
    model = Network()
    variables = model.init(key, x, train=False)
    return train_state.TrainState.create(  # mistake
        apply_fn=model.apply,
        params=variables["params"],
        tx=optax.adam(1e-2),
        batch_stats=variables["batch_stats"],  # mistake
    )


@jax.jit
def step(state, x, y):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        predicted, updates = state.apply_fn(variables, x, train=True, mutable=["batch_stats"])
        return jnp.mean((predicted - y) ** 2), updates["batch_stats"]

    grads, stats = jax.grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads).replace(batch_stats=stats)


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (16, 3))
    state = create(jax.random.key(1), x)
    for _ in range(2):
        state = step(state, x, x.sum(axis=1))
    print("steps", int(state.step))
