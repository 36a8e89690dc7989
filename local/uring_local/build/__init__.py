"""Builds the application: SAM, then compiles, packs and examines its output."""
