import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from training import build_optimizer, count_params

N_STEPS = 150


def forward(x):
    mlp = hk.nets.MLP([32, 32, 1], activation=jax.nn.tanh)
    return mlp(x)[:, 0]


network = hk.without_apply_rng(hk.transform(forward))


def sensor_data(n=256, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (n, 3)).astype(np.float32)
    return x, np.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2]


def main():
    x, y = sensor_data()
    params = network.init(jax.random.PRNGKey(0), x[:1])
    optimizer = build_optimizer(peak_lr=1e-2, warmup_steps=20, total_steps=N_STEPS)
    opt_state = optimizer.init(params)
    print("parameters:", count_params(params))

    @jax.jit
    def update(params, opt_state):
        def loss_fn(p):
            return jnp.mean((network.apply(p, x) - y) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(N_STEPS):
        params, opt_state, loss = update(params, opt_state)
        if step % 50 == 0 or step == N_STEPS - 1:
            print(f"step {step:3d} mse {float(loss):.4f}")


if __name__ == "__main__":
    main()
