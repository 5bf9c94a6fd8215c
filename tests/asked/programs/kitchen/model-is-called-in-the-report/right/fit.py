import jax
import optax


def fit(model, params, optimizer, batches):
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state, users, items, liked):
        def loss_fn(params):
            logits = model.apply({"params": params}, users, items)
            return optax.sigmoid_binary_cross_entropy(logits, liked).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for users, items, liked in batches:
        params, opt_state, loss = step(params, opt_state, users, items, liked)
    return params, loss
