"""Domain messages become stored results.

    .success? ─► robots.txt (cached) ─► collect ─► evidence ─► metadata ─► counters ─► .success

`cache`    robots.txt of each domain, shared by all partitions
`store`    the objects of a result, in order
`warc`     segments of evidence
`pauses`   how long a domain waits
`room`     the memory for large bodies
`domain`   the work on one domain
`feeder`   the domains of a range
`refill`   more messages while a batch is under way
`worker`   batches of the domain queue
"""
