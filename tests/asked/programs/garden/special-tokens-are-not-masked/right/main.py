import jax
import numpy as np
import optax

from masking import corrupt_batch
from mlm import init_params, masked_loss
from tokens import SPECIAL, VOCAB


def protein_batch(rng, n=32, length=16):
    seq = rng.integers(len(SPECIAL), VOCAB, (n, length))
    seq[:, 1::2] = np.minimum(seq[:, 0::2] + 1, VOCAB - 1)
    seq[:, 0] = SPECIAL["cls"]
    seq[:, -1] = SPECIAL["eos"]
    return seq.astype(np.int32)


def make_update(tx):
    @jax.jit
    def update(params, opt_state, key, tokens):
        inputs, selected = corrupt_batch(key, tokens, rate=0.2)
        loss, grads = jax.value_and_grad(masked_loss)(params, inputs, tokens, selected)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss, selected.mean()

    return update


def main(n_steps=60):
    rng = np.random.default_rng(0)
    init_key, mask_key = jax.random.split(jax.random.key(0))
    params = init_params(init_key, VOCAB, width=24)
    tx = optax.adam(1e-2)
    opt_state = tx.init(params)
    update = make_update(tx)
    for step, key in enumerate(jax.random.split(mask_key, n_steps)):
        params, opt_state, loss, rate = update(params, opt_state, key, protein_batch(rng))
        if step % 20 == 0:
            print(f"step {step} loss {float(loss):.3f} masked {float(rate):.2f}")
    print(f"final loss {float(loss):.3f}")


if __name__ == "__main__":
    main()
