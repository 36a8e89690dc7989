"""IWXXM of every generation, written from a report."""
