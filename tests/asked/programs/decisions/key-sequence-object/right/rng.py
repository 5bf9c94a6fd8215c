import jax


class KeySequence:
    """Hands out a fresh key whenever somebody needs one."""

    def __init__(self, seed: int):
        self._key = jax.random.key(seed)

    def next(self):
        self._key, sub = jax.random.split(self._key)
        return sub

    def take(self, n: int):
        return [self.next() for _ in range(n)]
