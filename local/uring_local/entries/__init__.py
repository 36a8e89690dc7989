"""Entries of a configuration file, tried and explained: try, diff, config check.

`family` is what a family has of its own, `families` the table of them, `files` a file of one.
"""
