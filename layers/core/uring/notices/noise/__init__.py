"""A board's own noise: what differs from check to check without being news.

`parts` and `heard` are pure; so are `memory`, the state's part of it, and `remarks` for operators.
"""
