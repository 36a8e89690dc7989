"""The engine: from what a source shows to what readers see and subscribers hear. Knows no family.

    jobs ─► worker ─► check ─► outbox ─► register (the commit) ─► projections, notify queue

`family` is what a family has to say, `hint` and `hinting` let an unchanged check do without state.
`state` is what every family keeps of a source, `health` how its last check ended; both are pure.
`ports` is what the engine needs of the world, `retry` and `rewrite` how it writes.
"""
