"""Builds the functions of the document store."""
