import dataclasses

from flax import serialization

from gru_lm import ModelConfig


def pack(params, config: ModelConfig, step: int) -> bytes:
    payload = {"params": params, "config": dataclasses.asdict(config), "step": step}
    return serialization.msgpack_serialize(serialization.to_state_dict(payload))


def unpack(blob: bytes):
    payload = serialization.msgpack_restore(blob)
    config = ModelConfig(**payload["config"])
    return payload["params"], config, payload["step"]
