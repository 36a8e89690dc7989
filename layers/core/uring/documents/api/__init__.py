"""The HTTP API of documents: signed requests, JSON, problems (RFC 9457), an OpenAPI document.

    request ─► routes ─► models ─► stores, editor, jobs
                 └─ fields: what a request names      └─ answers: ETags, pages, at most 1 MB

`fields`     arguments of requests, by name
`models`     bodies of requests and responses
`answers`    ETags, pages of lists, slices of texts
`policies`   attachments and their texts
`issues`     issues, and `edits` of them under If-Match
`jobs`       jobs, submitted and polled
`app`        all routes, and the OpenAPI document
"""
