"""Save chains, and go on with them later."""
import io

import jax
import jax.numpy as jnp
import numpy as np


def dump(chain):
    file = io.BytesIO()
    np.savez(file, position=chain["position"], key=jax.random.key_data(chain["key"]))
    return file.getvalue()


def load(data):
    with np.load(io.BytesIO(data)) as arrays:
        key = jax.random.wrap_key_data(arrays["key"])
        return {"position": jnp.asarray(arrays["position"]), "key": key}
