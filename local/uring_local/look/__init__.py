"""`uring list` and `uring check`: how the sources of a stack are, and another look at one now.

`index`     the published list of all sources, its shards included
`show`      the table
`again`     a job for one source, as the orchestrator makes it
`beats`     the last checks of a source
`changes`   the newest changes of a source, with their differences

`uring top`, in `uring_local.top`, shows all of it.
"""
