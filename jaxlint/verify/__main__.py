"""``python -m jaxlint.verify [RULE...]``, ``... new CODE NAME``, ``... bless [RULE...]``."""

import argparse
import sys

from jaxlint.verify.command import add_arguments, run

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m jaxlint.verify", description="Prove the rules under real JAX.")
    add_arguments(parser)
    sys.exit(run(parser.parse_args()))
