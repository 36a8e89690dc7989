"""Guesses about a list page: the system behind it, its rows, their ids, dates and links."""
