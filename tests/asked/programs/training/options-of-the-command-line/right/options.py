"""Options of the program."""

import argparse


def parse(arguments=None):
    parser = argparse.ArgumentParser(description="Fit a network.")
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--ridge", type=float, default=1e-3)
    parser.add_argument("--hidden", type=int, default=8)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--steps", type=int, default=40)
    return parser.parse_args(arguments)
