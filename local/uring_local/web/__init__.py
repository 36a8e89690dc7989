"""The client's release, its upload, and the front that a run serves it from.

`release`        a source folder → the objects of the bucket, in the order of their upload
`configuration`  what config.json says of push, checked
`upload`         `uring web upload`: those objects, put where they differ
`behaviors`      what the template's distribution does with an address
`edges`          a stack as its readers meet it: by its distribution, or by its bucket
`data`           the public data of several stacks as one
`subscriptions`  a request for topics, split by the stacks that push them
`events`         what the stand-ins for FCM deliver, as server-sent events
`place`          the way to a stack's distribution
`front`          all of it on one port
"""
