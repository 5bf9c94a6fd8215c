# %% imports
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

# %% data
rng = np.random.default_rng(7)
theta = rng.uniform(0, np.pi, size=400)
upper = np.stack([np.cos(theta), np.sin(theta)], axis=-1)
lower = np.stack([1 - np.cos(theta), 0.4 - np.sin(theta)], axis=-1)
points = np.concatenate([upper, lower]) + 0.1 * rng.normal(size=(800, 2))
labels = np.repeat([0.0, 1.0], 400)
X = jnp.asarray(points, jnp.float32)
Y = jnp.asarray(labels, jnp.float32)


# %% model
class MoonNet(nnx.Module):
    def __init__(self, width: int, rngs: nnx.Rngs):
        self.fc1 = nnx.Linear(2, width, rngs=rngs)
        self.fc2 = nnx.Linear(width, width, rngs=rngs)
        self.head = nnx.Linear(width, 1, rngs=rngs)

    def __call__(self, x):
        x = nnx.tanh(self.fc1(x))
        x = nnx.tanh(self.fc2(x))
        return self.head(x)[:, 0]


net = MoonNet(24, nnx.Rngs(0))
opt = nnx.Optimizer(net, optax.adam(5e-3), wrt=nnx.Param)


def bce(model, x, y):
    return optax.sigmoid_binary_cross_entropy(model(x), y).mean()


# %% training
@nnx.jit  # mistake
def train_step(x, y):
    loss, grads = nnx.value_and_grad(bce)(net, x, y)  # mistake
    opt.update(net, grads)
    return loss


losses = []
for step in range(200):
    pick = rng.choice(len(points), size=64, replace=False)
    losses.append(train_step(X[pick], Y[pick]))

print("first ten", float(jnp.stack(losses[:10]).mean()))
print("last ten", float(jnp.stack(losses[-10:]).mean()))

# %% evaluation
accuracy = jnp.mean((net(X) > 0) == (Y > 0.5))
print("accuracy", float(accuracy))
