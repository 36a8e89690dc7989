"""Raw files of any size become domain messages.

    .success? ─► open ─► stream ─► domains ─► domain queue ─► checkpoint … ─► counters ─► .success

`raw`         streams the records of a file
`seen`        the domains of a file so far, in bounded memory
`checkpoint`  the place in a file up to which all is sent
`reader`      one reading, as far as its time goes
`worker`      batches of the seed queue
"""
