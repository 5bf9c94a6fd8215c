from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax

from charlm import batch_loss, init_params, next_logits
from sampling import top_p_sample

TEXT = "whisk the eggs with the sugar, then fold in the flour and bake the cake. " * 4
CHARS = sorted(set(TEXT))
CONTEXT = 6


@partial(jax.jit, static_argnames=("length",))
def write(params, key, window, length, top_p=0.9, temperature=0.8):
    def step(window, step_key):
        token = top_p_sample(step_key, next_logits(params, window), top_p, temperature)
        return jnp.append(window[1:], token), token

    return jax.lax.scan(step, window, jax.random.split(key, length))[1]


def main():
    ids = np.array([CHARS.index(c) for c in TEXT], np.int32)
    windows = np.lib.stride_tricks.sliding_window_view(ids, CONTEXT + 1)
    inputs, targets = jnp.asarray(windows[:, :-1]), jnp.asarray(windows[:, -1])
    init_key, write_key = jax.random.split(jax.random.key(4))
    params = init_params(init_key, len(CHARS), 12, CONTEXT)
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state):
        loss, grads = jax.value_and_grad(batch_loss)(params, inputs, targets)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(200):
        params, opt_state, loss = step(params, opt_state)
    print(f"loss {loss:.3f}")
    tokens = write(params, write_key, inputs[0], length=40)
    print("".join(CHARS[i] for i in np.asarray(tokens)))


if __name__ == "__main__":
    main()
