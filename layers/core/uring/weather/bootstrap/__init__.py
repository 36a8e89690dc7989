"""Builds the functions of aviation weather."""
