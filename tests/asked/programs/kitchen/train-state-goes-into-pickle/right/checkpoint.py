from pathlib import Path

from flax import serialization


class CheckpointFolder:
    def __init__(self, folder, keep=2):
        self.folder = Path(folder)
        self.keep = keep

    def save(self, state):
        path = self.folder / f"step_{int(state.step):06d}.ckpt"
        with open(path, "wb") as f:
            f.write(serialization.to_bytes(state))
        for old in sorted(self.folder.glob("step_*.ckpt"))[: -self.keep]:
            old.unlink()

    def latest(self, state):
        path = max(self.folder.glob("step_*.ckpt"))
        with open(path, "rb") as f:
            return serialization.from_bytes(state, f.read())
