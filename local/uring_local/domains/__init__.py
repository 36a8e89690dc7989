"""`uring domains`: a domain as the seed engine reads it.

`commands`     the commands, typed
`names`        URLs, normalised and shown
`saved`        saved robots.txt and sitemaps
`collecting`   domains, collected now
`stored`       the stored result of a domain, and its evidence
"""
