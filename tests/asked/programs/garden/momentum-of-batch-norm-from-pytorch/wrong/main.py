import jax
import jax.numpy as jnp
import numpy as np
import optax

from networks import ActivityNet
from state import BNTrainState


def windows(n, rng):
    labels = rng.integers(0, 3, n).astype(np.int32)
    gain = rng.lognormal(0, 0.8)
    base = rng.normal(size=(n, 12)) + np.eye(12)[labels * 4] * 2.0
    return (gain * base).astype(np.float32), labels


@jax.jit
def train_step(state: BNTrainState, x, y):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        logits, mutated = state.apply_fn(variables, x, train=True, mutable=["batch_stats"])
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
        return loss, mutated["batch_stats"]

    (loss, stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=grads).replace(batch_stats=stats)
    return state, loss


def main():
    rng = np.random.default_rng(0)
    model = ActivityNet()
    x, _ = windows(4, rng)
    variables = model.init(jax.random.key(0), x, train=False)
    state = BNTrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.adam(1e-3),
    )
    history = []
    for _ in range(120):
        x, y = windows(64, rng)
        state, _ = train_step(state, x, y)
        history.append(jnp.log(state.batch_stats["norm"]["var"]).mean())
    recent = np.asarray(history[-60:])
    print(f"spread of the running log variance {recent.std():.3f}")


if __name__ == "__main__":
    main()
