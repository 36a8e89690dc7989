"""`uring domains`: what the seed engine makes of a domain.

`commands`   the commands, typed
`names`      URLs, normalised and shown
"""
