import jax
import optax


def train(model, params, data, epochs=40, lr=1e-2):
    tx = optax.adam(lr)

    def loss_fn(p):
        logits = model.apply({"params": p}, data["numeric"], data["industry"])
        return optax.sigmoid_binary_cross_entropy(logits, data["won"]).mean()

    @jax.jit
    def step(p, s):
        loss, grads = jax.value_and_grad(loss_fn)(p)
        updates, s = tx.update(grads, s)
        return optax.apply_updates(p, updates), s, loss

    opt_state = tx.init(params)
    for _ in range(epochs):
        params, opt_state, loss = step(params, opt_state)
    return params, loss
