"""The monitor over the health of every family.

    list of states ─► changed? ─► status ─► health.json, feeds, index ─► alerts ─► memory

`monitor`     one run, from the states to the documents derived from them
`due`         the sources with a new state, a few at a time
`publish`     the feeds and the health document of one source
`search`      the search indexes of closed months
`hints`       the hints of the states, for the next tick's checks
`pace`        how often a source is checked, for readers
`status`      the status of a source, for readers and for operators; how long it may be silent
`alerts`      one message when a source goes down, one when it is up again
`readers`     whether readers reach the index at the distribution
`memory`      the state of the monitor between two runs
"""
