"""`uring domains`: what the seed engine makes of a domain.

`commands`     the commands, typed
`names`        URLs, normalised and shown
`saved`        robots.txt and sitemaps that were saved
`collecting`   domains, asked now
"""
