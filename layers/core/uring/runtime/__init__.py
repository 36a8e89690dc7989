"""The frame around the work of every Lambda function.

    event ─► invocation ─► schedule, or batches ─► work ─► telemetry

`settings`    one typed model a function, read from its environment
`invocation`  the remaining time, and a log line with the AWS calls
`schedule`    the time for which a tick was scheduled
`going_on`    work that continues in another invocation
`http`        responses of an HTTP API, errors as problem details
`routes`      operations of an HTTP API, and all their responses
`openapi`     an HTTP API with an OpenAPI document that validates requests
`document`    corrects powertools' errors in that document
`problems`    bodies of error responses
`etags`       entity tags and conditions on them
`batches`     SQS FIFO: groups in parallel, each group in order, partial answers
`telemetry`   log lines and counters
"""
