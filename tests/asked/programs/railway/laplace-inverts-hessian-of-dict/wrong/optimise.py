import jax
import optax


def find_mode(objective, params, x, y, n_steps=300):
    opt = optax.adam(0.05)

    @jax.jit
    def run(params):
        def step(carry, _):
            params, state = carry
            grads = jax.grad(objective)(params, x, y)
            updates, state = opt.update(grads, state)
            return (optax.apply_updates(params, updates), state), None

        (params, _), _ = jax.lax.scan(step, (params, opt.init(params)), None, length=n_steps)
        return params

    return run(params)
