"""Ways into jaxlint other than its own command."""
