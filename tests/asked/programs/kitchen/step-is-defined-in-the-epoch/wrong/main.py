# %% speaker identification from short spectra
import time

import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

NUM_SPEAKERS, FRAMES, BINS = 6, 20, 32
rng = np.random.default_rng(0)
voices = rng.uniform(0.2, 1.0, (NUM_SPEAKERS, BINS)).astype(np.float32)


def record(count):
    speakers = rng.integers(0, NUM_SPEAKERS, count).astype(np.int32)
    clips = voices[speakers][:, None, :] * rng.gamma(2.0, 0.5, (count, FRAMES, 1))
    return (clips + 0.4 * rng.normal(size=clips.shape)).astype(np.float32), speakers


# %% model
class SpeakerNet(nnx.Module):
    def __init__(self, width, *, rngs: nnx.Rngs):
        self.conv = nnx.Conv(BINS, width, kernel_size=(5,), strides=(2,), rngs=rngs)
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.dropout = nnx.Dropout(0.2, rngs=rngs)
        self.head = nnx.Linear(2 * width, NUM_SPEAKERS, rngs=rngs)

    def __call__(self, clips):
        h = nnx.gelu(self.norm(self.conv(clips)))
        pooled = jnp.concatenate([h.mean(axis=1), h.std(axis=1)], axis=-1)
        return self.head(self.dropout(pooled))


def loss_fn(model, clips, speakers):
    losses = optax.softmax_cross_entropy_with_integer_labels(model(clips), speakers)
    return losses.mean()


# %% training
def run_epoch(model, optimizer, clips, speakers, batch_size=64):
    @nnx.jit  # mistake
    def train_step(model, optimizer, clips, speakers):
        loss, grads = nnx.value_and_grad(loss_fn)(model, clips, speakers)
        optimizer.update(model, grads)
        return loss

    model.train()
    losses = []
    for rows in rng.permutation(len(speakers)).reshape(-1, batch_size):
        losses.append(train_step(model, optimizer, clips[rows], speakers[rows]))
    return float(jnp.stack(losses).mean())


@nnx.jit
def identify(model, clips):
    return jnp.argmax(model(clips), axis=-1)


model = SpeakerNet(16, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adam(3e-3), wrt=nnx.Param)
clips, speakers = record(512)
for epoch in range(4):
    began = time.perf_counter()
    loss = run_epoch(model, optimizer, clips, speakers)
    print(f"epoch {epoch}: loss {loss:.3f} in {time.perf_counter() - began:.2f} s")

# %% evaluation
test_clips, test_speakers = record(256)
model.eval()
predicted = np.asarray(identify(model, test_clips))
print(f"accuracy {np.mean(predicted == test_speakers):.3f}")
