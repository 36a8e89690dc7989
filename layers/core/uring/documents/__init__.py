"""Documents: attachments of pages, their texts, translations and issues.

    S3 event ─► intake ─┐
    HTTP API ─► job ────┴─► queue, a group a page ─► worker ─► text ─► translation, issues
                 └─ its status                         └─ under locks, paid for once

`names`       pages, sources, keys, locks' paths
`store`       stored policies, issues and analyses
`work`        translation and analysis, by paid services
`jobs`        statuses of jobs; `messages` their queue messages
`costs`       the daily budgets of a page and of the stack
`operations`  the work of a job on a page
`worker`      batches of jobs
`intake`      events of the bucket become jobs
`janitor`     removes unused items and texts, repeats lost events
`edits`       of issues, by people
`lock_telemetry`  lines and counters of locks
`api`         all of it over HTTP
"""
