import jax.numpy as jnp
import optax
from flax import nnx

from data import batches, make_drift
from model import DriftNet, speed


@nnx.jit
def train_step(model: DriftNet, optimizer: nnx.Optimizer, forcing, drift):
    def loss_fn(net):
        predicted = net(forcing)
        return jnp.mean(jnp.sum((predicted - drift) ** 2, axis=-1))

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def speed_error(model: DriftNet, forcing, drift):
    return jnp.mean(jnp.abs(speed(model(forcing)) - speed(drift)))


def main():
    forcing, drift = make_drift(512)
    model = DriftNet(forcing.shape[1], 48, 0.1, rngs=nnx.Rngs(params=0, dropout=1))
    optimizer = nnx.Optimizer(model, optax.adamw(2e-3), wrt=nnx.Param)

    model.train()
    for epoch in range(6):
        losses = [train_step(model, optimizer, x, y) for x, y in batches(forcing, drift, 64, epoch)]
        print(epoch, jnp.mean(jnp.stack(losses)))

    model.eval()
    test_forcing, test_drift = make_drift(128, seed=9)
    print("mean error of speed", speed_error(model, test_forcing, test_drift))


if __name__ == "__main__":
    main()
