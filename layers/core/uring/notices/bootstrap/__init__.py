"""Builds the functions of the notices."""
