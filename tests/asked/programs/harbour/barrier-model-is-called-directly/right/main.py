import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from evaluation import Report
from fingerprints import random_reactions
from network import BarrierNet

SCALE = 10.0


@jax.jit
def train_step(state, reactant, product, barrier):
    def loss_fn(params):
        predicted = state.apply_fn({"params": params}, reactant, product)
        return jnp.mean((predicted - barrier) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    reactant, product, barrier = random_reactions(400, 32, seed=0)
    model = BarrierNet()
    params = model.init(jax.random.key(0), reactant[:1], product[:1])["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(3e-3))

    for step in range(200):
        state, loss = train_step(state, reactant, product, barrier / SCALE)
        if step % 50 == 0:
            print(step, loss)

    report = Report(SCALE)
    for name, seed in (("validation", 1), ("test", 2)):
        reactant, product, barrier = random_reactions(100, 32, seed)
        report.add(name, model, state, reactant, product, barrier / SCALE)
    report.show(state.step)


if __name__ == "__main__":
    main()
