"""Laws of shapes and dtypes."""
