"""Random keys: which are equal, and where they are consumed."""
