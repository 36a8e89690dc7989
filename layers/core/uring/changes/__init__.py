"""The engine: checks sources, commits changes, publishes and pushes them. Imports no family.

    jobs ─► worker ─► check ─► outbox ─► register (the commit) ─► projections, notify queue

`family` is the interface of a family; `registry` describes one without loading it.
`shard` divides a family's sources; `hint` and `hinting` let an unchanged check skip the state.
`state` is the model of a source's state, `health` how its last check ended; both are pure.
`ports` has the Protocols of the queues; `retry` repeats what lost to another run.
"""
