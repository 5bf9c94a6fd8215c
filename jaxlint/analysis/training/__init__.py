"""Training loops: optimisers, their states and schedules, and what of a model a loop keeps."""
