import jax
import jax.numpy as jnp
import optax


def init_params(key, sizes):
    params = []
    for key_layer, n_in, n_out in zip(jax.random.split(key, len(sizes) - 1), sizes[:-1], sizes[1:]):
        scale = jnp.sqrt(2.0 / n_in)
        params.append({"w": scale * jax.random.normal(key_layer, (n_in, n_out)), "b": jnp.zeros(n_out)})
    return params


def forward(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def loss_fn(params, x, labels):
    logits = forward(params, x)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return loss, logits


optimizer = optax.adam(3e-3)


@jax.jit
def train_step(params, opt_state, x, labels):
    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, x, labels)
    updates, opt_state = optimizer.update(grads, opt_state)
    params = optax.apply_updates(params, updates)
    accuracy = jnp.mean(logits.argmax(axis=-1) == labels)
    return params, opt_state, {"loss": loss, "accuracy": accuracy}


def spirals(key, n):
    key_radius, key_label, key_noise = jax.random.split(key, 3)
    radius = jax.random.uniform(key_radius, (n,), minval=0.2, maxval=1.0)
    labels = jax.random.randint(key_label, (n,), 0, 3)
    angle = 3.0 * radius + 2.0 * jnp.pi * labels / 3.0 + 0.1 * jax.random.normal(key_noise, (n,))
    return radius[:, None] * jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1), labels


def main():
    key_data, key_params = jax.random.split(jax.random.key(21))
    x, labels = spirals(key_data, 300)
    params = init_params(key_params, [2, 32, 32, 3])
    opt_state = optimizer.init(params)
    for step in range(120):
        params, opt_state, metrics = train_step(params, opt_state, x, labels)
        if step % 40 == 39:
            print(step + 1, {name: round(float(value), 3) for name, value in metrics.items()})


if __name__ == "__main__":
    main()
