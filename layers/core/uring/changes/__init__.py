"""The engine: from what a source shows to what readers see and subscribers hear.

    observations ─ diff ─ advance ─► state (register) ─ publisher ─► archive, latest.json, queue

`model`, `diff`, `archive.append` and `projection.project` are pure; `ports` is what the rest needs.
"""
