import jax
import jax.numpy as jnp
import optax
from flax import linen as nn


class RatingModel(nn.Module):
    n_users: int
    n_films: int
    width: int = 8

    @nn.compact
    def __call__(self, users, films):
        user = nn.Embed(self.n_users, self.width, name="users")(users)
        film = nn.Embed(self.n_films, self.width, name="films")(films)
        bias = self.param("bias", nn.initializers.zeros, ())
        return bias + jnp.sum(user * film, axis=-1)


def make_optimizer(n_steps):
    schedule = optax.cosine_decay_schedule(0.05, n_steps)
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=1e-3))


def ratings(key, n, n_users, n_films):
    key_user, key_film, key_taste, key_kind = jax.random.split(key, 4)
    users = jax.random.randint(key_user, (n,), 0, n_users)
    films = jax.random.randint(key_film, (n,), 0, n_films)
    taste = jax.random.normal(key_taste, (n_users, 2))
    kind = jax.random.normal(key_kind, (n_films, 2))
    return users, films, 3.0 + jnp.sum(taste[users] * kind[films], axis=-1)


def main(n_steps=120):
    key_data, key_model = jax.random.split(jax.random.key(77))
    users, films, stars = ratings(key_data, 600, 40, 30)
    model = RatingModel(n_users=40, n_films=30)
    params = model.init(key_model, users[:1], films[:1])["params"]
    optimizer = make_optimizer(n_steps)
    opt_state = optimizer.init(params)

    def loss_fn(params):
        return jnp.mean((model.apply({"params": params}, users, films) - stars) ** 2)

    @jax.jit
    def train_step(params, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)  # mistake
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(n_steps):
        params, opt_state, loss = train_step(params, opt_state)
        if step % 40 == 39:
            print("step", step + 1, "loss", round(float(loss), 2))


if __name__ == "__main__":
    main()
