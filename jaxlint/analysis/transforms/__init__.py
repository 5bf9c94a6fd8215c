"""Transforms of JAX: how they call functions, and what they require of them."""
