"""Collected domains, watched: additions, changes and losses of robots.txt and sitemaps.

    results ─► shards ─► jobs ─► round ─► sights ─► verdict ─► state ─► latest.json, archive, push

`watch`       one watch of ``config/watches.json``, and the entry of its jobs
`plan`        watches and collected domains to jobs, a shard of the domains each
`round`       asks the domains of a job, many at once
`sight`       a collection as seen: a robots.txt, a sitemap, or nothing certain; stored
`kept`        the last good answer of each file, for conditional requests
`understood`  files in a form that can be compared: rules, places, numbers of URLs
`settling`    when a difference is a change: the second look, files that alternate
`verdict`     sights to records, by the stored ones
`family`      a shard for the engine
"""
