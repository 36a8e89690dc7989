"""`uring cost`: what a month costs at list prices, by line and by family.

`command`     the command
`workload`    the month's work, and the assumptions that only operation can confirm
`counts`      the calls, lines and milliseconds of each operation, counted and measured
`deployment`  the billed facts of the template: memory, schedules, alarms, retention
`usage`       operations and invocations as units of AWS's prices
`waiting`     how long a batch waits for its sites
`families`    the operations of a month, by family
`prices`      the list prices of each region
`bill`        units times prices
`show`        the bill on a terminal, in a document and as JSON
`table`       bills side by side, beside the goal
"""
