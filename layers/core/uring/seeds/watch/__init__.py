"""Collected domains, watched: additions, changes and losses of robots.txt and sitemaps.

    results ─► shards ─► jobs ─► round ─► sights ─► diff ─► state ─► latest.json, archive, push

`watch`       one watch of ``config/watches.json``, and the entry of its jobs
`plan`        watches and collected domains to jobs, a shard of the domains each
`round`       asks the domains of a job, many at once
`sight`       a collection as compared: a robots.txt, a sitemap, or nothing certain; stored
`verdict`     sights to records, by the stored ones: gone on proof, alike despite growth
`family`      a shard for the engine
"""
