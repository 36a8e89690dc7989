"""Entries of the sitemap, tried and explained: try, diff, config check."""
