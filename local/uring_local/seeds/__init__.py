"""`uring seeds`: collections of whole lists of domains, for whoever runs a deployed stack.

`commands`      `uring seeds orchestrate`, `status`, `report` and `migrate`
`orchestrate`   begins a collection through the HTTP API
`status`        counters and queues of the moment, and the pace
`view`          these on a terminal, in a pipe and as JSON
`watch`         one look, or one after the other
`report`        a stored report
`moves`         from the old layout's keys to the new one's
`copies`        objects copied and compared within a bucket
`migrate`       the datasets of a bucket, copied
"""
