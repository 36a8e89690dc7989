"""University notice boards: config entries, page reading, one check, a batch, a tick."""
