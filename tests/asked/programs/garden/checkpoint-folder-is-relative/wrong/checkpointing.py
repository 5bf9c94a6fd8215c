import shutil
from pathlib import Path

import orbax.checkpoint as ocp


def checkpoint_path(run_dir: str, name: str) -> Path:
    return Path(run_dir) / "checkpoints" / name  # mistake


def save_params(run_dir: str, name: str, params) -> None:
    checkpointer = ocp.PyTreeCheckpointer()
    checkpointer.save(checkpoint_path(run_dir, name), params)  # mistake


def restore_params(run_dir: str, name: str, like):
    checkpointer = ocp.PyTreeCheckpointer()
    return checkpointer.restore(checkpoint_path(run_dir, name), item=like)


def remove_run(run_dir: str) -> None:
    shutil.rmtree(run_dir, ignore_errors=True)
