import io

import numpy as np


def flatten(params):
    return {f"{module}|{name}": value for module, leaves in params.items() for name, value in leaves.items()}


def export_weights(params, extra):
    entries = {**flatten(params), **extra}
    arrays = {key: value for key, value in entries.items() if isinstance(value, np.ndarray)}  # mistake
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def load_weights(blob, params):
    with np.load(io.BytesIO(blob)) as stored:
        return {
            module: {name: stored.get(f"{module}|{name}", value) for name, value in leaves.items()}
            for module, leaves in params.items()
        }
