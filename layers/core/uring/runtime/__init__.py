"""Around a function's work: its settings, batches, invocation and telemetry."""
