"""Prices of the services, in millionths of a dollar (micros).

Defaults, as public pages said in 2026; compare them with the account's own price list:

- Amazon Translate, real-time text: 15 dollars a million characters, in every region.
- Amazon Bedrock, Claude Sonnet on demand: 3 dollars a million input tokens, 15 a million output
  tokens; through a profile of one region, as in ap-northeast-2, a tenth more.
"""

import math
from dataclasses import dataclass
from typing import Final

_THOUSAND: Final = 1_000


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of services, in micros.

    Attributes:
        character: for each translated character.
        input_tokens: for a thousand tokens that a model reads.
        output_tokens: for a thousand tokens that a model writes.
    """

    character: float = 15
    input_tokens: float = 3_000
    output_tokens: float = 15_000

    def translation(self, characters: int) -> int:
        """Return the cost of a translation in micros, rounded up."""
        return math.ceil(characters * self.character)

    def conversation(self, input_tokens: int, output_tokens: int) -> int:
        """Return the cost of a conversation in micros, rounded up."""
        thousandth = input_tokens * self.input_tokens + output_tokens * self.output_tokens
        return math.ceil(thousandth / _THOUSAND)
