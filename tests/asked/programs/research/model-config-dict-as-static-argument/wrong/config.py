DEFAULTS = {"hidden": 48, "depth": 3, "activation": "gelu", "residual": True}


def parse_overrides(pairs):
    known = {"hidden": int, "depth": int, "activation": str}
    out = dict(DEFAULTS)
    for pair in pairs:
        name, value = pair.split("=")
        out[name] = known[name](value)
    return out
