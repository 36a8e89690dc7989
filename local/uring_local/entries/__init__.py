"""Entries of a configuration file, tried and explained: try, diff, config check.

`family` is the interface of a configured family, `families` their table, `files` a family's file.
"""
