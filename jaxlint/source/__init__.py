"""Source files as text: reading and replacing them, notebooks, positions, and questions that need no parser."""
