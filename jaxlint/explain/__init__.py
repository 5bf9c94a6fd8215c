"""What `jaxlint explain` says: pages of rules and errors, and what happened in the code a traceback is from."""
