"""Builds the application: SAM, and what it leaves compiled, packed and examined."""
