"""The wiring: one module a Lambda function, with the function's name.

    functions/notice_worker/app.py ─► EntryPoint ─► notice_worker: Settings ─► wire ─► work

Each of those modules has ``Settings``, the variables that the template sets for it, and ``wire``,
which chooses the adapters and returns the function's work. Only this package chooses adapters.

`entry_point`    the handler that Lambda calls: reads the settings, wires, runs
`parts`          clients of AWS, telemetry, clock; adapters made of them
`orchestrators`  a schedule's ticks become a family's jobs
`workers`        jobs become checks of a family
`web`            the guarded HTTP client, and its settings
`families`       the registry of families: the only place outside a family that names it
"""
