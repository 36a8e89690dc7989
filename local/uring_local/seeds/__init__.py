"""`uring seeds`: collections of whole lists of domains, for whoever runs a deployed stack.

`commands`      `uring seeds orchestrate`, `status` and `migrate`
`orchestrate`   begins a collection through the HTTP API
`status`        how far a partition is: read, and watched
`view`          that on a terminal, in a pipe and as JSON
`moves`         from the old layout's keys to the new one's
`copies`        objects copied and compared within a bucket
`migrate`       the datasets of a bucket, copied
"""
