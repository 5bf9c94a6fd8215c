"""Save and restore a model."""
import io

import equinox as eqx


class Checkpoint:
    def __init__(self):
        self.file = io.BytesIO()

    def save(self, model):
        self.file.seek(0)
        eqx.tree_serialise_leaves(self.file, model)

    def load(self, model):
        self.file.seek(0)
        eqx.tree_deserialise_leaves(self.file, model)  # mistake
        return model
