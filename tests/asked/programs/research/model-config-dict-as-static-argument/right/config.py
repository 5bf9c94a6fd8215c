from dataclasses import dataclass


@dataclass(frozen=True)
class EncoderConfig:
    hidden: int = 48
    depth: int = 3
    activation: str = "gelu"
    residual: bool = True


def parse_overrides(pairs):
    known = {"hidden": int, "depth": int, "activation": str}
    out = {}
    for pair in pairs:
        name, value = pair.split("=")
        out[name] = known[name](value)
    return EncoderConfig(**out)
