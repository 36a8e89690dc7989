"""Raw files of any size become domain messages.

    .success? ─► open ─► stream ─► domains ─► domain queue ─► checkpoint … ─► counters ─► .success
                         └► bad records ─► .rejected

`raw`         streams the records of a file
`parts`       one record, and where it begins and ends
`rejected`    its records that could not be used, kept beside it
`seen`        the domains of a file so far, in bounded memory
`checkpoint`  the progress in a file: all before it is sent
`reader`      one reading, until its time is up
`backlog`     files wait while the domain queue is deep
`worker`      batches of the seed queue
"""
