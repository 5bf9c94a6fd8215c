import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from data import spiral_trajectories
from model import NeuralODE


def loss_fn(model, ts, ys):
    pred = jax.vmap(model, in_axes=(None, 0))(ts, ys[:, 0])
    return jnp.mean((pred - ys) ** 2)


def make_step(optim):
    @eqx.filter_jit
    def step(model, opt_state, ts, ys):
        loss, grads = eqx.filter_value_and_grad(loss_fn)(model, ts, ys)
        updates, opt_state = optim.update(grads, opt_state)
        model = eqx.apply_updates(model, updates)
        return model, opt_state, loss

    return step


def train(model, ts, ys, n_steps=60, lr=5e-3):
    optim = optax.adam(lr)
    opt_state = optim.init(eqx.filter(model, eqx.is_inexact_array))
    step = make_step(optim)
    for i in range(n_steps):
        model, opt_state, loss = step(model, opt_state, ts, ys)
        if i % 20 == 0:
            print(f"step {i:3d} loss {float(loss):.4f}")
    return model, loss


if __name__ == "__main__":
    ts, ys = spiral_trajectories(n=24, length=30)
    model = NeuralODE(data_size=2, width=32, depth=2, key=jax.random.key(5678))
    model, loss = train(model, ts, ys)
    print("final loss", float(loss))
