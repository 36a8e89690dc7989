"""Around the work of every Lambda function.

    event ─► invocation ─► schedule, or batches ─► work ─► telemetry

`settings`    one typed model a function, read from its environment
`invocation`  the time that is left, and a line with the AWS calls
`schedule`    the time for which a tick was scheduled
`http`        routes of an HTTP API, errors as problem details
`batches`     SQS FIFO: groups side by side, one group in order, partial answers
`telemetry`   log lines and counters
`bootstrap`   builds what a family's functions have alike
"""
