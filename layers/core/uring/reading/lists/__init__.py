"""Rows of a list, by kind: HTML, JSON, RSS and Atom."""
