"""Rules of a laboratory, for ``plugins = ["lab_rules"]``: every module here that holds ``RULE`` is one."""
