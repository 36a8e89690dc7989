"""Documents: attachments of pages, their texts, translations and issues.

    S3 event ─► intake ─┐
    HTTP API ─► job ────┴─► queue, a group a page ─► worker ─► text ─► translation, issues
                 └─ its status                         └─ under locks, paid for once

`names`       pages, sources, keys, locks' paths
`languages`   those that can be translated into
`store`       policies, issues, analyses as they are stored
`work`        translation and analysis, by services that are paid
`jobs`        their statuses; `messages` what travels
`costs`       what services cost a page a day
`operations`  what jobs do to a page
`worker`      batches of jobs
`intake`      events of the bucket become jobs
`janitor`     what is dead, and what was missed
`edits`       of issues, by people
`api`         all of it over HTTP
"""
