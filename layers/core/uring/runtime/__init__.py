"""The frame around the work of every Lambda function.

    event ─► invocation ─► tick, or batches ─► work ─► telemetry

`settings`    one typed model a function, read from its environment
`invocation`  the remaining time, a log line with the AWS calls, the time of a scheduled tick
`going_on`    work that continues in another invocation
`http`        responses of an HTTP API, errors as problem details
`routes`      operations of an HTTP API, and all their responses
`openapi`     an HTTP API with an OpenAPI document that validates requests
`document`    bodies of error responses; corrects powertools' errors in that document
`received`    a request, judged by HTTP's own rules before any route sees it
`etags`       entity tags and conditions on them
`batches`     SQS FIFO: groups in parallel, each group in order, partial answers
`telemetry`   log lines and counters
"""
