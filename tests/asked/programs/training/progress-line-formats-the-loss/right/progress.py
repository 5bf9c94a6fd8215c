"""Messages of the training loop."""
import jax


def report(epoch, loss):
    jax.debug.print("epoch {epoch}: loss {loss:.2f}", epoch=epoch, loss=loss, ordered=True)
