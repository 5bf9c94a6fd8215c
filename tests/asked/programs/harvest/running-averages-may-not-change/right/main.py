import jax
import jax.numpy as jnp
import optax

from convnet import ConvNet
from state import State, create_state


def stripes(key, n):
    key_label, key_noise = jax.random.split(key)
    labels = jax.random.randint(key_label, (n,), 0, 2)
    wave = jnp.sin(jnp.arange(8.0) * jnp.pi / 2.0)
    rows = jnp.broadcast_to(wave[:, None], (8, 8))
    pictures = jnp.where(labels[:, None, None] == 1, rows, rows.T)
    pictures = pictures + 0.3 * jax.random.normal(key_noise, pictures.shape)
    return pictures[..., None], labels


@jax.jit
def train_step(state, pictures, labels):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        logits, changed = state.apply_fn(variables, pictures, train=True, mutable=["batch_stats"])
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
        return loss, changed["batch_stats"]

    (loss, batch_stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads, batch_stats=batch_stats), loss


@jax.jit
def accuracy(state: State, pictures, labels):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    logits = state.apply_fn(variables, pictures, train=False)
    return jnp.mean(logits.argmax(axis=-1) == labels)


def main():
    key_data, key_model = jax.random.split(jax.random.key(1))
    pictures, labels = stripes(key_data, 128)
    state = create_state(ConvNet(classes=2), key_model, pictures[:1])
    for _ in range(30):
        state, loss = train_step(state, pictures, labels)
    print("loss", round(float(loss), 3))
    print("accuracy", round(float(accuracy(state, pictures, labels)), 3))


if __name__ == "__main__":
    main()
