"""A source that is a list of records: what of the engine is theirs.

    observations ─ diff ─ apply ─► RecordState ─► archive, latest.json ─► feeds

`model`, `diff`, `apply`, `older` (records that a list shows late), `archive.append`,
`latest.project` and `feeds` are pure; `seen` remembers the records that left the state.
"""
