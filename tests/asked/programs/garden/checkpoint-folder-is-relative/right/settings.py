from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    run_dir: str = "soil_run"
    width: int = 16
    learning_rate: float = 1e-2
    steps: int = 80
    seed: int = 0
