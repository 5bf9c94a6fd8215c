import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

from losses import scale_invariant_loss


class DepthNet(nn.Module):
    features: int = 12

    @nn.compact
    def __call__(self, image):
        x = nn.relu(nn.Conv(self.features, (3, 3))(image))
        x = nn.relu(nn.Conv(self.features, (3, 3))(x))
        x = nn.Conv(1, (1, 1))(x)
        return nn.softplus(x[..., 0]) + 1e-3


def make_scene(rng, n, size=20):
    depth = rng.uniform(1.0, 5.0, size=(n, 1, 1)) * np.ones((n, size, size))
    image = np.exp(-depth)[..., None] + 0.05 * rng.normal(size=(n, size, size, 3))
    holes = rng.random(depth.shape) < 0.2
    depth = np.where(holes, 0.0, depth)
    return image.astype(np.float32), depth.astype(np.float32)


@jax.jit
def train_step(state, image, depth):
    def loss_fn(params):
        return scale_invariant_loss(state.apply_fn({"params": params}, image), depth)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    rng = np.random.default_rng(7)
    net = DepthNet()
    variables = net.init(jax.random.key(2), jnp.zeros((1, 20, 20, 3)))
    state = train_state.TrainState.create(
        apply_fn=net.apply, params=variables["params"], tx=optax.adam(3e-3)
    )
    for step in range(61):
        image, depth = make_scene(rng, 8)
        state, loss = train_step(state, image, depth)
        if step % 20 == 0:
            print(f"{step:3d} {loss:.4f}")


if __name__ == "__main__":
    main()
