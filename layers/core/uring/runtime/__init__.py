"""Around the work of every Lambda function.

    event ─► invocation ─► schedule, or batches ─► work ─► telemetry

`settings`    one typed model a function, read from its environment
`invocation`  the time that is left, and a line with the AWS calls
`schedule`    the time for which a tick was scheduled
`going_on`    work that goes on in an invocation of its own
`http`        routes of an HTTP API, errors as problem details
`routes`      operations of an HTTP API, and all that they may answer
`openapi`     an HTTP API with an OpenAPI document, requests judged by it
`document`    mends what powertools says in that document
`problems`    bodies of answers that are no success
`etags`       entity tags and conditions on them
`batches`     SQS FIFO: groups side by side, one group in order, partial answers
`telemetry`   log lines and counters
"""
