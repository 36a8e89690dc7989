"""A board's own noise: what differs from check to check without being news.

`parts`, `edits` and `heard` are pure; so is `memory`, the state's part of it, with the remarks for
operators.
"""
