import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from nets import ConvEncoder


def contrastive_loss(model, left, right, temperature=0.2):
    a = jax.vmap(model)(left)
    b = jax.vmap(model)(right)
    a = a / (jnp.linalg.norm(a, axis=-1, keepdims=True) + 1e-6)
    b = b / (jnp.linalg.norm(b, axis=-1, keepdims=True) + 1e-6)
    logits = a @ b.T / temperature
    targets = jnp.arange(logits.shape[0])
    return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()


optimizer = optax.adam(2e-3)


@eqx.filter_jit
def make_step(model, opt_state, left, right):
    loss, grads = eqx.filter_value_and_grad(contrastive_loss)(model, left, right)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    model = eqx.apply_updates(model, updates)
    return model, opt_state, loss


def view_pairs(rng: np.random.Generator, batch_size: int):
    base = rng.normal(size=(batch_size, 1, 8, 8))
    left = base + 0.1 * rng.normal(size=base.shape)
    right = base + 0.1 * rng.normal(size=base.shape)
    return left.astype(np.float32), right.astype(np.float32)


def main():
    rng = np.random.default_rng(3)
    model = ConvEncoder((1, 8, 16), latent_dim=12, key=jax.random.key(0))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for step in range(30):
        left, right = view_pairs(rng, 32)
        model, opt_state, loss = make_step(model, opt_state, left, right)
        if step % 10 == 9:
            print(f"step {step + 1} loss {loss:.4f}")


if __name__ == "__main__":
    main()
