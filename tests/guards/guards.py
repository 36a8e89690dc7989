"""What keeps data safe, each thing with the edit that takes it away and the test that must fall.

Not a survey of all code: these are the guards that the protocols name. Each is switched off in a
copy of the library, and its test runs against the copy.
"""

from typing import Final

import of_collect
import of_documents
import of_engine
import of_extract
import of_fetch
import of_hints
import of_identity
import of_known
import of_locks
import of_push
import of_records
import of_regulations
import of_rhythm
import of_seeds
import of_sources
import of_weather
from guard import Guard

GUARDS: Final[tuple[Guard, ...]] = (
    *of_engine.GUARDS,
    *of_hints.GUARDS,
    *of_records.GUARDS,
    *of_identity.GUARDS,
    *of_push.GUARDS,
    *of_rhythm.GUARDS,
    *of_sources.GUARDS,
    *of_weather.GUARDS,
    *of_extract.GUARDS,
    *of_fetch.GUARDS,
    *of_regulations.GUARDS,
    *of_seeds.GUARDS,
    *of_known.GUARDS,
    *of_collect.GUARDS,
    *of_documents.GUARDS,
    *of_locks.GUARDS,
)
