"""Collected domains, watched: the robots.txt or sitemaps that appeared, changed or vanished.

    results ─► shards ─► jobs ─► round ─► sights ─► diff ─► state ─► latest.json, archive, push

`watch`       one watch of ``config/watches.json``, and the entry of its jobs
`plan`        watches and collected domains to jobs, a shard of the domains each
`round`       asks the domains of a job, many at once
`sight`       a collection as what is compared: a robots.txt, a sitemap, or nothing certain
`verdict`     sights to records, by what is known: gone on proof, alike though it grew
`state`       ``state/seeds/{watch}.{n}of{shards}.json``
`family`      a shard as the engine sees it
"""
