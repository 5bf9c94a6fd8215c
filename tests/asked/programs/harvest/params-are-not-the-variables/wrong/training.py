import jax
import jax.numpy as jnp
import optax


def train(model, params, x, y, n_steps):
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)

    def loss_fn(params):
        predicted = model.apply(params, x)  # mistake
        return jnp.mean((predicted - y) ** 2)

    @jax.jit
    def step(params, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    losses = []
    for _ in range(n_steps):
        params, opt_state, loss = step(params, opt_state)
        losses.append(loss)
    return params, [float(loss) for loss in losses]
