"""Worlds that are played on loopback, each with its own journal."""
