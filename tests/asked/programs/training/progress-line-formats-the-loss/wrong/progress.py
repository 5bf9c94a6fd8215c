"""Messages of the training loop."""


def report(epoch, loss):
    print(f"epoch {epoch}: loss {loss:.2f}")  # mistake
