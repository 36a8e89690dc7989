"""The judge of a played web: results, dead letters and requests beside the expected ones.

`results`    objects and counters of a partition
`letters`    the dead letters of its domains
`requests`   the site's journal: the domains asked, how often and how politely
"""
