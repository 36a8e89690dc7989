"""The monitor over every family's health: feeds, `health.json`, the index, alerts."""
