import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from schedules import ScheduleConfig, make_schedule


class RatingModel(nn.Module):
    num_users: int
    num_items: int
    rank: int = 8

    @nn.compact
    def __call__(self, user, item):
        u = nn.Embed(self.num_users, self.rank, name="user")(user)
        v = nn.Embed(self.num_items, self.rank, name="item")(item)
        bias = self.param("bias", nn.initializers.zeros_init(), ())
        return jnp.sum(u * v, axis=-1) + bias


def create_state(cfg, num_users, num_items):
    model = RatingModel(num_users, num_items)
    dummy = jnp.zeros((1,), jnp.int32)
    params = model.init(jax.random.key(0), dummy, dummy)["params"]
    tx = optax.adam(make_schedule(cfg))
    return TrainState.create(apply_fn=model.apply, params=params, tx=tx)


@jax.jit
def train_step(state, user, item, rating):
    def mse(params):
        pred = state.apply_fn({"params": params}, user, item)
        return jnp.mean((pred - rating) ** 2)

    loss, grads = jax.value_and_grad(mse)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    cfg = ScheduleConfig()
    print("lr at steps", [round(float(make_schedule(cfg)(s)), 5) for s in (0, 9, 40, 79)])
    rng = np.random.default_rng(0)
    taste, quality = rng.normal(size=(50, 3)), rng.normal(size=(40, 3))
    user, item = rng.integers(0, 50, 1280), rng.integers(0, 40, 1280)
    rating = np.sum(taste[user] * quality[item], axis=1).astype(np.float32)
    state = create_state(cfg, 50, 40)
    for step in range(cfg.total_steps):
        sl = slice((step % 10) * 128, (step % 10 + 1) * 128)
        state, loss = train_step(state, user[sl], item[sl], rating[sl])
        if step % 20 == 19:
            print(f"step {step} mse {loss:.4f}")


if __name__ == "__main__":
    main()
