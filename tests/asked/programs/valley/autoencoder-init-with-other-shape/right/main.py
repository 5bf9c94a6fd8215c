import jax
import numpy as np

from autoencoder import AutoEncoder, create_train_state, reconstruct, train_step
from digits import DigitLoader


def main():
    loader = DigitLoader(size=8, batch_size=32, seed=0)
    model = AutoEncoder(bottleneck=6, out_features=loader.num_pixels)
    state = create_train_state(
        model,
        jax.random.PRNGKey(0),
        example=np.zeros((1, loader.num_pixels), np.float32),
        learning_rate=3e-3,
    )
    losses = []
    for batch in loader.batches(60):
        state, loss = train_step(state, batch)
        losses.append(loss)
    print("first", float(losses[0]), "last", float(losses[-1]))

    sample = next(loader.batches(1))
    error = np.abs(np.asarray(reconstruct(state, sample)) - sample).mean()
    print("reconstruction error", round(float(error), 4))


if __name__ == "__main__":
    main()
