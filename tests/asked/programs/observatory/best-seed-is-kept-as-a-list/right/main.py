import jax
import jax.numpy as jnp
import numpy as np
import optax

LAYERS = (1, 32, 32, 1)
tx = optax.adam(5e-3)


def init_mlp(key):
    keys = jax.random.split(key, len(LAYERS) - 1)
    return [
        {"w": jax.random.normal(k, (m, n)) / np.sqrt(m), "b": jnp.zeros(n)}
        for k, m, n in zip(keys, LAYERS[:-1], LAYERS[1:])
    ]


def mlp(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ last["w"] + last["b"]


def residual_loss(params, x):
    """u'' + u = 0 with u(0) = 0, u'(0) = 1."""
    u = lambda t: mlp(params, t[None])[0]
    du = jax.grad(u)
    ddu = jax.grad(du)
    interior = jax.vmap(lambda t: ddu(t) + u(t))(x)
    boundary = u(jnp.float32(0.0)) ** 2 + (du(jnp.float32(0.0)) - 1.0) ** 2
    return jnp.mean(interior**2) + 10.0 * boundary


@jax.jit
def train(params, x):
    def body(carry, _):
        p, opt_state = carry
        loss, grads = jax.value_and_grad(residual_loss)(p, x)
        updates, opt_state = tx.update(grads, opt_state)
        return (optax.apply_updates(p, updates), opt_state), loss

    (params, _), losses = jax.lax.scan(body, (params, tx.init(params)), None, length=500)
    return params, losses[-1]


@jax.jit
def select_best(members, x):
    losses = jnp.stack([residual_loss(m, x) for m in members])
    best = jnp.argmin(losses)
    return jax.tree.map(lambda *leaves: jnp.stack(leaves)[best], *members), losses


x = jnp.linspace(0.0, 2.0, 48)
members = []
for key in jax.random.split(jax.random.key(8), 3):
    params, _ = train(init_mlp(key), x)
    members.append(params)

best, losses = select_best(members, x)
t = jnp.linspace(0.0, 2.0, 5)
print("losses", np.round(np.asarray(losses), 4))
print("u   ", np.round(np.asarray(mlp(best, t[:, None])[:, 0]), 3))
print("sin ", np.round(np.sin(np.asarray(t)), 3))
