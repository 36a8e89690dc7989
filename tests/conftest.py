"""Hypothesis without a deadline: a loaded machine is no finding."""

from hypothesis import settings

settings.register_profile("tests", deadline=None)
settings.load_profile("tests")
