"""Played sites on loopback, each with its own journal."""
