import haiku as hk
import jax
import numpy as np
import optax

from char_model import VOCAB, cell_step, sequence_logits
from sampling import sample_text


def name_corpus(n=128, length=8, seed=0):
    rng = np.random.default_rng(seed)
    consonants, vowels = np.arange(6, VOCAB), np.arange(1, 6)
    names = np.empty((n, length), np.int32)
    names[:, 0::2] = rng.choice(consonants, (n, length // 2))
    names[:, 1::2] = rng.choice(vowels, (n, length // 2))
    return names


def main():
    names = name_corpus()
    network = hk.without_apply_rng(hk.transform(sequence_logits))
    stepper = hk.without_apply_rng(hk.transform(cell_step))
    init_key, sample_key = jax.random.split(jax.random.PRNGKey(7))
    params = jax.jit(network.init)(init_key, names[:1])
    tx = optax.adam(1e-2)
    opt_state = tx.init(params)

    @jax.jit
    def update(params, opt_state, batch):
        def loss_fn(p):
            logits = network.apply(p, batch[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, batch[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(80):
        params, opt_state, loss = update(params, opt_state, names)
    print(f"loss {float(loss):.3f}")
    tokens = sample_text(stepper.apply, params, sample_key, n_chars=30)
    print("sampled", "".join(chr(96 + t) for t in tokens))
    print("different letters:", len(set(tokens)))


if __name__ == "__main__":
    main()
