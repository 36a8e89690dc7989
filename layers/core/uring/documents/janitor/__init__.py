"""Removes unused items and texts, and repeats the work of lost events; daily (D3).

`pages`    one page: deletes it, refreshes it, removes expired items and texts that no item names
`janitor`  all pages, in further invocations if the time ends; writes the mark last
"""
