"""A source that is a list of records: what of the engine is theirs.

    observations ─ diff ─ apply ─► RecordState ─► archive, latest.json ─► feeds

`model`, `diff`, `apply`, `months` (of the archive), `latest.project` and `feeds` are pure; so are
`older` (records that a list shows late) and `quiet` (edits that are no news). `seen` remembers the
records that left the state.
"""
