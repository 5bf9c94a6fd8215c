"""Resume a run of an older version, which did not keep the last batch."""

import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp

optimizer = optax.sgd(0.1, momentum=0.9)


def loss_fn(params, batch):
    return jnp.mean((batch["x"] @ params["w"] + params["b"] - batch["y"]) ** 2)


@jax.jit
def step(params, opt_state, batch):
    grads = jax.grad(loss_fn)(params, batch)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state


def load_batch(number):
    x = jax.random.normal(jax.random.key(number), (32, 4))
    return {"x": x, "y": x[:, 0] - x[:, 1] + 0.3}


def start():
    params = {"w": jnp.zeros(4), "b": jnp.array(0.0)}
    return {"params": params, "opt_state": optimizer.init(params)}


def old_run(path):
    kept = start()
    for number in range(20):
        kept["params"], kept["opt_state"] = step(kept["params"], kept["opt_state"], load_batch(number))
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(path, kept)


def resume(path):
    """The last batch is kept from now on."""
    target = start()
    with ocp.StandardCheckpointer() as checkpointer:
        kept = checkpointer.restore(path, target)
    for number in range(20, 60):
        kept["last_batch"] = load_batch(number)
        kept["params"], kept["opt_state"] = step(kept["params"], kept["opt_state"], kept["last_batch"])
    return kept


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve() / "run"
        old_run(path)
        kept = resume(path)
    print("entries", sorted(kept))
    print("loss is small:", bool(loss_fn(kept["params"], load_batch(99)) < 0.01))


if __name__ == "__main__":
    main()
