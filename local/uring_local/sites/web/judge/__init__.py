"""The judge of a played web: results, dead letters and requests beside what is expected.

`results`    objects and counters of a partition
`letters`    the dead letters of its domains
`requests`   the site's journal: who was asked, how often and how politely
"""
