"""The engine's part for sources that are lists of records.

    observations ─ diff ─ apply ─► RecordState ─► archive, latest.json ─► feeds, calendar

`model`, `diff`, `apply`, `months` (of the archive), `latest.project`, `feeds` and `calendar` (of
deadlines) are pure; so are
`older` (old records that a list shows late), `quiet` (edits that are not pushed), `retract` (pushes
that are taken back) and `same` (the names of a notice on several boards). `seen` stores the records
that left the state.
"""
