"""Hypothesis without a deadline: a loaded machine is no finding."""

from hypothesis import settings

settings.register_profile("notices", deadline=None)
settings.load_profile("notices")
