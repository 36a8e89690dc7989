"""Builds the functions of the seed engine."""
