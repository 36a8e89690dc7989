"""`uring seeds`: collections of whole lists of domains, for the operator of a deployed stack.

`commands`      every `uring seeds` command
`orchestrate`   shows a plan and begins a collection through the HTTP API
`plan`          files, domains, time and dollars of a collection that was not begun
`hold`          pauses, resumes and stops a partition
`status`        the current counters and queues, and the pace
`view`          readings on a terminal, in a pipe and as JSON
`watch`         one reading, or readings until all is over
`work`          the domain worker in a process of its own, beside the Lambda function
`report`        a stored report
`moves`         from the old layout's keys to the new layout's
`copies`        objects copied and compared within a bucket
`migrate`       the datasets of a bucket, copied to the new layout
"""
