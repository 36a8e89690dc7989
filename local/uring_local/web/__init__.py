"""The client's release, its upload, and the server that plays its distribution in a run.

`release`        a source folder → the objects of the bucket, in the order of their upload
`joined`         the modules of a client → the few files of a release
`modules`        a module, taken apart: imports, exports, body
`configuration`  the push settings of config.json, checked
`upload`         `uring web upload`: the objects of a release, put where they differ
`behaviors`      the cache behaviors of the template's distribution
`edges`          the public side of a stack: its distribution, or its bucket
`data`           the public data of several stacks as one
`subscriptions`  a request for topics, split by the stacks that push them
`events`         the messages of the stand-ins for FCM, as server-sent events
`place`          the address of a stack's distribution
`front`          the client, the data and the APIs on one port
"""
