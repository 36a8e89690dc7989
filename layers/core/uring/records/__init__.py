"""A source that is a list of records: its state, diff, archive, `latest.json` and feeds."""
