"""Source text for rewrites, one concept a module."""
