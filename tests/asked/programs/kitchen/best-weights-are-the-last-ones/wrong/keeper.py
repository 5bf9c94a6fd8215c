import math

from flax import nnx


class BestKeeper:
    """Remembers the weights with the lowest validation loss."""

    def __init__(self, patience):
        self.patience = patience
        self.best_loss = math.inf
        self.best_epoch = -1
        self.best_state = None

    def update(self, model, epoch, loss):
        if loss < self.best_loss:
            self.best_loss = loss
            self.best_epoch = epoch
            self.best_state = nnx.state(model)  # mistake
        return epoch - self.best_epoch >= self.patience

    def restore(self, model):
        nnx.update(model, self.best_state)
