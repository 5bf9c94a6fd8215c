import time

import jax
import numpy as np
import optax

from generate import generate
from lm import TinyLM, make_next_token

WORDS = "the cook tastes a soup and adds some salt then waits for guests".split()


def recipe_stream(rng, count, length):
    start = rng.integers(0, len(WORDS), (count, 1))
    return ((start + np.arange(length + 1)) % len(WORDS)).astype(np.int32)


def main():
    rng = np.random.default_rng(0)
    init_key, *sample_keys = jax.random.split(jax.random.key(0), 3)
    model = TinyLM(vocab=len(WORDS))
    rows = recipe_stream(rng, 32, 16)
    params = jax.jit(model.init)(init_key, rows[:, :-1])["params"]
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state, rows):
        def loss_fn(params):
            logits = model.apply({"params": params}, rows[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, rows[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(60):
        params, opt_state, loss = step(params, opt_state, recipe_stream(rng, 32, 16))
    print(f"loss {loss:.3f}")

    next_token = make_next_token(model)
    for prompt, key in zip(([0, 1], [5, 6]), sample_keys):
        began = time.perf_counter()
        tokens = np.asarray(generate(next_token, params, key, prompt, max_len=7))
        seconds = time.perf_counter() - began
        print(f"{seconds:.2f} s:", " ".join(WORDS[i] for i in tokens))


if __name__ == "__main__":
    main()
