"""The monitor over the health of every family.

    list of states ─► changed? ─► status ─► health.json, feeds, index ─► alerts ─► memory

`monitor`     one run, from the states to all that is derived from them
`due`         the sources that have something new, a few at a time
`publish`     what readers see of one source
`hints`       what the next tick's checks need of the states
`status`      how a source fares, for readers and for operators
`rhythm`      when a board has been silent for too long
`alerts`      one message when a source goes down, one when it is back
`memory`      what the last run knew
"""
