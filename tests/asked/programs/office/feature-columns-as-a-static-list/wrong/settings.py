import tomllib

TEXT = """
target = "energy"
penalty = 2.0
features = ["temperature", "humidity", "is_weekend", "hour_sin"]
holdout = 0.25
"""


def load_settings():
    settings = tomllib.loads(TEXT)
    if settings["target"] in settings["features"]:
        raise ValueError("target among the features")
    return settings
