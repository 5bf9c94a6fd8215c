import jax
import jax.numpy as jnp
import optax

from network import init_params, logits_of
from optimizer import make_optimizer


def loss_fn(params, x, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits_of(params, x), labels).mean()


def fine_tune(params, x, labels, n_steps):
    optimizer = make_optimizer(1e-2)
    opt_state = optimizer.init(params)  # mistake

    @jax.jit
    def step(params, opt_state):
        grads = jax.grad(loss_fn)(params, x, labels)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state

    for _ in range(n_steps):
        params, opt_state = step(params, opt_state)
    return params


def main():
    key_params, key_data = jax.random.split(jax.random.key(23))
    pretrained = init_params(key_params, n_in=6, hidden=16, n_classes=3)
    x = jax.random.normal(key_data, (120, 6))
    labels = jnp.argmax(x[:, :3], axis=1)
    tuned = fine_tune(pretrained, x, labels, n_steps=50)
    for part in ("backbone", "head"):
        moved = optax.tree.norm(optax.tree.sub(tuned[part], pretrained[part]))
        print(part, "moved by", round(float(moved), 2))


if __name__ == "__main__":
    main()
