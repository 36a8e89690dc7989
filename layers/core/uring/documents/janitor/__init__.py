"""Removes what nobody needs any more, and does what a lost event has left undone; daily (D3).

`pages`    one page: deleted, out of date, texts that no item names, entries that have expired
`janitor`  all pages, in invocations of its own where the time is over; the mark last
"""
