"""Builds the functions of the regulations."""
