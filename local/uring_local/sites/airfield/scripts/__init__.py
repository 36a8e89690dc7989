"""The weather at a time: reports and warnings by seed, from one weather model."""
