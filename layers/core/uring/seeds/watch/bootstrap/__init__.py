"""Builds the functions of the watch."""
