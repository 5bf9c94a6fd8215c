from functools import partial

import jax
import optax

from learner import adapt, init_params, maml_loss, mse
from tasks import SineTasks

META_LR = 3e-3
INNER_LR = 0.05


def make_step(optimizer):
    @jax.jit
    def step(params, opt_state, support, query):
        loss, grads = jax.value_and_grad(maml_loss)(params, support, query, INNER_LR)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    return step


def main():
    tasks = SineTasks(shots=10)
    params = init_params(jax.random.key(1), width=32)
    optimizer = optax.adam(META_LR)
    opt_state = optimizer.init(params)
    step = make_step(optimizer)
    for iteration in range(300):
        support, query = tasks.sample(16)
        params, opt_state, loss = step(params, opt_state, support, query)
        if iteration % 100 == 0:
            print(f"iteration {iteration}: {loss:.3f}")

    support, query = tasks.sample(1)
    support = jax.tree.map(lambda a: a[0], support)
    query = jax.tree.map(lambda a: a[0], query)
    adapted = jax.jit(partial(adapt, inner_lr=INNER_LR, num_steps=5))(params, support)
    print(f"before {mse(params, query):.3f} after {mse(adapted, query):.3f}")


if __name__ == "__main__":
    main()
