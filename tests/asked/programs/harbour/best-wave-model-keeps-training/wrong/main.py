import optax
from flax import nnx

from model import WaveHeight, fit_step, validate
from waves import buoy_records

EPOCHS = 400


class BestKeeper:
    def __init__(self):
        self.score = float("inf")
        self.state = None

    def offer(self, model, score):
        if score < self.score:
            self.score = score
            self.state = nnx.state(model, nnx.Param)  # mistake

    def restore(self, model):
        nnx.update(model, self.state)


def main():
    x, y = buoy_records(60, seed=0)
    valid_x, valid_y = buoy_records(200, seed=1)
    model = WaveHeight(x.shape[1], 64, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(5e-3), wrt=nnx.Param)
    keeper = BestKeeper()
    for epoch in range(EPOCHS):
        fit_step(model, optimizer, x, y)
        if epoch % 5 == 4:
            keeper.offer(model, float(validate(model, valid_x, valid_y)))
    print("last", validate(model, valid_x, valid_y))
    keeper.restore(model)
    print("best", round(keeper.score, 4), "restored", validate(model, valid_x, valid_y))


if __name__ == "__main__":
    main()
