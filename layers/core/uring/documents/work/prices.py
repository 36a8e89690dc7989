"""Prices of the services, in millionths of a dollar (micros).

Defaults, as public pages said in 2026; compare them with the account's own price list:

- Amazon Translate, real-time text: 15 dollars a million characters, in every region.
- Amazon Bedrock, Claude Sonnet on demand through a regional profile: 3.3 dollars a million input
  tokens and 16.5 a million output tokens (3 and 15 through the global one).
"""

from dataclasses import dataclass
from typing import Final

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """What services charge, in micros.

    Attributes:
        characters: of a million characters that are translated.
        input_tokens: of a million tokens that a model reads.
        output_tokens: of a million tokens that a model writes.
    """

    characters: int = 15_000_000
    input_tokens: int = 3_300_000
    output_tokens: int = 16_500_000

    def translation(self, characters: int) -> int:
        """Return the micros of a translation, rounded up."""
        return _rounded_up(characters * self.characters)

    def conversation(self, input_tokens: int, output_tokens: int) -> int:
        """Return the micros of a conversation, rounded up."""
        return _rounded_up(input_tokens * self.input_tokens + output_tokens * self.output_tokens)


def _rounded_up(micro_millionths: int) -> int:
    return -(-micro_millionths // _MILLION)
