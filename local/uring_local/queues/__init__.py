"""`uring queue`: the queues of a deployed stack and their dead letters.

`commands`   `uring queue list`, `show` and `redrive`
`pairs`      the stack's queues, each with its dead-letter queue, and their depths
`letters`    dead letters: received, read, put back
`redrive`    dead letters back to their source queue
`received`   messages as a function gets them from Lambda
`held`       the records that a process works on, hidden from others
`puller`     a worker's batch code, run over a queue in a process of its own
`show`       queues and letters on a terminal and as JSON
"""
