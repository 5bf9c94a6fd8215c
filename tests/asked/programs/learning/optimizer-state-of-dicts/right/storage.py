"""Write and read a checkpoint."""
from flax import serialization


def pack(params, opt_state):
    return serialization.to_bytes({"params": params, "opt_state": opt_state})


def unpack(data, params, opt_state):
    target = {"params": params, "opt_state": opt_state}
    restored = serialization.from_bytes(target, data)
    return restored["params"], restored["opt_state"]
