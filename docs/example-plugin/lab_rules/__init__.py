"""Rules of a laboratory, loaded by ``plugins = ["lab_rules"]``: every module here that holds ``RULE`` is one."""
