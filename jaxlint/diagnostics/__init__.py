"""What is done with diagnostics: suppressions, baselines, fingerprints, changed lines."""
