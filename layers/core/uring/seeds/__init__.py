"""Lists of domains: the robots.txt and sitemaps of each, collected and watched (S1 to S15).

`names`          URL ─► registrable domain, authority, domain id: the document's domain functions
`registration`   the watches' entry in `uring.families`
`watch`          domains asked again and again: what appeared, changed or vanished
"""
