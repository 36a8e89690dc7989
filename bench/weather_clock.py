"""The time of the weather's runs."""

from datetime import UTC, datetime

# After every report.
NOW = datetime(2024, 3, 7, tzinfo=UTC)
