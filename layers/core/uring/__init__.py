"""uRing detects changes in public sources, commits them safely and pushes them once.

    schedule ─► notices.orchestrate ─► jobs ─► notices.worker ─► fetch ─► notices.page ─► changes
                                                                                            │
              readers ◄─ latest.json, archive ◄─────────────────────────────────────────────┤
              devices ◄─ FCM ◄─ push.notifier ◄─ queue ◄────────────────────────────────────┘

`changes` is the engine: diff, the state register with its outbox, and what is projected from it; it
knows no family. `notices` is the first family. `fetch` is the only way out to the web, `aws` the
only importer of boto3, `push` the only importer of firebase-admin. `batches` runs a queue's batch,
`contracts` are the messages between functions, `bootstrap` builds each function. What can wait of a
family (feeds, health, the index) its monitor derives from the states. Dependencies point
inwards: `changes` imports no I/O library, families never import each other.
"""
