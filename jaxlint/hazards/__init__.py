"""The hazards: one module for each rule, in a folder for each family, and the registry that finds them."""
