"""``python -m jaxlint`` is the command ``jaxlint``."""

from jaxlint.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
