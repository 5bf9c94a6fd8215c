"""Write and read a checkpoint."""
from flax import serialization


def pack(params, opt_state):
    return serialization.to_bytes({"params": params, "opt_state": opt_state})


def unpack(data):
    restored = serialization.msgpack_restore(data)  # mistake
    return restored["params"], restored["opt_state"]
