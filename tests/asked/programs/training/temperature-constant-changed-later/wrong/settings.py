"""Values that the training script changes."""
TEMPERATURE = 4.0
