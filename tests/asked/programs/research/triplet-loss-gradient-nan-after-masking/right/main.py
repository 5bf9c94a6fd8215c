import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from metric_loss import batch_hard_triplet_loss, pairwise_distance


def make_optimizer(lr=5e-3):
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(lr))


def loss_fn(model, x, labels):
    return batch_hard_triplet_loss(jax.vmap(model)(x), labels)


@eqx.filter_jit
def train_step(model, opt_state, optimizer, x, labels):
    loss, grads = eqx.filter_value_and_grad(loss_fn)(model, x, labels)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss, optax.global_norm(grads)


@eqx.filter_jit
def nearest_neighbour_accuracy(model, x, labels):
    dist = pairwise_distance(jax.vmap(model)(x)) + 1e9 * jnp.eye(x.shape[0])
    return jnp.mean(labels[jnp.argmin(dist, axis=1)] == labels)


def speaker_batch(rng, voices, per_speaker=4):
    labels = np.repeat(rng.choice(len(voices), 6, replace=False), per_speaker)
    x = voices[labels] + 0.8 * rng.normal(size=(len(labels), voices.shape[1]))
    return x.astype(np.float32), labels


def main():
    rng = np.random.default_rng(0)
    voices = rng.normal(size=(10, 20))
    model = eqx.nn.MLP(20, 6, 32, 1, key=jax.random.key(0))
    optimizer = make_optimizer()
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for step in range(40):
        x, labels = speaker_batch(rng, voices)
        model, opt_state, loss, grad_norm = train_step(model, opt_state, optimizer, x, labels)
        if step % 10 == 0:
            print(f"step {step} loss {loss:.4f} grad norm {grad_norm:.4f}")
    x, labels = speaker_batch(rng, voices, per_speaker=8)
    print("nearest neighbour accuracy", nearest_neighbour_accuracy(model, x, jnp.asarray(labels)))


if __name__ == "__main__":
    main()
