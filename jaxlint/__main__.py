"""``python -m jaxlint`` is the command ``jaxlint``."""

import os
import sys


def _leave_out_working_directory() -> None:
    """``python -m`` looks for libraries in the working directory first, and what is linted is not to be run."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        here = os.path.realpath(os.getcwd())
    except FileNotFoundError:
        return
    if sys.path and not getattr(sys.flags, "safe_path", False) and os.path.realpath(home) != here:
        if os.path.realpath(sys.path[0]) == here:
            del sys.path[0]


if __name__ == "__main__":
    _leave_out_working_directory()

    from jaxlint.cli import command

    command()
